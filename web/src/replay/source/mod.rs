//! The source of a recording's bytes: an opened file, or the relay. Only requested ranges are read.

mod answer;
mod file;
mod relay;
mod trouble;

use std::cell::Cell;
use std::ops::Range;

use trailbrake_shared::recording::{LapId, RecordingId};

use relay::AtRelay;

pub(crate) use trouble::Trouble;

/// The source of a recording's bytes.
pub(crate) struct Source {
    origin: Origin,
    /// The number of bytes read so far.
    read: Cell<u64>,
}

enum Origin {
    File(web_sys::File),
    Relay(AtRelay),
}

impl Source {
    /// An opened file.
    pub(crate) fn of_file(file: web_sys::File) -> Self {
        Self { origin: Origin::File(file), read: Cell::new(0) }
    }

    /// One of the relay's recordings, finished or still being recorded.
    pub(crate) async fn at_relay(id: RecordingId) -> Result<Self, Trouble> {
        AtRelay::find(id).await.map(Self::of_relay)
    }

    /// A recording that the relay is still recording, perhaps in memory only.
    pub(crate) async fn underway_now(id: RecordingId) -> Result<Self, Trouble> {
        AtRelay::underway_now(id).await.map(Self::of_relay)
    }

    fn of_relay(relay: AtRelay) -> Self {
        let read = Cell::new(relay.read());
        Self { origin: Origin::Relay(relay), read }
    }

    /// Whether it is one of the relay's recordings. Their facts can be changed in place.
    pub(crate) fn is_at_relay(&self) -> bool {
        matches!(self.origin, Origin::Relay(_))
    }

    /// The opened file, if it is one.
    pub(crate) fn file(&self) -> Option<&web_sys::File> {
        match &self.origin {
            Origin::File(file) => Some(file),
            Origin::Relay(_) => None,
        }
    }

    /// The file's name.
    pub(crate) fn name(&self) -> String {
        match &self.origin {
            Origin::File(file) => file.name(),
            Origin::Relay(relay) => relay.name(),
        }
    }

    /// The length in bytes.
    pub(crate) fn len(&self) -> u64 {
        match &self.origin {
            Origin::File(file) => file.size() as u64,
            Origin::Relay(relay) => relay.len(),
        }
    }

    /// Whether it is still being recorded.
    pub(crate) fn underway(&self) -> bool {
        matches!(&self.origin, Origin::Relay(relay) if relay.underway())
    }

    /// The number of bytes read.
    pub(crate) fn read(&self) -> u64 {
        self.read.get()
    }

    /// How many bytes [`renew`](Self::renew) is likely to fetch.
    pub(crate) fn bytes_to_look(&self) -> u64 {
        match &self.origin {
            Origin::File(_) => 0,
            Origin::Relay(relay) => relay.read(),
        }
    }

    /// Refreshes the recording's length and end. An opened file does not change.
    pub(crate) async fn renew(&self) -> Result<(), Trouble> {
        if let Origin::Relay(relay) = &self.origin {
            self.count(relay.renew().await?);
        }
        Ok(())
    }

    /// The bytes of a range; fewer if the recording ends within it.
    pub(crate) async fn bytes(&self, range: Range<u64>) -> Result<Vec<u8>, Trouble> {
        match &self.origin {
            Origin::File(file) => {
                let bytes = file::bytes(file, range).await?;
                self.count(bytes.len() as u64);
                Ok(bytes)
            }
            Origin::Relay(relay) => {
                let (bytes, fetched) = relay.bytes(range).await?;
                self.count(fetched);
                Ok(bytes)
            }
        }
    }

    /// One lap as a recording of its own, without other cars; `None` where the source can't cut it out.
    pub(crate) async fn lap(&self, id: LapId) -> Result<Option<Vec<u8>>, Trouble> {
        match &self.origin {
            Origin::Relay(relay) if !relay.underway() => {
                let bytes = relay.lap(id).await?;
                self.count(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64));
                Ok(bytes)
            }
            Origin::File(_) | Origin::Relay(_) => Ok(None),
        }
    }

    fn count(&self, bytes: u64) {
        self.read.set(self.read.get().saturating_add(bytes));
    }
}
