//! Notes: what people wrote about moments, in the order of a lesson plan. Each is a fact of its own, so that notes on
//! copies of one recording can be merged.
//!
//! - [`Note`], [`NewNote`], [`NoteColour`]: a note, as stored and as written.
//! - [`notes`], [`plan_order`], [`moved`]: the lesson plan.
//! - [`MergedNotes`]: what a copy gained by a merge.

mod colour;
mod note;
mod plan;
mod summary;

pub use colour::NoteColour;
pub use note::{NewNote, Note};
pub use plan::{moved, notes, plan_order};
pub use summary::{MergedNotes, first_words};

#[cfg(test)]
mod tests;
