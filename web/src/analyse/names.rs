//! The names of tracks and corners, from the relay's track book and from open recordings.

use trailbrake_shared::analysis::{KnownTrack, TrackBook};

use super::LapSource;

/// The known names of tracks and corners.
#[derive(Default)]
pub(crate) struct Names {
    /// The relay's track book.
    pub(super) kept: TrackBook,
    /// The tracks named in recordings.
    pub(super) brought: Vec<KnownTrack>,
    /// Both together. The relay's names take precedence.
    pub(super) book: TrackBook,
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
    /// All names, of the relay and of open recordings.
    pub(crate) fn book(&self) -> &TrackBook {
        &self.book
    }

    /// Adds the track that a recording names, if it names one.
    pub(crate) fn learn(&mut self, source: &LapSource) {
        let facts = source.opened.as_ref().map(|opened| opened.recording.facts());
        let brought: Option<KnownTrack> = facts.and_then(|facts| facts.get().ok().flatten());
        if let Some(track) = brought.filter(|track| !self.brought.contains(track)) {
            self.brought.push(track);
            self.join();
        }
    }

    /// Rebuilds the joint book from its parts.
    pub(super) fn join(&mut self) {
        self.book = self.kept.clone();
        for track in &self.brought {
            self.book.learn(track.clone());
        }
    }
}
