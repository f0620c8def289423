//! The requests of a playing recording, and the retries when the relay does not answer.

use std::ops::Range;
use std::rc::Rc;

use trailbrake_shared::recording::Recording;

use super::player::Wanted;
use super::reference::ReferenceLap;
use super::{Replay, Source, Trouble, Unopened, open};

/// The time from a failed request to the next attempt, in milliseconds.
const REST_MS: f64 = 2_000.0;
/// The interval at which a recording that is still being recorded is refreshed while playback is near its end.
const LOOK_NEAR_MS: f64 = 2_000.0;
/// Such a refresh fetches the index, so the interval is at least this many milliseconds for each byte of it.
const LOOK_MS_A_BYTE: f64 = 5e-3;
/// The interval at which it is refreshed while playback is not near its end, to list new laps.
const LOOK_FAR_MS: f64 = 30_000.0;
/// Playback is near the end from this many real seconds before it.
const NEAR_S: f64 = 10.0;

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
    Look(Box<Recording>),
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
        Errand::Look => look(source).await.map(|recording| Brought::Look(Box::new(recording))),
    }
}

/// Opens the recording as it is now.
async fn look(source: &Source) -> Result<Recording, Trouble> {
    source.renew().await?;
    open(source).await.map_err(|unopened| match unopened {
        Unopened::Trouble(trouble) => trouble,
        Unopened::Not(error) => Trouble::Gone(format!("{}: {error}.", source.name())),
    })
}

impl Replay {
    /// The next request and its source; `None` while one is pending or nothing is needed. The caller has to send it and
    /// hand the response to [`take`](Self::take).
    pub(crate) fn errand(&mut self, now_ms: f64) -> Option<(Errand, Rc<Source>)> {
        if self.busy || now_ms < self.rests_until_ms {
            return None;
        }
        let near_ms = (self.source.bytes_to_look() as f64 * LOOK_MS_A_BYTE).max(LOOK_NEAR_MS);
        let every_ms = if self.player.left_s() < NEAR_S { near_ms } else { LOOK_FAR_MS };
        let stale = self.source.underway() && now_ms - self.looked_at_ms >= every_ms;
        let errand = match self.changed || stale {
            true => Errand::Look,
            false => self.bytes_to_fetch()?,
        };
        self.busy = true;
        Some((errand, Rc::clone(&self.source)))
    }

    /// The next bytes to fetch: due packets first, then the reference lap, then packets ahead.
    fn bytes_to_fetch(&self) -> Option<Errand> {
        let reference = || self.reference.as_ref().and_then(ReferenceLap::needs).map(Errand::Reference);
        let packets = || self.player.wants().map(Errand::Packets);
        match self.player.is_behind() {
            true => packets().or_else(reference),
            false => reference().or_else(packets),
        }
    }

    /// Takes a response. Returns the reason, in a driver's words, if playback can't go on.
    pub(crate) fn take(
        &mut self,
        source: &Rc<Source>,
        brought: Result<Brought, Trouble>,
        now_ms: f64,
    ) -> Option<String> {
        if !Rc::ptr_eq(source, &self.source) {
            // The recording was closed meanwhile.
            return None;
        }
        self.busy = false;
        match brought {
            Ok(Brought::Packets(wanted, bytes)) => self.player.give(&wanted, &bytes),
            Ok(Brought::Reference(range, bytes)) => {
                if let Some(reference) = &mut self.reference {
                    reference.give(&range, &bytes);
                }
            }
            Ok(Brought::Look(recording)) if recording.continues(self.player.recording()) => {
                (self.changed, self.looked_at_ms) = (false, now_ms);
                self.extend(*recording);
            }
            Ok(Brought::Look(_)) => return Some(format!("{} was replaced by other bytes.", self.name())),
            Err(Trouble::Changed) => {
                // Only the end of a recording changes. Refresh it: the part that was read stays valid.
                self.changed = true;
                return None;
            }
            Err(Trouble::Silent(words)) => {
                self.trouble = Some(words);
                self.rests_until_ms = now_ms + REST_MS;
                return None;
            }
            Err(Trouble::Gone(words)) => return Some(words),
        }
        self.trouble = None;
        None
    }
}
