//! How much of its facts is read of a file, whatever it claims to hold.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Bytes of a fact: the laps of a hundred cars in a day.
const MOST_OF_ONE: u64 = 32 << 20;
/// Bytes of a note or a task.
const MOST_AUTHORED: u64 = 64 << 10;
/// Bytes of all facts.
const MOST_BYTES: u64 = 64 << 20;
/// All facts: the most notes and tasks, deleted ones too, and some.
const MOST_FACTS: usize = 10_000;
/// Rows of a table.
const MOST_ROWS: usize = 50_000;

/// What has been read of a file's facts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FactBudget {
    bytes: u64,
    facts: usize,
}

impl FactBudget {
    /// Whether a fact of this size may be read, too. One that may not is left out: the packets are what matters.
    pub(super) fn allows(&mut self, name: &str, bytes: u64) -> bool {
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

fn most_bytes(name: &str) -> u64 {
    // What a person wrote has its recording, moment and author in its name.
    if name.contains('/') { MOST_AUTHORED } else { MOST_OF_ONE }
}

/// Reads the rows of a table, and skips those beyond [`MOST_ROWS`].
pub(super) fn rows<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    struct Rows<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Rows<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut rows = Vec::new();
            while rows.len() < MOST_ROWS {
                match list.next_element()? {
                    Some(row) => rows.push(row),
                    None => return Ok(rows),
                }
            }
            while list.next_element::<IgnoredAny>()?.is_some() {}
            Ok(rows)
        }
    }

    deserializer.deserialize_seq(Rows(PhantomData))
}
