//! The dialogs of the page.

use crate::analyse::NameField;

/// A dialog over the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DialogKind {
    /// All keys.
    Keys,
    /// All commands, to be searched.
    Palette,
    /// What this program is.
    About,
    /// The channels, to be shown or not.
    Channels,
    /// A note that is being written.
    Note,
    /// A coaching task that is being set.
    Task,
    /// How the corners felt, before times are shown.
    Debrief,
    /// The printed report.
    Report,
    /// The laps on screen, to be saved for somebody else.
    Share,
    /// The figures that can be copied.
    Copy,
    /// The names of the track and of a corner, one of which has the focus.
    Names(NameField),
}
