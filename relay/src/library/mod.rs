//! The library: the recordings in a folder, and operations on them.
//!
//! Everything is in the files themselves, so the folder can be moved to another machine.

pub(crate) mod bin;
pub(crate) mod clip;
pub(crate) mod file_names;
mod folder_lock;
mod index;
pub(crate) mod journal;
mod labels;
mod loss;
mod merge;
mod place;
mod recording_file;
mod recording_name;
mod recording_ref;
mod recordings;
mod refusal;
mod reindex;
pub(crate) mod repair;
mod replacement;
mod retention;
mod salvage;
mod startup;
pub(crate) mod store;
mod track_book;
pub(crate) mod track_edits;
pub(crate) mod track_facts;
mod track_recognition;
mod upload;
mod versions;

pub(crate) use folder_lock::FolderLock;
#[cfg(feature = "team")]
pub(crate) use folder_lock::OwnedFolder;
pub(crate) use labels::relabelling;
pub(crate) use loss::RepairLoss;
#[cfg(feature = "team")]
pub(crate) use merge::{RigsCopy, merge_tail};
pub(crate) use place::BookPlace;
pub(crate) use place::usual_folder;
pub(crate) use recording_file::{OpenFailure, RecordingFile};
pub(crate) use recording_name::name as name_of;
pub(crate) use recording_ref::RecordingRef;
pub(crate) use recordings::{Change, Library, OpenedFile};
pub(crate) use refusal::Refusal;
pub(crate) use reindex::reindex;
pub(crate) use replacement::{finish as finish_repair, replace};
pub(crate) use retention::RetentionLimits;
pub(crate) use retention::enforce_retention;
pub(crate) use salvage::{Reached, Salvage};
#[cfg(feature = "team")]
pub(crate) use startup::begin as take_over;
pub(crate) use track_book::TrackBookFile;
pub(crate) use track_recognition::recognise_tracks;
pub(crate) use upload::{Upload, UploadOutcome};
pub(crate) use versions::Version;
