//! Reasons why bytes can't be read.

/// Why bytes can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The relay does not answer: this may pass.
    Silent(String),
    /// The recording's end has changed.
    Changed,
    /// A lasting reason.
    Gone(String),
}

impl Trouble {
    /// In a driver's words.
    pub(crate) fn words(self) -> String {
        match self {
            Self::Silent(words) | Self::Gone(words) => words,
            Self::Changed => "The recording was changed while it was opened: open it again.".to_owned(),
        }
    }
}
