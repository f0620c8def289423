//! What is wanted of a book of tracks that somebody else keeps, as a page asks for it.

use serde::{Deserialize, Serialize};

use super::book::CornerEdit;
use super::fingerprint::Fingerprint;

/// A name for the track that is known by this.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrackName {
    /// What it is known by.
    pub fingerprint: Fingerprint,
    /// What it is called from now on.
    pub name: String,
}

/// A change to a corner of the track that is known by this.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CornerRequest {
    /// What the track is known by.
    pub fingerprint: Fingerprint,
    /// What the track is called, if the book does not know it yet.
    #[serde(default)]
    pub name: Option<String>,
    /// `null` takes back the last change; it has to be said.
    #[serde(deserialize_with = "Option::deserialize")]
    pub edit: Option<CornerEdit>,
}
