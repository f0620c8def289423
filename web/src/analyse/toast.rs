//! A message that is shown for a moment.

/// A message that fades.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Toast {
    /// Different for each message, so that the same words can be shown again.
    pub(crate) number: u32,
    pub(crate) words: String,
}
