//! A command of a page, as its palette and its key sheet list it.

use leptos::prelude::Callback;

/// One command of a page.
#[derive(Clone)]
pub(crate) struct Command {
    /// The command's name for tests.
    pub(crate) id: &'static str,
    /// The heading under which the key sheet lists it.
    pub(crate) group: &'static str,
    pub(crate) label: &'static str,
    /// The keys that run it, as [`super::KeyPress`] names them.
    pub(crate) keys: &'static [&'static str],
    /// Whether it can be run now.
    pub(crate) possible: bool,
    pub(crate) run: Callback<()>,
}
