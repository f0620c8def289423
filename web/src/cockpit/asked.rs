//! The recording that the address names.

use crate::replay::Link;

/// What becomes of the recording that the address asks for, until it plays.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Asked {
    /// None is asked for, or it plays.
    Nothing,
    /// It is looked for.
    Opening(Link),
    /// It can't be had from here.
    Missing {
        /// What the address says of it.
        link: Link,
        /// Why, in words.
        why: String,
    },
}

impl Asked {
    /// The recording.
    pub(super) fn link(&self) -> Option<&Link> {
        match self {
            Self::Nothing => None,
            Self::Opening(link) | Self::Missing { link, .. } => Some(link),
        }
    }
}
