//! What can be done on a page, as its palette and its key sheet list it.

use leptos::prelude::Callback;

/// One command of a page.
#[derive(Clone)]
pub(crate) struct Command {
    /// Its name for tests.
    pub(crate) id: &'static str,
    /// The heading under which it is listed.
    pub(crate) group: &'static str,
    pub(crate) label: &'static str,
    /// Its keys, as [`super::KeyPress`] names them.
    pub(crate) keys: &'static [&'static str],
    /// Whether it can be done now.
    pub(crate) possible: bool,
    pub(crate) run: Callback<()>,
}
