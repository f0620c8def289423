//! The interface of every protocol's decoder.

use trailbrake_model::time::Micros;
use trailbrake_model::{Car, Moment, Sample, Sink, Slot, TrackPrint};

use super::Rejected;

/// Decodes the packets of one sender of one feed. Time is an argument; a decoder never reads a clock or waits.
pub trait Decode: Send + Sync {
    /// Decodes one datagram. Valid content reaches the sink even when a part is rejected.
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected>;

    /// Takes the tracks that the user has named, for games that don't send track names. Other decoders ignore them.
    fn know_tracks(&mut self, tracks: &[TrackPrint]) {
        let _ = tracks;
    }
}

/// Sends a car's finite values to the sink and returns how many were not finite.
pub(super) fn sample_numbers(sink: &mut dyn Sink, car: Car, moment: Moment, values: &[(Slot, f32)]) -> usize {
    if values.iter().all(|(_, value)| value.is_finite()) {
        sink.sample(&Sample { car, moment, values });
        return 0;
    }
    let numbers: Vec<_> = values.iter().copied().filter(|(_, value)| value.is_finite()).collect();
    sink.sample(&Sample { car, moment, values: &numbers });
    values.len() - numbers.len()
}

/// The result for a packet with `not_numbers` values dropped because they were not finite.
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
