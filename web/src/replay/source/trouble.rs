//! What keeps bytes from being read.

/// Why bytes can't be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Nobody answers, which may pass.
    Silent(String),
    /// The recording's end is another than it was.
    Changed,
    /// It will not pass.
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
