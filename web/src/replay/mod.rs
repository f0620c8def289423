//! Opens and plays recordings. Their packets are decoded in the same way as live ones.

mod copy;
mod errand;
mod import;
mod lap;
mod link;
mod player;
mod reference;
mod source;

use std::ops::Range;
use std::rc::Rc;

use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry};
use trailbrake_shared::model::Car;
use trailbrake_shared::recording::{
    OpenError, Opening, Reading, Recording, RecordingId, Reindexer, Scan, SessionSummary,
};
use trailbrake_shared::session::{Bests, LapId, RecalledSession, Session};
use trailbrake_shared::time::Micros;

use crate::browser;

pub(crate) use errand::fetch;
pub(crate) use import::{is_ldx_of, recording_file};
pub(crate) use lap::read_lap;
pub(crate) use link::{LapName, Link, Place};
pub(crate) use player::{Jump, Player, SPEEDS};
pub(crate) use source::{Source, Trouble};

use reference::ReferenceLap;

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

/// How often opening or reading a file starts again because the file has changed.
const MOST_CHANGES: usize = 8;

/// The facts that the page reads once from a recording's index.
#[derive(Default)]
struct Contents {
    catalogue: LapCatalogue,
    /// See [`Replay::driver`].
    driver: Option<Car>,
    bests: Bests,
}

/// A recording and its source.
pub(crate) struct Opened {
    pub(crate) recording: Recording,
    pub(crate) source: Rc<Source>,
}

impl Opened {
    /// Opens a file without playing it.
    pub(crate) async fn of_file(file: web_sys::File) -> Result<Self, String> {
        let Self { recording, source } = Self::open(Source::of_file(file)).await?;
        let recording = relearned(recording, &source, |_, _| true).await.map_err(Trouble::words)?;
        let recording = recording.ok_or_else(|| format!("{} was not read to its end.", source.name()))?;
        Ok(Self { recording, source })
    }

    /// Opens one of the relay's recordings without playing it.
    pub(crate) async fn at_relay(id: RecordingId) -> Result<Self, String> {
        Self::open(Source::at_relay(id).await.map_err(Trouble::words)?).await
    }

    /// Opens a recording that the relay is still recording.
    pub(crate) async fn underway_now(id: RecordingId) -> Result<Self, String> {
        Self::open(Source::underway_now(id).await.map_err(Trouble::words)?).await
    }

    async fn open(source: Source) -> Result<Self, String> {
        match open(&source).await {
            Ok(recording) => Ok(Self { recording, source: Rc::new(source) }),
            Err(Unopened::Not(error)) => Err(format!("{}: {error}.", source.name())),
            Err(Unopened::Trouble(trouble)) => Err(trouble.words()),
        }
    }

    /// The bytes of a range of packets. If the file has changed, it is opened again: notes and names are written behind
    /// the packets, which usually stay the same. Fails with [`Trouble::Changed`] if they did not.
    pub(crate) async fn bytes(&self, range: Range<u64>) -> Result<Vec<u8>, Trouble> {
        for _ in 0..MOST_CHANGES {
            match self.source.bytes(range.clone()).await {
                Err(Trouble::Changed) => {}
                result => return result,
            }
            self.source.renew().await?;
            match open(&self.source).await {
                Ok(now) if now.continues(&self.recording) => {}
                Err(Unopened::Trouble(trouble)) => return Err(trouble),
                Ok(_) | Err(Unopened::Not(_)) => break,
            }
        }
        Err(Trouble::Changed)
    }
}

/// Why no recording was opened.
pub(crate) enum Refused {
    /// The user cancelled.
    Cancelled,
    /// The reason, in a driver's words.
    Because(String),
}

impl Replay {
    /// Opens a recording by its index. Without an index the whole file is searched, and a note for the driver is
    /// returned too. A file that another version wrote is read to its end as well, since it may lack what this version
    /// knows. Both call `go_on` with the file's name and the progress from 0 to 1, and are cancelled if it returns false.
    pub(crate) async fn open(
        source: Source,
        go_on: impl Fn(&str, f64) -> bool,
    ) -> Result<(Self, Option<String>), Refused> {
        let name = source.name();
        let because = |words: String| Refused::Because(format!("{name}: {words}."));
        let (recording, note) = match open(&source).await {
            Ok(recording) => (recording, None),
            Err(Unopened::Not(OpenError::NoIndex)) => {
                let mut scan = Scan::new(source.len());
                while let Some(range) = scan.needs() {
                    if !go_on(&name, scan.progress() / 2.0) {
                        return Err(Refused::Cancelled);
                    }
                    let bytes = source.bytes(range).await;
                    scan.give(&bytes.map_err(|trouble| Refused::Because(trouble.words()))?);
                }
                let found = scan.finish().map_err(|error| because(error.to_string()))?;
                let note = match found.damaged {
                    0 => format!("{name} was not finished. Everything up to its end plays."),
                    1 => format!("{name} was not finished, or is damaged in one place. What is whole plays."),
                    count => format!("{name} is damaged in {count} places. What is whole plays."),
                };
                (found.recording, Some(note))
            }
            Err(Unopened::Not(error)) => return Err(because(error.to_string())),
            Err(Unopened::Trouble(trouble)) => return Err(Refused::Because(trouble.words())),
        };
        let relearned = match source.is_at_relay() {
            // The relay renews what is in its library by itself.
            true => Some(recording),
            false => {
                // A file that was searched is read for the second time.
                let before = if note.is_some() { 0.5 } else { 0.0 };
                let reached = |name: &str, share: f64| go_on(name, before + share * (1.0 - before));
                let relearned = relearned(recording, &source, reached).await;
                relearned.map_err(|trouble| Refused::Because(trouble.words()))?
            }
        };
        let recording = relearned.ok_or(Refused::Cancelled)?;
        let now_ms = browser::now_ms();
        let contents = Contents::of(&recording);
        let player = Player::new(recording, contents.driver, source.underway(), now_ms);
        let player = player.ok_or_else(|| because("nothing was recorded in it".to_owned()))?;
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
            recalled.take_choices(before);
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

/// Why a recording is not open.
enum Unopened {
    /// The bytes are not available.
    Trouble(Trouble),
    /// The bytes are not a recording that can be opened.
    Not(OpenError),
}

/// Opens a recording by its index.
async fn open(source: &Source) -> Result<Recording, Unopened> {
    let mut changes = 0;
    loop {
        match open_once(source).await {
            // The file has changed meanwhile, as by a new note.
            Err(Unopened::Trouble(Trouble::Changed)) if changes < MOST_CHANGES => {
                changes += 1;
                source.renew().await.map_err(Unopened::Trouble)?;
            }
            result => return result,
        }
    }
}

async fn open_once(source: &Source) -> Result<Recording, Unopened> {
    let mut opening = Opening::new(source.len());
    while let Some(range) = opening.needs() {
        opening.give(&source.bytes(range).await.map_err(Unopened::Trouble)?);
    }
    opening.finish().map_err(Unopened::Not)
}

/// The recording as this version understands it: if another one listed its laps, its packets are read again. They may
/// name what was unknown then, such as the track. `None` if `go_on` returned false.
async fn relearned(
    recording: Recording,
    source: &Source,
    go_on: impl Fn(&str, f64) -> bool,
) -> Result<Option<Recording>, Trouble> {
    if !recording.laps_are_outdated() {
        return Ok(Some(recording));
    }
    let name = source.name();
    let mut reading = Reindexer::new(&recording);
    while let Some(range) = reading.needs() {
        if !go_on(&name, reading.progress()) {
            return Ok(None);
        }
        reading.give(&source.bytes(range).await?);
    }
    Ok(Some(recording.with_facts(reading.finish())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seats::tests::catalogue;

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
