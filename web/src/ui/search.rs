//! Searches names for words.

use trailbrake_shared::library::folded;

/// The words of a search. A name has to contain all of them, in any order.
pub(crate) struct Search(String);

impl Search {
    /// A search for these words. Case and accents do not matter.
    pub(crate) fn new(words: &str) -> Self {
        Self(folded(words))
    }

    /// Whether a name contains all the words. A plural also finds its singular.
    pub(crate) fn finds(&self, name: &str) -> bool {
        let name = folded(name);
        let singular = |word: &str| word.strip_suffix('s').filter(|one| one.len() > 3).map(str::to_owned);
        let is_in = |word: &str| name.contains(word) || singular(word).is_some_and(|one| name.contains(&one));
        self.0.split_whitespace().all(is_in)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_any_order_and_number() {
        let finds = |words, name| Search::new(words).finds(name);
        assert!(finds("", "Zoom in"));
        assert!(finds("end cursor", "Cursor to the end"));
        assert!(finds("DAMPERS", "Damper position FL"));
        assert!(!finds("cursor zoom", "Cursor to the end"));
        // A short word is no plural.
        assert!(!finds("abs", "Cab"));
    }
}
