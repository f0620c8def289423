//! Notes about laps. Each is stored in its recording, has a moment and a lap distance, and a place in the lesson plan.

mod book;
mod change;
mod colour;
mod list;
mod place;
mod row;
mod step;
mod store;
mod unsaved;
mod write;

pub(super) use change::BookChange;
pub(super) use colour::{COLOURS, note_ink};
pub(super) use list::NoteList;
pub(crate) use place::{NoteStorage, NoteStore, PlacedNote};
pub(super) use row::{about, where_on_track};
pub(crate) use step::LessonPlan;
pub(crate) use store::BookStore;
pub(crate) use write::{NoteEditor, Writing};
