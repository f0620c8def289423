//! Opens and plays recordings. Their packets are decoded in the same way as live ones.

mod copy;
mod errand;
mod import;
mod lap;
mod link;
mod opening;
mod player;
mod reference;
mod source;

use std::rc::Rc;

use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry};
use trailbrake_shared::model::Car;
use trailbrake_shared::recording::{Recording, RecordingId, SessionSummary};
use trailbrake_shared::session::{Bests, LapId, RecalledSession, Session, choices};
use trailbrake_shared::time::Micros;

use crate::browser;

pub(crate) use errand::fetch;
pub(crate) use import::{is_ldx_of, recording_file};
pub(crate) use lap::read_lap;
pub(crate) use link::{LapName, Link, Place};
pub(crate) use opening::{Opened, Refused};
pub(crate) use player::{Jump, Player, SPEEDS};
pub(crate) use source::{Source, Trouble};

use errand::{Brought, Errand};
use opening::open_or_search;
use reference::ReferenceLap;

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

/// A playing recording.
pub(crate) struct Replay {
    pub(crate) player: Player,
    contents: Contents,
    source: Rc<Source>,
    /// The number of bytes read to open it.
    opened_with: u64,
    /// Whether a request is pending. There is only one at a time.
    busy: bool,
    /// Whether the file's end has changed since it was opened.
    changed: bool,
    /// When it was last refreshed, in milliseconds of the page.
    looked_at_ms: f64,
    /// When the next attempt after a failure may begin, in milliseconds of the page.
    rests_until_ms: f64,
    /// The current problem, in words.
    trouble: Option<String>,
    /// The reference lap, if playback began after it, so that it is decoded separately.
    reference: Option<ReferenceLap>,
}

/// The facts that the page reads once from a recording's index.
#[derive(Default)]
struct Contents {
    catalogue: LapCatalogue,
    /// See [`Replay::driver`].
    driver: Option<Car>,
    bests: Bests,
}

impl Replay {
    /// Opens a recording to play it, as [`open_or_search`] does.
    pub(crate) async fn open(
        source: Source,
        go_on: impl Fn(&str, f64) -> bool,
    ) -> Result<(Self, Option<String>), Refused> {
        let (recording, note) = open_or_search(&source, go_on).await?;
        let now_ms = browser::now_ms();
        let contents = Contents::of(&recording);
        let player = Player::new(recording, contents.driver, source.underway(), now_ms);
        let player = player
            .ok_or_else(|| Refused::Because(format!("{}: nothing was recorded in it.", source.name())))?;
        let replay = Self {
            player,
            contents,
            opened_with: source.read(),
            source: Rc::new(source),
            busy: false,
            changed: false,
            looked_at_ms: now_ms,
            rests_until_ms: now_ms,
            trouble: None,
            reference: None,
        };
        Ok((replay, note))
    }

    /// The recording's id.
    pub(crate) fn id(&self) -> RecordingId {
        self.player.recording().info().id
    }

    /// The opened recording for another reader, as on the Analyse page.
    pub(crate) fn opened(&self) -> Opened {
        Opened { recording: self.player.recording().clone(), source: Rc::clone(&self.source) }
    }

    /// Whether it plays a file opened in the browser, and another one than `source`.
    pub(crate) fn is_other_file(&self, source: &Rc<Source>) -> bool {
        !self.source.is_at_relay() && !Rc::ptr_eq(&self.source, source)
    }

    /// Whether an id is this recording's, or that of the recording that this clip was cut out of.
    pub(crate) fn answers_to(&self, id: RecordingId) -> bool {
        self.id() == id || self.player.recording().info().parent == Some(id)
    }

    /// The file's name.
    pub(crate) fn name(&self) -> String {
        self.source.name()
    }

    /// The link to a position in it, or to the recording alone.
    pub(crate) fn link(&self, place: Option<Place>) -> Link {
        Link { id: self.id(), file: Some(self.source.name()), place }
    }

    /// The number of bytes read to open it, and of those read until now.
    pub(crate) fn bytes_read(&self) -> (u64, u64) {
        (self.opened_with, self.source.read())
    }

    /// The number of blocks of packets decompressed so far.
    pub(crate) fn blocks(&self) -> u64 {
        self.player.blocks() + self.reference.as_ref().map_or(0, ReferenceLap::blocks)
    }

    /// The current problem, in words.
    pub(crate) fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// The player's car if the game sends which one it is, else the car of the first lap.
    pub(crate) fn driver(&self) -> Option<Car> {
        self.contents.driver
    }

    /// The fastest lap and sectors of all cars in it.
    pub(crate) fn bests(&self) -> &Bests {
        &self.contents.bests
    }

    /// The number of laps in it, of all cars.
    pub(crate) fn lap_count(&self) -> usize {
        self.contents.catalogue.laps().len()
    }

    /// All laps of a car's current driver, played or not.
    pub(crate) fn laps(&self, car: Option<Car>) -> impl Iterator<Item = &LapEntry> {
        self.contents.laps(car, self.player.position())
    }

    /// Like [`Self::laps`], with those of which only the game's report is known.
    pub(crate) fn listed(&self, car: Option<Car>) -> Vec<&LapEntry> {
        self.contents.catalogue.listed(self.laps(car))
    }

    /// The link to a lap's beginning.
    pub(crate) fn lap_link(&self, id: LapId) -> Link {
        self.link(Some(Place::Lap(LapName::of(id, self.driver()))))
    }

    /// The address of a car's current lap, or of the player's; `None` between laps.
    pub(crate) fn link_here(&self, car: Option<Car>) -> Option<String> {
        let at = self.player.position();
        let entry = self.laps(car.or(self.driver())).find(|entry| entry.was_under_way(at))?;
        Some(self.lap_link(entry.id).to_string())
    }

    /// The time of a position; `None` if the recording has no such lap.
    pub(crate) fn moment(&self, place: Place) -> Option<Micros> {
        match place {
            Place::At(seconds) => Some(self.player.time().start.plus_seconds(seconds)),
            Place::Lap(LapName { car, session, serial }) => {
                let id = LapId { session, car: car.or(self.driver())?, serial };
                began(self.contents.catalogue.get(id)?)
            }
        }
    }

    /// The playback position, for a link.
    pub(crate) fn place(&self) -> Place {
        Place::At(self.player.position().seconds_since(self.player.time().start))
    }

    /// The state of the session before the packets that are decoded after a jump; `None` if all packets are decoded.
    /// The driver's choices are taken from `before`, the session until the jump.
    pub(crate) fn recall(&mut self, before: Option<&Session>) -> Option<RecalledSession> {
        let known = self.reference.take();
        let mut recalled = self.player.recalled()?;
        if let Some(before) = before {
            choices::recall_choices(&mut recalled, before);
        }
        self.reference = recalled.reference().map(|row| {
            let same = known.and_then(|known| known.for_another_session(row));
            same.unwrap_or_else(|| ReferenceLap::new(self.player.recording(), row.clone()))
        });
        Some(recalled)
    }

    /// Gives the session its reference lap if that was decoded separately. Call it with each frame.
    pub(crate) fn hand_over_reference(&mut self, session: &mut Session) {
        if let Some(reference) = &mut self.reference {
            reference.hand_over(session);
        }
    }

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

    /// Continues with a later state of the recording.
    fn extend(&mut self, recording: Recording) {
        self.contents = Contents::of(&recording);
        self.player.extend(recording, self.contents.driver, self.source.underway());
    }
}

impl Contents {
    fn of(recording: &Recording) -> Self {
        // A later version's summary is ignored if it can't be read: the packets still can.
        let summary: Option<SessionSummary> = recording.facts().get().ok().flatten();
        let catalogue = LapCatalogue::of_recording(recording);
        let first = catalogue.laps().first().map(|entry| entry.id.car);
        let driver = summary.and_then(|summary| summary.player).or(first);
        let laps = catalogue.laps().iter().chain(catalogue.reported());
        let bests = Bests::of(&mut laps.map(|entry| (entry.id.car, &entry.lap)));
        Self { catalogue, driver, bests }
    }

    /// The laps of the driver who was in a car at a moment: the driver of the last lap begun by then, else of the first
    /// lap.
    fn laps(&self, car: Option<Car>, at: Micros) -> impl Iterator<Item = &LapEntry> {
        let in_car = move || self.catalogue.laps().iter().filter(move |entry| Some(entry.id.car) == car);
        let begun = in_car().rfind(|entry| began(entry).is_some_and(|began| began <= at));
        let here = begun.or_else(|| in_car().next());
        in_car().filter(move |entry| here.is_some_and(|here| here.driver == entry.driver))
    }
}

/// When the first packet of a lap was received.
fn began(entry: &LapEntry) -> Option<Micros> {
    entry.received.as_ref().map(|received| *received.start())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laps::seats::tests::catalogue;

    #[test]
    fn the_laps_in_a_car_are_those_of_its_driver_at_the_moment() {
        let catalogue = catalogue(&[(0, 3, Some("Cid"), &[80_000, 79_000]), (0, 3, Some("Bea"), &[95_000])]);
        let contents = Contents { catalogue, ..Contents::default() };
        let serials = |seconds: f64| -> Vec<u32> {
            let laps = contents.laps(Some(Car(3)), Micros(0).plus_seconds(seconds));
            laps.map(|entry| entry.id.serial).collect()
        };
        // Each lap's packets begin at a thousand seconds times its serial.
        assert_eq!(serials(0.0), [1, 2]);
        assert_eq!(serials(2_010.0), [1, 2]);
        assert_eq!(serials(3_010.0), [3]);
        assert_eq!(contents.laps(Some(Car(4)), Micros(0)).count(), 0);
    }
}
