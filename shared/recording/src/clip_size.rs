//! How large a clip will be, before it is cut.

use std::ops::Range;

use trailbrake_games::OtherCars;
use trailbrake_games::feed::Feed;

use super::trim::held_us;
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

/// Estimates the size of a clip. It cuts the first lap: the others of the same car take as much for their time.
#[derive(Debug)]
pub struct ClipSize {
    /// The clip with the packets as received: its blocks are those of the recording.
    kept_bytes: u64,
    /// The bytes of the clip's facts.
    fact_bytes: u64,
    /// The clip's time relative to that of its first lap.
    laps: f64,
    /// The first lap without other cars, until it is cut. `None` if the game sends no other cars.
    first: Option<Trim>,
    first_bytes: u64,
}

impl ClipSize {
    /// The estimate for some laps of a recording, in the order in which they matter.
    pub fn new(recording: &Recording, laps: &[LapRow]) -> Self {
        let first = laps.get(..1).unwrap_or_default();
        let trim = |laps: &[LapRow]| Trim::new(recording, laps, OtherCars::LeftOut, RecordingId(0));
        let has_others = Feed::from_id(&recording.info().feed).is_none_or(|feed| feed.leave_out().is_some());
        let fact_bytes = trim(laps).into_facts();
        Self {
            kept_bytes: trim(laps).bytes_left() + fact_bytes,
            fact_bytes: fact_bytes.saturating_sub(trim(first).into_facts()),
            laps: held_us(laps) as f64 / held_us(first).max(1) as f64,
            first: has_others.then(|| trim(first)),
            first_bytes: 0,
        }
    }

    /// About how many bytes the clip will have. `None` as long as more must be read.
    pub fn bytes(&self, others: OtherCars) -> Option<u64> {
        match &self.first {
            None if self.first_bytes > 0 && others == OtherCars::LeftOut => {
                Some((self.first_bytes as f64 * self.laps) as u64 + self.fact_bytes)
            }
            Some(_) if others == OtherCars::LeftOut => None,
            _ => Some(self.kept_bytes),
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
        self.first_bytes += first.bytes().len() as u64;
        if first.needs().is_none() {
            let end = self.first.take().map(Trim::finish).unwrap_or_default();
            self.first_bytes += end.len() as u64;
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
