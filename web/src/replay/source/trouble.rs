//! The reasons why a recording's bytes can't be read.

/// Why a recording's bytes can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The relay does not answer; it may later. Holds the words for the driver.
    Silent(String),
    /// The recording has changed since it was opened: refresh it.
    Changed,
    /// A lasting reason, in a driver's words.
    Gone(String),
}

impl Trouble {
    /// The reason in a driver's words.
    pub(crate) fn words(self) -> String {
        match self {
            Self::Silent(words) | Self::Gone(words) => words,
            Self::Changed => "The recording was changed while it was opened: open it again.".to_owned(),
        }
    }
}
