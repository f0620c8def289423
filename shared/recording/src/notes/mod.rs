//! Notes: what people wrote about moments, in the order of a lesson plan. Each is a fact of its own, so that notes on
//! copies of one recording can be merged.
//!
//! - [`Note`], [`NewNote`], [`NoteColour`]: a note, as stored and as written.
//! - [`written`], [`taken_away`]: a change of notes as a fact.
//! - [`notes`], [`plan_order`], [`moved`]: the lesson plan.
//! - [`merge`], [`together`]: the notes of two copies; [`MergedNotes`]: what one of them gained by that.

mod change;
mod colour;
mod merge;
mod note;
mod plan;
mod summary;

pub use change::{LONGEST_AUTHOR, LONGEST_TEXT, NoteError, taken_away, written};
pub use colour::NoteColour;
pub use merge::{MergeError, merge, together};
pub(super) use note::is_note;
pub use note::{BEST_FELT, NewNote, Note, is_name};
pub use plan::{MOST_NOTES, count, moved, notes, plan_order};
pub use summary::{MergedNotes, first_words};

#[cfg(test)]
mod tests;
