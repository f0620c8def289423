//! The names of tracks and corners, from the relay's track book and from open recordings.

use std::rc::Rc;

use leptos::prelude::*;
use trailbrake_shared::analysis::{KnownTrack, TrackBook};

use super::Sources;
use crate::reactive::{LocalMemo, LocalSignal};

/// The relay's names of tracks and corners.
#[derive(Default)]
pub(crate) struct Names {
    /// The relay's track book.
    kept: TrackBook,
    /// How often it has changed.
    changes: u32,
    /// A lap distance in the corner that is being edited, metres.
    pub(super) at_m: f64,
}

/// A field of the names dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameField {
    /// The track's name.
    Track,
    /// The corner's name.
    Corner,
}

/// A change to the relay's track book.
pub(crate) enum NameChange {
    /// Renames the track and the corner. Names that are known already are not sent.
    Rename { track: Option<String>, corner: String },
    /// Merges the corner with the next one.
    Merge,
    /// Splits the corner at the cursor.
    Split,
    /// Undoes the last change to a corner of the track.
    Undo,
}

impl Names {
    /// How often the relay's track book has changed.
    pub(super) fn changes(&self) -> u32 {
        self.changes
    }

    /// Whether the relay's track book is this one.
    pub(super) fn has(&self, book: &TrackBook) -> bool {
        self.kept == *book
    }

    /// Takes the relay's track book.
    pub(super) fn take(&mut self, book: TrackBook) {
        self.kept = book;
        self.changes += 1;
    }
}

/// All names of tracks and corners: those of open recordings, and those of the relay, which take precedence.
pub(super) fn track_book(
    names: LocalSignal<Names>,
    sources: LocalSignal<Sources>,
) -> LocalMemo<Rc<TrackBook>> {
    let brought = LocalMemo::new(move |_| sources.with(tracks_of));
    let changes = Memo::new(move |_| names.with(Names::changes));
    LocalMemo::new(move |_| {
        let _ = changes.get();
        let mut book = names.with_untracked(|names| names.kept.clone());
        brought.with(|brought| brought.iter().for_each(|track| book.learn(track.clone())));
        Rc::new(book)
    })
}

/// The tracks that open recordings name.
fn tracks_of(sources: &Sources) -> Vec<KnownTrack> {
    let mut tracks: Vec<KnownTrack> = Vec::new();
    for source in sources.all() {
        let facts = source.opened.as_ref().map(|opened| opened.recording.facts());
        let brought: Option<KnownTrack> = facts.and_then(|facts| facts.get().ok().flatten());
        tracks.extend(brought.filter(|track| !tracks.contains(track)));
    }
    tracks
}
