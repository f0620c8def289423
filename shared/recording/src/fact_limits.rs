//! Limits on the facts that are read from a file, whatever it claims to hold.

use super::facts::{Fact, Facts, Info};

/// Bytes of a fact: the laps of sixty cars in a day.
const MOST_BYTES_OF_ONE: u64 = 32 << 20;
/// Bytes of a note, a task or the info.
const MOST_BYTES_OF_SMALL: u64 = 64 << 10;
/// Bytes of all facts.
const MOST_BYTES: u64 = 64 << 20;
/// Facts in all: 2,000 notes, 200 tasks, and room for deleted ones.
const MOST_FACTS: usize = 10_000;
/// Bytes of a stored fact besides its name and content, about.
const HEADER_BYTES: usize = 100;

/// What has been read of a file's facts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FactBudget {
    bytes: u64,
    facts: usize,
}

impl FactBudget {
    /// Counts a fact of this size, if it fits. One that does not fit is left out: the packets matter more.
    pub(super) fn spend(&mut self, name: &str, bytes: u64) -> bool {
        // Nothing opens without the info, so it does not depend on the others.
        if name == Info::NAME {
            return bytes <= MOST_BYTES_OF_SMALL;
        }
        let all = self.bytes.saturating_add(bytes);
        let fits = bytes <= most_bytes(name) && all <= MOST_BYTES && self.facts < MOST_FACTS;
        if fits {
            (self.bytes, self.facts) = (all, self.facts + 1);
        }
        fits
    }

    /// Forgets a fact that another one replaces.
    pub(super) fn give_back(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_sub(bytes);
        self.facts = self.facts.saturating_sub(1);
    }
}

/// The bytes of a stored fact, about.
pub(super) fn bytes(name: &str, json: &[u8]) -> u64 {
    (name.len() + json.len() + HEADER_BYTES) as u64
}

/// Whether all of these facts are read again once they are written.
pub(super) fn fit(facts: &Facts) -> bool {
    let mut budget = FactBudget::default();
    facts.iter().all(|(name, stored)| budget.spend(name, bytes(name, &stored.json)))
}

/// Whether a person wrote a fact: its recording, moment and author are in its name.
pub(super) fn is_authored(name: &str) -> bool {
    name.contains('/')
}

fn most_bytes(name: &str) -> u64 {
    if is_authored(name) { MOST_BYTES_OF_SMALL } else { MOST_BYTES_OF_ONE }
}
