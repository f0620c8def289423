//! Hears datagrams at the game's own pace, for tests.

use super::Decoder;
use crate::games::recorder::Recorder;
use crate::games::{Decode, Rejected};
use crate::time::Micros;

/// A decoder and what it has said so far.
#[derive(Default)]
pub(super) struct Listener {
    decoder: Decoder,
    at: Micros,
    pub(super) heard: Recorder,
}

impl Listener {
    /// What a new decoder says to datagrams that are all understood.
    pub(super) fn of<D: AsRef<[u8]>>(datagrams: impl IntoIterator<Item = D>) -> Recorder {
        let mut listener = Self::default();
        for datagram in datagrams {
            listener.receive(datagram.as_ref()).expect("a packet");
        }
        listener.heard
    }

    /// Hears a datagram a sixtieth of a second after the one before.
    pub(super) fn receive(&mut self, datagram: &[u8]) -> Result<(), Rejected> {
        self.at = self.at.plus_seconds(1.0 / 60.0);
        self.decoder.receive(self.at, datagram, &mut self.heard)
    }
}
