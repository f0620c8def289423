//! Rows of a list, each found by its key.

use std::hash::Hash;

use leptos::prelude::*;

/// Rows that come and go. Copies are handles to the same.
pub(crate) struct Rows<K, T>
where
    K: Send + Sync + 'static,
    T: Send + Sync + 'static,
{
    rows: Memo<Vec<T>>,
    keys: Memo<Vec<K>>,
    key: fn(&T) -> K,
}

impl<K: Send + Sync + 'static, T: Send + Sync + 'static> Clone for Rows<K, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Send + Sync + 'static, T: Send + Sync + 'static> Copy for Rows<K, T> {}

impl<K, T> Rows<K, T>
where
    K: Clone + Eq + Send + Sync + 'static,
    T: Clone + PartialEq + Send + Sync + 'static,
{
    /// The rows that a memo holds. No two rows share their key.
    pub(crate) fn new(rows: Memo<Vec<T>>, key: fn(&T) -> K) -> Self {
        let keys = Memo::new(move |_| rows.with(|rows| rows.iter().map(key).collect()));
        Self { rows, keys, key }
    }

    /// Reads all rows.
    pub(crate) fn with<R>(self, read: impl FnOnce(&[T]) -> R) -> R {
        self.rows.with(|rows| read(rows))
    }

    /// Whether a row satisfies a condition, as a value of its own.
    pub(crate) fn any(self, condition: fn(&T) -> bool) -> Memo<bool> {
        Memo::new(move |_| self.with(|rows| rows.iter().any(condition)))
    }

    pub(crate) fn is_empty(self) -> bool {
        self.keys.with(Vec::is_empty)
    }

    /// The row with a key, which changes with that row alone; once it is gone, as it was last. `None` if there is none now.
    pub(crate) fn row(self, key: K) -> Option<Memo<T>> {
        let find = move |rows: &Vec<T>| rows.iter().find(|row| (self.key)(row) == key).cloned();
        let now = self.rows.with_untracked(&find)?;
        Some(Memo::new(move |before: Option<&T>| {
            self.rows.with(&find).unwrap_or_else(|| before.unwrap_or(&now).clone())
        }))
    }
}

/// A view for each row, which stays as long as the row does.
#[component]
pub(crate) fn EachRow<K, T, V, C>(rows: Rows<K, T>, children: C) -> impl IntoView
where
    K: Clone + Eq + Hash + Send + Sync + 'static,
    T: Clone + PartialEq + Send + Sync + 'static,
    V: IntoView + 'static,
    C: Fn(Memo<T>) -> V + Clone + Send + 'static,
{
    view! {
        <For each=move || rows.keys.get() key=K::clone let:key>{rows.row(key).map(children.clone())}</For>
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn a_row_changes_alone_and_stays_as_it_was_once_it_is_gone() {
        let owner = Owner::new();
        owner.set();
        let source = RwSignal::new(vec![(1, "one"), (2, "two")]);
        let rows = Rows::new(Memo::new(move |_| source.get()), |row| row.0);
        let (one, two) = (rows.row(1).expect("a row"), rows.row(2).expect("a row"));
        assert!(rows.row(3).is_none());
        let reads = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&reads);
        let words = Memo::new(move |_| {
            counted.fetch_add(1, Ordering::Relaxed);
            one.get().1
        });
        assert_eq!((words.get(), two.get().1), ("one", "two"));
        // Another row changes, and the order.
        source.set(vec![(2, "deux"), (1, "one")]);
        assert_eq!((words.get(), two.get().1, reads.load(Ordering::Relaxed)), ("one", "deux", 1));
        source.set(vec![(2, "deux")]);
        assert_eq!((words.get(), rows.keys.get()), ("one", vec![2]));
        source.set(vec![(1, "un")]);
        assert_eq!((words.get(), two.get().1), ("un", "deux"));
        source.set(Vec::new());
        assert!(rows.is_empty() && !rows.any(|_| true).get());
    }
}
