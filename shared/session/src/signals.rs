//! Times of scripts' signals. There are hundreds per lap, so they are kept apart from the log.

use std::collections::{BTreeMap, VecDeque};

use trailbrake_model::Signal;

/// Times kept per signal; the oldest are dropped first.
const MOST_TIMES: usize = 20_000;

/// The signals of a session.
#[derive(Clone, Debug, Default)]
pub struct SignalTimes {
    given: BTreeMap<Signal, (u64, VecDeque<f64>)>,
}

impl SignalTimes {
    /// How often a signal was received.
    pub fn count(&self, signal: Signal) -> u64 {
        self.given.get(&signal).map_or(0, |(count, _)| *count)
    }

    /// The kept times of a signal in seconds on the game's clock, oldest first.
    pub fn times(&self, signal: Signal) -> impl DoubleEndedIterator<Item = f64> {
        self.given.get(&signal).into_iter().flat_map(|(_, times)| times.iter().copied())
    }

    pub(super) fn note(&mut self, signal: Signal, seconds: f64) {
        let (count, times) = self.given.entry(signal).or_default();
        *count += 1;
        if times.len() >= MOST_TIMES {
            times.pop_front();
        }
        times.push_back(seconds);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_are_counted_beyond_what_is_kept() {
        let mut signals = SignalTimes::default();
        (0..MOST_TIMES + 5).for_each(|second| signals.note(Signal::Brake, second as f64));
        assert_eq!((signals.count(Signal::Brake), signals.count(Signal::Throttle)), (20_005, 0));
        let times: Vec<f64> = signals.times(Signal::Brake).collect();
        assert_eq!((times.len(), times[0], times[times.len() - 1]), (20_000, 5.0, 20_004.0));
    }
}
