//! The recordings of the library, as the relay lists them.

use std::sync::Arc;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::lap_catalogue::LapCatalogue;
use trailbrake_shared::library::{Entry, Listing, RecordingDetails, RecordingFacts};

use super::found::Listed;
use crate::browser;
use crate::http::{Failed, listing};

/// The library, or its bin.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Contents {
    /// Whether the list has been received.
    pub(crate) here: bool,
    /// Why the last request for the list failed. The recordings are then those of the list before.
    pub(crate) failed: Option<Failed>,
    /// The folder of the recordings.
    pub(crate) folder: String,
    /// Why the folder can't be read, or nothing can be recorded in it.
    pub(crate) trouble: Option<String>,
    /// The recordings.
    pub(crate) all: Vec<Arc<Listed>>,
}

/// Everything about the recording that is open.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct OpenRecording {
    /// Its row of the list.
    pub(crate) entry: Entry,
    pub(crate) facts: RecordingFacts,
    /// Its laps.
    pub(crate) catalogue: LapCatalogue,
}

impl OpenRecording {
    pub(super) fn new(details: RecordingDetails) -> Self {
        let RecordingDetails { entry, facts, .. } = details;
        let feed = entry.feed.as_deref().and_then(Feed::from_id);
        let track = |_: &_| entry.track.clone();
        let catalogue = LapCatalogue::of_table(feed, &facts.session, &facts.laps, &track);
        Self { entry, facts, catalogue }
    }
}

impl Contents {
    /// A recording, by its key.
    pub(crate) fn get(&self, key: &str) -> Option<&Arc<Listed>> {
        self.all.iter().find(|one| one.key == key)
    }

    /// Whether the server has a library. A relay that does not answer counts: it may come back.
    pub(crate) fn is_somewhere(&self) -> bool {
        matches!(self.failed, None | Some(Failed::Silent))
    }

    /// The contents after the relay's answer. If the request failed, the list stays.
    pub(super) fn answered(&self, answer: Result<String, Failed>) -> Self {
        match listing(answer) {
            Ok(Listing { folder, trouble, recordings, .. }) => {
                let all = recordings.into_iter().map(listed).collect();
                Self { here: true, failed: None, folder, trouble, all }
            }
            Err(failed) => Self { failed: Some(failed), ..self.clone() },
        }
    }

    /// Replaces the recording with this key, if it is listed.
    pub(super) fn replace(&mut self, key: &str, changed: Arc<Listed>) {
        if let Some(one) = self.all.iter_mut().find(|one| one.key == key) {
            *one = changed;
        }
    }
}

/// The list row of a recording, with its date in local time.
pub(super) fn listed(entry: Entry) -> Arc<Listed> {
    let west = browser::minutes_west(entry.created);
    Arc::new(Listed::new(entry, west))
}
