//! The CRC-32 that MCAP has for its records and we for our blocks.
//!
//! Of our own, since those of others come with 16 KB of tables, and numbers without a pattern don't compress: the page
//! would take so much longer to load. Here they are made when they are needed first.

use std::sync::OnceLock;

/// The polynomial of Ethernet, zip and PNG, the lowest bit first.
const POLYNOMIAL: u32 = 0xedb8_8320;
/// So many bytes are taken in one step.
const STEP: usize = 8;

/// What a byte does to the sum that has so many bytes of the same step behind it: one table for each number of them.
type Tables = [[u32; 256]; STEP];

/// The CRC-32 of bytes that come one part after the other.
pub(crate) struct Crc(u32);

impl Crc {
    pub(crate) fn new() -> Self {
        Self(!0)
    }

    /// Goes on with more bytes.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        let tables = tables();
        let [last, ..] = tables;
        let (steps, rest) = bytes.as_chunks::<STEP>();
        for step in steps {
            let mixed = (u64::from_le_bytes(*step) ^ u64::from(self.0)).to_le_bytes();
            let parts = mixed.iter().zip(tables.iter().rev());
            self.0 = parts.fold(0, |sum, (byte, table)| sum ^ entry(table, *byte));
        }
        for byte in rest {
            self.0 = entry(last, self.0 as u8 ^ byte) ^ (self.0 >> 8);
        }
    }

    /// The sum.
    pub(crate) fn sum(self) -> u32 {
        !self.0
    }
}

/// The CRC-32 of bytes.
pub(crate) fn of(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn entry(table: &[u32; 256], byte: u8) -> u32 {
    // Every byte has an entry.
    table.get(usize::from(byte)).copied().unwrap_or_default()
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let mut made = [[0; 256]; STEP];
        let mut row: [u32; 256] = std::array::from_fn(|byte| (0..8).fold(byte as u32, |sum, _| shift(sum)));
        let first = row;
        for table in &mut made {
            *table = row;
            row = row.map(|sum| entry(&first, sum as u8) ^ (sum >> 8));
        }
        made
    })
}

/// Takes one bit out of the sum.
fn shift(sum: u32) -> u32 {
    if sum & 1 == 1 { (sum >> 1) ^ POLYNOMIAL } else { sum >> 1 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_sum_that_everybody_checks_with_comes_out() {
        assert_eq!(of(b"123456789"), 0xcbf4_3926);
        assert_eq!(of(b""), 0);
    }

    proptest! {
        #[test]
        fn the_sums_are_those_of_others(bytes in prop::collection::vec(any::<u8>(), 0..100), cut in 0_usize..100) {
            let (front, back) = bytes.split_at(cut.min(bytes.len()));
            let mut parts = Crc::new();
            parts.update(front);
            parts.update(back);
            prop_assert_eq!(parts.sum(), of(&bytes));
            prop_assert_eq!(of(&bytes), crc32fast::hash(&bytes));
        }
    }
}
