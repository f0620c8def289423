//! A test helper that feeds datagrams to a decoder at the game's rate.

use trailbrake_model::time::Micros;
use trailbrake_sink::Recorder;

use super::Decoder;
use crate::{Decode, Rejected};

/// A decoder and its output so far.
#[derive(Default)]
pub(super) struct Listener {
    decoder: Decoder,
    at: Micros,
    pub(super) recorder: Recorder,
}

impl Listener {
    /// The output of a new decoder; every datagram must be accepted.
    pub(super) fn of<D: AsRef<[u8]>>(datagrams: impl IntoIterator<Item = D>) -> Recorder {
        let mut listener = Self::default();
        for datagram in datagrams {
            listener.receive(datagram.as_ref()).expect("a packet");
        }
        listener.recorder
    }

    /// Feeds a datagram 1/60 s after the previous one.
    pub(super) fn receive(&mut self, datagram: &[u8]) -> Result<(), Rejected> {
        self.at = self.at.plus_seconds(1.0 / 60.0);
        self.decoder.receive(self.at, datagram, &mut self.recorder)
    }
}
