//! Opens and plays recordings. Their packets are decoded in the same way as live ones.

mod contents;
mod copy;
mod errand;
mod import;
mod lap;
mod link;
mod opening;
mod part;
mod player;
mod reference;
mod source;
mod unknown_table;

use std::rc::Rc;

use trailbrake_shared::analysis::KnownTrack;
use trailbrake_shared::lap_catalogue::LapEntry;
use trailbrake_shared::model::Car;
use trailbrake_shared::recording::{Recording, RecordingId};
use trailbrake_shared::session::{Bests, LapId, RecalledSession, Session, choices};
use trailbrake_shared::time::Micros;

use crate::browser;

pub(crate) use errand::fetch;
pub(crate) use import::{is_ldx_of, recording_file};
pub(crate) use lap::read_lap;
pub(crate) use link::{LapName, Link, Place};
pub(crate) use opening::{Opened, Refused};
pub(crate) use part::{GoOn, file_to_open, load, open_underway, recorded_lap};
pub(crate) use player::{Jump, Player, SPEEDS};
pub(crate) use source::{Source, Trouble};
pub(crate) use unknown_table::{ImportChoice, TableChoice, UnknownTable};

use contents::{Contents, began};
use errand::{Brought, Errand};
use part::open_to_play;
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

impl Replay {
    /// Opens a recording to play it. Returns a note for the driver, too, if it had to be searched.
    pub(crate) async fn open(source: Source, go_on: &GoOn) -> Result<(Self, Option<String>), Refused> {
        let (recording, contents, note) = open_to_play(&source, go_on).await?;
        let now_ms = browser::now_ms();
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

    /// The name and the corners of its track, as far as they are known.
    pub(crate) fn track(&self) -> Option<&KnownTrack> {
        self.contents.track.as_ref()
    }

    /// Whether it holds notes.
    pub(crate) fn has_notes(&self) -> bool {
        self.contents.has_notes
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
            Ok(Brought::Look(now)) if now.0.continues(self.player.recording()) => {
                (self.changed, self.looked_at_ms) = (false, now_ms);
                self.extend(now.0, now.1);
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
    fn extend(&mut self, recording: Recording, contents: Contents) {
        self.contents = contents;
        self.player.extend(recording, self.contents.driver, self.source.underway());
    }
}
