//! Facts that people write: notes, which may rate corners, and tasks. There is one way to create, change, delete and
//! merge them, whatever they say, and one error.
//!
//! - [`Authored`]: a kind of fact with an author; [`AuthoredKind`]: which kinds there are.
//! - [`written`], [`changed`], [`deleted`], [`put`]: a change as a fact to store, or an [`AuthoredError`].
//! - [`merge`], [`together`]: what people wrote in two copies.

mod error;
mod fact;
mod merge;

pub(super) use error::LONGEST_COLOUR;
pub use error::{
    AuthoredError, AuthoredKind, BEST_FELT, LONGEST_AUTHOR, LONGEST_TEXT, LONGEST_TRACK, LONGEST_WORDS,
    MOST_LAPS, MOST_RECORDINGS,
};
pub use fact::{Authored, Change, changed, count, deleted, put, written};
pub(super) use fact::{author, later, list, moment, text};
pub use merge::{MergeError, merge, together};
