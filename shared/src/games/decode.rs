//! What every protocol's decoder can do.

use super::Rejected;
use crate::model::{Car, Moment, Sample, Sink, Slot, TrackPrint};
use crate::time::Micros;

/// Understands the packets of one sender of one feed. Time is an argument; nothing here waits or asks for it.
pub trait Decode: Send + Sync {
    /// Takes one datagram. Valid content reaches the sink even when a part is rejected.
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected>;

    /// Takes the tracks that the user has named, for games that do not name theirs. Others have no use for them.
    fn know_tracks(&mut self, tracks: &[TrackPrint]) {
        let _ = tracks;
    }
}

/// Hands over those of a car's values that are numbers, and tells how many are none.
pub(super) fn sample_numbers(sink: &mut dyn Sink, car: Car, moment: Moment, values: &[(Slot, f32)]) -> usize {
    if values.iter().all(|(_, value)| value.is_finite()) {
        sink.sample(&Sample { car, moment, values });
        return 0;
    }
    let numbers: Vec<_> = values.iter().copied().filter(|(_, value)| value.is_finite()).collect();
    sink.sample(&Sample { car, moment, values: &numbers });
    values.len() - numbers.len()
}

/// The outcome of a packet of which so many values were no numbers and were left out.
pub(super) fn without(game: &'static str, packet: &'static str, not_numbers: usize) -> Result<(), Rejected> {
    match not_numbers {
        0 => Ok(()),
        count => Err(Rejected::BadContent {
            game,
            packet,
            what: format!("{count} values are no numbers; the others were used"),
        }),
    }
}
