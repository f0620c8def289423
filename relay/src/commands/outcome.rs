//! The outcome of a command.

/// How a command ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was done.
    Done,
    /// Some packets were rejected, with a line for each.
    Rejections,
}

impl From<()> for Outcome {
    fn from((): ()) -> Self {
        Self::Done
    }
}
