//! What a library says of its recordings: the relay and the page read this one declaration.
//!
//! - [`Entry`], [`Listing`], [`Details`]: what a list shows; [`RecordingDetails`]: details as a page reads them.
//! - [`Bests`]: the best lap of every game, track and car across recordings.

mod bests;
mod details;
mod entry;
mod search;

pub use bests::{BestLap, BestLaps, Bests, CountedLaps, Discipline, KeptLap};
pub use details::{RecordingDetails, RecordingFacts};
pub use entry::{Details, Entry, Excerpt, IndexStatus, Listing, Relabel, Repaired};
pub use search::folded;
