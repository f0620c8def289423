//! The library: the recordings in a folder, what is known of each, and what may be done with them.
//!
//! Everything is in the files themselves, and nothing beside them: the folder can be moved to another machine.

mod bin;
mod folder_lock;
mod index;
pub(crate) mod journal;
mod keep;
mod labels;
mod loss;
mod merge;
pub(crate) mod names;
mod place;
mod recognise;
mod recording_name;
mod recordings;
mod refused;
mod renew;
mod repair;
mod replacement;
mod salvage;
mod source;
mod startup;
pub(crate) mod store;
mod track_book;
pub(crate) mod track_edits;
pub(crate) mod track_facts;
mod trim;
mod upload;
mod which;

pub(crate) use folder_lock::Alone;
pub(crate) use keep::Keep;
pub(crate) use keep::keep;
pub(crate) use labels::relabelling;
pub(crate) use loss::Lost;
pub(crate) use place::BookPlace;
pub(crate) use place::usual_folder;
pub(crate) use recognise::recognise;
pub(crate) use recording_name::name as name_of;
pub(crate) use recordings::{Change, Library};
pub(crate) use refused::Refused;
pub(crate) use renew::renew;
pub(crate) use replacement::{finish as finish_repair, replace};
pub(crate) use salvage::Mended;
pub(crate) use source::{CannotOpen, Source};
pub(crate) use track_book::TrackBookFile;
pub(crate) use upload::Shelved;
pub(crate) use which::Which;
