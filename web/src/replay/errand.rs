//! The requests of a playing recording.

use std::ops::Range;

use trailbrake_shared::recording::Recording;

use super::contents::Contents;
use super::part::look;
use super::player::Wanted;
use super::source::{Source, Trouble};

/// A request.
pub(crate) enum Errand {
    /// Packets that are due soon.
    Packets(Wanted),
    /// The bytes of a range with packets of the reference lap.
    Reference(Range<u64>),
    /// The recording's current length and index.
    Look,
}

/// The response to an [`Errand`].
pub(crate) enum Brought {
    Packets(Wanted, Vec<u8>),
    Reference(Range<u64>, Vec<u8>),
    Look(Box<(Recording, Contents)>),
}

/// Sends a request and awaits its response.
pub(crate) async fn fetch(source: &Source, errand: Errand) -> Result<Brought, Trouble> {
    match errand {
        Errand::Packets(wanted) => {
            let bytes = source.bytes(wanted.range.clone()).await?;
            Ok(Brought::Packets(wanted, bytes))
        }
        Errand::Reference(range) => {
            let bytes = source.bytes(range.clone()).await?;
            Ok(Brought::Reference(range, bytes))
        }
        Errand::Look => look(source).await.map(|now| Brought::Look(Box::new(now))),
    }
}
