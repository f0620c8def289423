//! A command of a page, as its palette and its key sheet list it.

use leptos::prelude::Callback;

use super::ActionRow;

/// One command of a page.
#[derive(Clone)]
pub(crate) struct Command {
    pub(crate) row: ActionRow,
    /// Whether it can be run now.
    pub(crate) possible: bool,
    pub(crate) run: Callback<()>,
}
