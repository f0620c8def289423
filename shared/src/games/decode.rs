//! What every protocol's decoder can do.

use super::Rejected;
use crate::model::{Sink, TrackPrint};
use crate::time::Micros;

/// Understands the packets of one sender of one feed. Time is an argument; nothing here waits or asks for it.
pub trait Decode: Send {
    /// Takes one datagram. Valid content reaches the sink even when a part is rejected.
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected>;

    /// Takes the tracks that the user has named, for games that do not name theirs. Others have no use for them.
    fn know_tracks(&mut self, tracks: &[TrackPrint]) {
        let _ = tracks;
    }
}
