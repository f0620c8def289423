//! The Library page: the recordings that the relay keeps, found, opened, named, deleted and imported.

mod actions;
mod changes;
mod contents;
mod details;
mod empty;
mod export;
mod facts;
mod found;
mod import;
mod imports;
mod lap_table;
mod list;
mod note_list;
mod notes;
mod page;
mod query;
mod requests;
mod stores;
mod strips;
mod ticked;
mod toast;
mod tools;
mod window;
mod words;

pub(crate) use contents::Contents;
pub(crate) use imports::Imports;
pub(crate) use page::LibraryPage;
pub(crate) use query::Query;
pub(crate) use stores::Library;
pub(crate) use ticked::Ticked;
pub(crate) use window::Window;
