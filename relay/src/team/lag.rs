//! How far the hub is behind a recording under way.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use trailbrake_shared::recording::RecordingId;

/// How far apart moments are noted.
const STEP: Duration = Duration::from_secs(1);
/// Most moments: beyond that every second one is forgotten.
const MOST: usize = 600;

/// When how much was recorded, as long as the hub does not have it.
#[derive(Default)]
pub(super) struct Lag {
    recording: Option<RecordingId>,
    /// Moments, and the bytes that were recorded then.
    recorded: VecDeque<(Instant, u64)>,
}

impl Lag {
    /// Notes how much of a recording there is now, and how much of that is safe at the hub.
    pub(super) fn note(&mut self, id: RecordingId, recorded: u64, safe: u64, now: Instant) {
        if self.recording != Some(id) {
            *self = Self { recording: Some(id), ..Self::default() };
        }
        let is_new = |(at, len): &(Instant, u64)| *len < recorded && now - *at >= STEP;
        if recorded > safe && self.recorded.back().is_none_or(is_new) {
            self.recorded.push_back((now, recorded));
        }
        while self.recorded.pop_front_if(|(_, len)| *len <= safe).is_some() {}
        if self.recorded.len() > MOST {
            let mut keeps = false;
            self.recorded.retain(|_| {
                keeps = !keeps;
                keeps
            });
        }
    }

    /// How long ago the first of what the hub does not have was recorded.
    pub(super) fn behind(&self, now: Instant) -> Duration {
        self.recorded.front().map_or(Duration::ZERO, |(at, _)| now - *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_age_of_the_first_byte_that_the_hub_does_not_have() {
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let mut lag = Lag::default();
        for second in 0..30 {
            lag.note(RecordingId(1), 100 + second * 10, 100, at(second));
        }
        assert_eq!(lag.behind(at(30)), Duration::from_secs(29));
        lag.note(RecordingId(1), 390, 250, at(30));
        assert_eq!(lag.behind(at(30)), Duration::from_secs(14));
        lag.note(RecordingId(1), 390, 390, at(31));
        assert_eq!(lag.behind(at(40)), Duration::ZERO);
        lag.note(RecordingId(2), 50, 0, at(41));
        assert_eq!(lag.behind(at(43)), Duration::from_secs(2));
    }

    #[test]
    fn hours_without_a_hub_take_little_memory_and_keep_the_first_moment() {
        let start = Instant::now();
        let mut lag = Lag::default();
        for second in 0..20_000 {
            lag.note(RecordingId(1), 1 + second, 0, start + Duration::from_secs(second));
        }
        assert!(lag.recorded.len() <= MOST);
        assert_eq!(lag.behind(start + Duration::from_secs(20_000)), Duration::from_secs(20_000));
    }
}
