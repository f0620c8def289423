//! The demo's entry list: invented drivers and teams.

/// A driver on the entry list.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name as games show it.
    pub name: &'static str,
    /// The team id in F1 games.
    pub team: u8,
    /// The race number.
    pub number: u8,
    /// The nationality id in F1 2018.
    pub nationality: u8,
}

const fn entry(name: &'static str, team: u8, number: u8, nationality: u8) -> Entry {
    Entry { name, team, number, nationality }
}

/// Twenty invented drivers, fastest first. Names use the real spelling, in several scripts.
pub(crate) const ENTRIES: [Entry; 20] = [
    entry("A. VÄISÄNEN", 0, 12, 27),
    entry("M. ØSTERGÅRD", 1, 21, 21),
    entry("T. OKAFOR-BELL", 2, 4, 10),
    entry("J. ŁUKASZEWSKI", 1, 64, 64),
    entry("R. IÑÁRRITU", 0, 17, 52),
    entry("Ş. DEMİRÇELİK", 2, 90, 82),
    entry("L. MARCHETTI", 5, 36, 41),
    entry("C. D’AUBIGNÉ", 5, 71, 28),
    entry("H. SÖDERQVIST", 7, 15, 79),
    entry("K. MIURA", 6, 49, 43),
    entry("P. VAN DER WIEL", 4, 88, 22),
    entry("Н. СОКОЛЬНИКОВ", 3, 26, 68),
    entry("D. KOWHAI", 6, 40, 54),
    entry("E. GROßMANN", 4, 51, 29),
    entry("G. ANDRADE", 8, 30, 9),
    entry("Z. HORVÁTHOVÁ", 7, 63, 74),
    entry("B. TREMBLAY", 8, 95, 13),
    entry("Γ. ΠΑΠΑΔΑΚΗΣ", 9, 78, 31),
    entry("O. LINDQUIST", 9, 57, 1),
    entry("K. CHAKRABARTI", 3, 84, 37),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seat_is_taken_once() {
        for (index, entry) in ENTRIES.iter().enumerate() {
            assert!(entry.name.len() < 48 && entry.team < 10 && (1..=86).contains(&entry.nationality));
            for other in &ENTRIES[..index] {
                assert!(other.number != entry.number && other.name != entry.name);
            }
            assert_eq!(ENTRIES.iter().filter(|other| other.team == entry.team).count(), 2);
        }
        assert!(ENTRIES.iter().any(|entry| !entry.name.is_ascii()));
    }
}
