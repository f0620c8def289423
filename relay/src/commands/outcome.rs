//! How a command ended.

/// How a command ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has done everything.
    Done,
    /// Some packets were rejected. Each has had its line.
    Rejections,
}

impl From<()> for Outcome {
    fn from((): ()) -> Self {
        Self::Done
    }
}
