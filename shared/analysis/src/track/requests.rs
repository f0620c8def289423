//! Requests to change a track book that somebody else keeps, as a page sends them.

use serde::{Deserialize, Serialize};

use super::book::CornerEdit;
use super::fingerprint::Fingerprint;
use super::stretch::Stretch;

/// Asks for a track by its shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TrackShape {
    /// Of a whole lap.
    Whole(Fingerprint),
    /// Of the part that is driven by now in a game.
    Part {
        /// The game's name.
        game: String,
        /// The part.
        part: Stretch,
    },
}

/// Names a track.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrackName {
    /// The track's fingerprint.
    pub fingerprint: Fingerprint,
    /// Its new name.
    pub name: String,
}

/// Changes a corner of a track.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CornerRequest {
    /// The track's fingerprint.
    pub fingerprint: Fingerprint,
    /// The track's name, if the book does not know it yet.
    #[serde(default)]
    pub name: Option<String>,
    /// The edit. `null` undoes the last one, and must be explicit.
    #[serde(deserialize_with = "Option::deserialize")]
    pub edit: Option<CornerEdit>,
}
