//! Names of tracks and corners: from the relay's track book, and from open recordings.

use trailbrake_shared::analysis::{KnownTrack, TrackBook};

use super::LapSource;

/// The names from all sources.
#[derive(Default)]
pub(crate) struct Names {
    /// The relay's book.
    pub(super) kept: TrackBook,
    /// The tracks named in recordings.
    pub(super) brought: Vec<KnownTrack>,
    /// Both together; the relay's names come first.
    pub(super) book: TrackBook,
    /// The place of the corner that is being renamed, metres from the line.
    pub(super) at_m: f64,
}

/// A name that can be edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameField {
    /// The track's.
    Track,
    /// The open corner's.
    Corner,
}

/// A change to the book.
pub(crate) enum NameChange {
    /// The track has another name, and the corner one: only what differs from what is known is changed.
    Rename { track: Option<String>, corner: String },
    /// The corner and the next one are one.
    Merge,
    /// The corner is two, and the second begins at the cursor.
    Split,
    /// The last change to a corner is undone.
    Undo,
}

impl Names {
    /// All names.
    pub(crate) fn book(&self) -> &TrackBook {
        &self.book
    }

    /// Adds a recording's name for its track.
    pub(crate) fn learn(&mut self, source: &LapSource) {
        let facts = source.opened.as_ref().map(|opened| opened.recording.facts());
        let brought: Option<KnownTrack> = facts.and_then(|facts| facts.get().ok().flatten());
        if let Some(track) = brought.filter(|track| !self.brought.contains(track)) {
            self.brought.push(track);
            self.join();
        }
    }

    pub(super) fn join(&mut self) {
        self.book = self.kept.clone();
        for track in &self.brought {
            self.book.learn(track.clone());
        }
    }
}
