//! The library's answers about its recordings, shared by relay and page.
//!
//! - [`Entry`], [`Listing`], [`Details`]: list entries; [`RecordingDetails`]: details as a page reads them.
//! - [`ImportedRecording`]: an import, with what a merge added.
//! - [`Bests`]: the best lap of every game, track and car across recordings.

mod bests;
mod details;
mod entry;
mod imported;
mod search;

pub use bests::{BestLap, BestLaps, Bests, CountedLaps, Discipline, KeptLap};
pub use details::{RecordingDetails, RecordingFacts};
pub use entry::{Details, Entry, Excerpt, IndexStatus, Listing, Relabel, Repaired};
pub use imported::ImportedRecording;
pub use search::folded;
