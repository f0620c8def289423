//! How large a clip will be, before it is cut.

use std::ops::Range;

use trailbrake_games::OtherCars;
use trailbrake_games::feed::Feed;
use trailbrake_model::Car;

use super::trim::duration_us;
use super::{LapRow, Reading, Recording, RecordingId, Trim};

/// The most bytes that the free version of a usual chat takes as a file.
pub const CHAT_BYTES: u64 = 10_000_000;
/// The most bytes that mail usually takes.
pub const MAIL_BYTES: u64 = 25_000_000;

/// Where a file of this size fits, in words.
pub fn fits(bytes: u64) -> &'static str {
    if bytes <= CHAT_BYTES {
        "fits most chats"
    } else if bytes <= MAIL_BYTES {
        "fits mail, too large for most chats"
    } else {
        "too large for chats and mail"
    }
}

/// Estimates the size of a clip. It cuts the first lap with the cars of all laps, which take as much for their time.
#[derive(Debug)]
pub struct ClipSize {
    /// The clip with the packets as received: its blocks are those of the recording.
    kept_bytes: u64,
    /// The bytes of the clip's facts beyond those of its first lap.
    fact_bytes: u64,
    /// The clip's time relative to that of its first lap.
    times_first: f64,
    /// The first lap without other cars, until it is cut. `None` if the game sends no other cars.
    first: Option<Trim>,
    /// Its bytes so far; `None` if nothing is left of it.
    first_bytes: Option<u64>,
    has_others: bool,
}

impl ClipSize {
    /// The estimate for some laps of a recording.
    pub fn new(recording: &Recording, laps: &[LapRow]) -> Self {
        let first = laps.get(..1).unwrap_or_default();
        let cars: Vec<Car> = laps.iter().map(|row| row.car).collect();
        let trim = |laps: &[LapRow]| {
            Trim::keeping(recording, laps, cars.clone(), OtherCars::LeftOut, RecordingId(0))
        };
        let has_others = Feed::from_id(&recording.info().feed).is_none_or(|feed| feed.leave_out().is_some());
        let whole = trim(laps);
        let packet_bytes = whole.bytes_left();
        let fact_bytes = whole.fact_bytes();
        Self {
            kept_bytes: if laps.is_empty() { 0 } else { packet_bytes + fact_bytes },
            fact_bytes: fact_bytes.saturating_sub(trim(first).fact_bytes()),
            times_first: duration_us(laps) as f64 / duration_us(first).max(1) as f64,
            first: has_others.then(|| trim(first)).filter(|first| first.needs().is_some()),
            first_bytes: None,
            has_others,
        }
    }

    /// About how many bytes the clip will have. `None` as long as more must be read, and if nothing would be left of it.
    pub fn bytes(&self, others: OtherCars) -> Option<u64> {
        let kept = Some(self.kept_bytes).filter(|bytes| *bytes > 0);
        if !self.has_others || others == OtherCars::Kept {
            return kept;
        }
        let first_bytes = self.first_bytes.filter(|_| self.first.is_none())?;
        match others {
            OtherCars::LeftOut => Some((first_bytes as f64 * self.times_first) as u64 + self.fact_bytes),
            _ => kept,
        }
    }
}

impl Reading for ClipSize {
    fn needs(&self) -> Option<Range<u64>> {
        self.first.as_ref().and_then(Trim::needs)
    }

    fn give(&mut self, bytes: &[u8]) {
        let Some(first) = &mut self.first else { return };
        first.give(bytes);
        let written = self.first_bytes.unwrap_or_default() + first.bytes().len() as u64;
        self.first_bytes = Some(written);
        if first.needs().is_none() {
            let is_empty = first.is_empty();
            let end = self.first.take().map(Trim::finish).unwrap_or_default();
            self.first_bytes = Some(written + end.len() as u64).filter(|_| !is_empty);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_fits_chats_mail_or_neither() {
        for (bytes, words) in [
            (6_200_000, "fits most chats"),
            (CHAT_BYTES, "fits most chats"),
            (CHAT_BYTES + 1, "fits mail, too large for most chats"),
            (MAIL_BYTES + 1, "too large for chats and mail"),
        ] {
            assert_eq!(fits(bytes), words);
        }
    }
}
