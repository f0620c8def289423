//! Reads tables of no more rows than they may have.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Rows of a table: the laps of sixty cars in a day are 60 000.
const MOST_ROWS: usize = 100_000;

/// Reads the rows of a table, and skips those beyond [`MOST_ROWS`].
pub(super) fn read_rows<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
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
