//! The dialogs of the page.

use leptos::prelude::*;

use crate::analyse::NameField;

/// The open dialog; `None` if none is.
pub(crate) type OpenDialog = RwSignal<Option<DialogKind>>;

/// A dialog over the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DialogKind {
    /// The channels and layouts.
    Channels,
    /// A note that is being written.
    Note,
    /// A coaching task that is being set.
    Task,
    /// How the corners felt, before times are shown.
    Debrief,
    /// The printed report.
    Report,
    /// Sharing of the laps on screen.
    Share,
    /// The official time of a lap whose file has none.
    LapTime,
    /// The figures that can be copied.
    Copy,
    /// The names of the track and of a corner; the given field has the focus.
    Names(NameField),
}
