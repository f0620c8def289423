//! Signals and memos of values that must stay on the page's thread, such as those that hold an `Rc`.

use std::rc::Rc;

use leptos::prelude::*;
use send_wrapper::SendWrapper;

/// A signal of a value that must stay on the page's thread.
pub(crate) type LocalSignal<T> = RwSignal<T, LocalStorage>;

/// A memo of a value that must stay on the page's thread. Copies are handles to the same.
pub(crate) struct LocalMemo<T: 'static>(Memo<SendWrapper<T>>);

impl<T> Clone for LocalMemo<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for LocalMemo<T> {}

impl<T> LocalMemo<T> {
    /// Computes a value whenever what it reads has changed. `compute` receives the value before. Subscribers run when the
    /// value is another one.
    pub(crate) fn new(compute: impl Fn(Option<&T>) -> T + Send + Sync + 'static) -> Self
    where
        T: PartialEq,
    {
        Self::with_compare(compute, |one, other| one == other)
    }

    /// Like `new`, with a function that says whether two values are the same.
    pub(crate) fn with_compare(
        compute: impl Fn(Option<&T>) -> T + Send + Sync + 'static,
        is_same: fn(&T, &T) -> bool,
    ) -> Self {
        let wrapped = move |before: Option<SendWrapper<T>>| {
            let value = compute(before.as_deref());
            let is_other = before.as_deref().is_none_or(|before| !is_same(before, &value));
            (SendWrapper::new(value), is_other)
        };
        Self(Memo::new_owning(wrapped))
    }

    /// Reads the value, and subscribes to it.
    pub(crate) fn with<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.0.with(|value| read(value))
    }

    /// Reads the value without subscribing to it.
    pub(crate) fn with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.0.with_untracked(|value| read(value))
    }

    /// Copies the value, and subscribes to it.
    pub(crate) fn get(self) -> T
    where
        T: Clone,
    {
        self.with(T::clone)
    }
}

/// Whether both are the same value, or both are nothing.
pub(crate) fn is_same<T>(one: &Option<Rc<T>>, other: &Option<Rc<T>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Rc::ptr_eq(one, other),
        (None, None) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memo_keeps_its_value_until_it_is_another() {
        let owner = Owner::new();
        owner.set();
        let source = LocalSignal::new_local(Rc::new(3));
        let parity = LocalMemo::new(move |_| source.with(|number| **number % 2));
        let shared = LocalMemo::with_compare(
            move |before: Option<&Option<Rc<u8>>>| {
                let parity = parity.get();
                before.cloned().flatten().filter(|before| **before == parity).or(Some(Rc::new(parity)))
            },
            is_same,
        );
        let first = shared.get();
        source.set(Rc::new(5));
        assert!(is_same(&first, &shared.get()));
        source.set(Rc::new(6));
        assert!(!is_same(&first, &shared.get()));
        assert_eq!(shared.get().as_deref(), Some(&0));
    }
}
