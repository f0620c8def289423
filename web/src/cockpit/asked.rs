//! The recording that the address names.

use crate::replay::Link;

/// The state of the recording in the address, until it plays.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Asked {
    /// The address names no recording, or the recording plays.
    Nothing,
    /// The recording is being opened.
    Opening(Link),
    /// The recording is not available.
    Missing {
        /// Its id and file name in the address.
        link: Link,
        /// The reason.
        why: String,
    },
}

impl Asked {
    /// The link in the address, while its recording does not play.
    pub(super) fn link(&self) -> Option<&Link> {
        match self {
            Self::Nothing => None,
            Self::Opening(link) | Self::Missing { link, .. } => Some(link),
        }
    }
}
