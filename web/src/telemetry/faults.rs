//! The list of faults: each different one once, with a count.

/// The maximum number of different faults. The oldest are dropped first.
const KEPT: usize = 8;

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What happened, where, and what to do about it.
    pub(crate) words: String,
    /// How often it happened.
    pub(crate) count: u32,
}

/// The faults since the driver last dismissed them, the latest last.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<Fault>);

impl Faults {
    /// Adds a fault, or counts a known one again.
    pub(crate) fn note(&mut self, words: String) {
        let known = self.0.iter().position(|fault| fault.words == words);
        let count = known.map_or(0, |index| self.0.remove(index).count);
        if self.0.len() == KEPT {
            self.0.remove(0);
        }
        self.0.push(Fault { words, count: count.saturating_add(1) });
    }

    /// Drops all faults: the driver dismissed them.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// All faults, the latest first.
    pub(crate) fn list(&self) -> Vec<Fault> {
        self.0.iter().rev().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(words: &[&str]) -> Vec<(String, u32)> {
        let mut faults = Faults::default();
        for word in words {
            faults.note((*word).to_owned());
        }
        faults.list().into_iter().map(|fault| (fault.words, fault.count)).collect()
    }

    #[test]
    fn the_same_fault_is_listed_once_and_counted() {
        assert_eq!(noted(&["a", "b", "a", "a"]), [("a".to_owned(), 3), ("b".to_owned(), 1)]);
    }

    #[test]
    fn the_oldest_make_room() {
        let list = noted(&["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
        assert_eq!(list.len(), KEPT);
        assert_eq!((list[0].0.as_str(), list[7].0.as_str()), ("9", "2"));
    }
}
