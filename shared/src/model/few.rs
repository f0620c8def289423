//! A map of few keys: cars, seats, feeds.

/// Values by their keys, in the keys' order. They stand in one list, which for up to some hundreds is as quick as a tree;
/// a tree's code would be in the page once for each type of value, and is fifteen times as large.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Few<K, V>(Vec<(K, V)>);

impl<K: Ord, V> Few<K, V> {
    /// Where a key stands, or would.
    fn place(&self, key: &K) -> Result<usize, usize> {
        self.0.binary_search_by(|(other, _)| other.cmp(key))
    }

    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        let place = self.place(key).ok()?;
        self.0.get(place).map(|(_, value)| value)
    }

    /// The value of a key, to be changed.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let place = self.place(key).ok()?;
        self.0.get_mut(place).map(|(_, value)| value)
    }

    /// Whether a key has a value.
    pub fn contains_key(&self, key: &K) -> bool {
        self.place(key).is_ok()
    }

    /// The value of a key that has one from now on.
    #[expect(clippy::indexing_slicing, reason = "there is a value in this place, if only since just now")]
    pub fn or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let place = match self.place(&key) {
            Ok(place) => place,
            Err(place) => {
                self.0.insert(place, (key, make()));
                place
            }
        };
        &mut self.0[place].1
    }

    /// Gives a key a value; the one it had comes back.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(place) => self.0.get_mut(place).map(|(_, before)| std::mem::replace(before, value)),
            Err(place) => {
                self.0.insert(place, (key, value));
                None
            }
        }
    }

    /// Takes a key's value away.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let place = self.place(key).ok()?;
        Some(self.0.remove(place).1)
    }
}

impl<K: Ord, V: Default> Few<K, V> {
    /// The value of a key; one that had none has the usual one from now on.
    pub fn or_default(&mut self, key: K) -> &mut V {
        self.or_insert_with(key, V::default)
    }
}

impl<K, V> Few<K, V> {
    /// Keys and values.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// Keys and values, which can be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.0.iter_mut().map(|(key, value)| (&*key, value))
    }

    /// The keys.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    /// The values.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    /// The values, which can be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// Keeps only some.
    pub fn retain(&mut self, keep: impl Fn(&K, &V) -> bool) {
        self.0.retain(|(key, value)| keep(key, value));
    }

    /// Takes all away.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl<K, V> Default for Few<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Few<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let mut few = Self::default();
        for (key, value) in pairs {
            few.insert(key, value);
        }
        few
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever is done with it, it holds what a tree holds to which the same is done.
        #[test]
        fn it_is_a_map(deeds in proptest::collection::vec((0_u8..5, 0_u8..12, any::<u16>()), 0..60)) {
            let (mut few, mut tree) = (Few::default(), BTreeMap::new());
            for (deed, key, value) in deeds {
                match deed {
                    0 => prop_assert_eq!(few.insert(key, value), tree.insert(key, value)),
                    1 => prop_assert_eq!(few.remove(&key), tree.remove(&key)),
                    2 => prop_assert_eq!(*few.or_default(key), *tree.entry(key).or_default()),
                    3 => {
                        few.retain(|key, _| *key != 3);
                        tree.retain(|key, _| *key != 3);
                    }
                    _ => {
                        if let (Some(few), Some(tree)) = (few.get_mut(&key), tree.get_mut(&key)) {
                            (*few, *tree) = (value, value);
                        }
                    }
                }
                prop_assert_eq!((few.get(&key), few.contains_key(&key)), (tree.get(&key), tree.contains_key(&key)));
                prop_assert!(few.iter().eq(tree.iter()) && few.keys().eq(tree.keys()) && few.values().eq(tree.values()));
                prop_assert_eq!(&tree.iter().rev().map(|(key, value)| (*key, *value)).collect::<Few<_, _>>(), &few);
            }
        }
    }
}
