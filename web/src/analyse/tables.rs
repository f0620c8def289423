//! The charts of the page that are shown as tables, too.

use leptos::prelude::*;

/// Whether the tables of each chart are shown. Copies are handles to the same.
#[derive(Clone, Copy, Default)]
pub(crate) struct ShownTables {
    pub(crate) lanes: RwSignal<bool>,
    pub(crate) map: RwSignal<bool>,
    /// The tables of all figures of the open panel.
    pub(crate) panel: RwSignal<bool>,
    /// The tables of the report.
    pub(crate) report: RwSignal<bool>,
}
