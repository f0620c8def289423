//! The recording that the address names.

use crate::replay::Link;

/// The state of the recording in the address, until it plays.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Asked {
    /// There is none, or it plays.
    Nothing,
    /// It is being looked up.
    Opening(Link),
    /// It is not available.
    Missing {
        /// Its id and file name in the address.
        link: Link,
        /// The reason.
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
