//! Opens and plays a recording. Its packets take the same path as live ones.

mod copy;
mod errand;
mod import;
mod link;
mod player;
mod reference;
mod source;

use std::rc::Rc;

use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry};
use trailbrake_shared::model::Car;
use trailbrake_shared::recording::{
    OpenError, Opening, Reading, Recording, RecordingId, Scan, SessionSummary,
};
use trailbrake_shared::session::{Bests, LapId, RecalledSession, Session};
use trailbrake_shared::time::Micros;

use crate::browser;

pub(crate) use errand::fetch;
pub(crate) use import::{is_ldx_of, recording_file};
pub(crate) use link::{LapName, Link, Place};
pub(crate) use player::{Jump, Player, SPEEDS};
pub(crate) use source::{Source, Trouble};

use reference::ReferenceLap;

/// A recording that plays.
pub(crate) struct Replay {
    pub(crate) player: Player,
    contents: Contents,
    source: Rc<Source>,
    /// How many bytes it took to open it.
    opened_with: u64,
    /// Whether something is being fetched: one thing at a time.
    busy: bool,
    /// Whether the file's end is another than it was when it was opened.
    changed: bool,
    /// When it was looked at last how far it is, in milliseconds of the page.
    looked_at_ms: f64,
    /// Before then nothing is fetched: it was in vain.
    rests_until_ms: f64,
    /// Why nothing comes at present.
    trouble: Option<String>,
    /// The lap to compare with, where that is not among the packets that are decoded.
    reference: Option<ReferenceLap>,
}

/// What is known of a recording without its packets, read once.
#[derive(Default)]
struct Contents {
    catalogue: LapCatalogue,
    driver: Option<Car>,
    bests: Bests,
}

/// A recording, and where its bytes are.
pub(crate) struct Opened {
    pub(crate) recording: Recording,
    pub(crate) source: Rc<Source>,
}

impl Opened {
    /// Opens one of the relay's recordings without playing it.
    pub(crate) async fn at_relay(id: RecordingId) -> Result<Self, String> {
        Self::open(Source::at_relay(id).await.map_err(Trouble::words)?).await
    }

    /// Opens the recording that the relay is writing.
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
}

/// Why nothing was opened.
pub(crate) enum Refused {
    /// The user did not want to wait.
    Cancelled,
    /// In a driver's words.
    Because(String),
}

impl Replay {
    /// Opens a recording: only its index is read. Where it has none all of it is searched for what is whole, as long as
    /// `go_on`, told how much has been searched, says so; the second of what comes back is what a driver should know
    /// about that.
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
                    if !go_on(&name, scan.progress()) {
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

    /// The recording's name for ever.
    pub(crate) fn id(&self) -> RecordingId {
        self.player.recording().info().id
    }

    /// The recording as it is now, for another reader.
    pub(crate) fn opened(&self) -> Opened {
        Opened { recording: self.player.recording().clone(), source: Rc::clone(&self.source) }
    }

    /// Whether a link that names a recording means it: its own name, or that of the one that it was cut out of.
    pub(crate) fn answers_to(&self, id: RecordingId) -> bool {
        self.id() == id || self.player.recording().info().parent == Some(id)
    }

    /// The file's name.
    pub(crate) fn name(&self) -> String {
        self.source.name()
    }

    /// The address of a place in it.
    pub(crate) fn link(&self, place: Option<Place>) -> Link {
        Link { id: self.id(), file: Some(self.source.name()), place }
    }

    /// How many bytes were read to open it, and how many until now.
    pub(crate) fn bytes_read(&self) -> (u64, u64) {
        (self.opened_with, self.source.read())
    }

    /// How many blocks of packets were unpacked so far.
    pub(crate) fn blocks(&self) -> u64 {
        self.player.blocks() + self.reference.as_ref().map_or(0, ReferenceLap::blocks)
    }

    /// Why nothing comes at present, in words.
    pub(crate) fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// The driver's car, where the game names a driver, else the first one that drove a lap.
    pub(crate) fn driver(&self) -> Option<Car> {
        self.contents.driver
    }

    /// The fastest of all laps and sectors in it.
    pub(crate) fn bests(&self) -> &Bests {
        &self.contents.bests
    }

    /// How many laps there are in it.
    pub(crate) fn lap_count(&self) -> usize {
        self.contents.catalogue.laps().len()
    }

    /// The laps, in a car, of the driver who has it at the moment that is played: all of them, whatever has been played.
    pub(crate) fn laps(&self, car: Option<Car>) -> impl Iterator<Item = &LapEntry> {
        self.contents.laps(car, self.player.position())
    }

    /// The address of a lap's beginning.
    pub(crate) fn lap_link(&self, id: LapId) -> Link {
        self.link(Some(Place::Lap(LapName::of(id, self.driver()))))
    }

    /// The address of the lap of a car that is played now.
    pub(crate) fn link_here(&self, car: Option<Car>) -> Option<String> {
        let at = self.player.position();
        let entry = self.laps(car.or(self.driver())).find(|entry| entry.was_under_way(at))?;
        Some(self.lap_link(entry.id).to_string())
    }

    /// The moment of a place in it; `None` when it has no such lap.
    pub(crate) fn moment(&self, place: Place) -> Option<Micros> {
        match place {
            Place::At(seconds) => Some(self.player.time().start.plus_seconds(seconds)),
            Place::Lap(LapName { car, session, serial }) => {
                let id = LapId { session, car: car.or(self.driver())?, serial };
                began(self.contents.catalogue.get(id)?)
            }
        }
    }

    /// Where it is.
    pub(crate) fn place(&self) -> Place {
        Place::At(self.player.position().seconds_since(self.player.time().start))
    }

    /// What is known of the session before the packets that are decoded after a jump; `before` is what was decoded until
    /// then.
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

    /// Gives the session that plays the lap to compare with, once it is there.
    pub(crate) fn hand_over_reference(&mut self, session: &mut Session) {
        if let Some(reference) = &mut self.reference {
            reference.hand_over(session);
        }
    }

    /// Goes on in the recording as it is now.
    fn extend(&mut self, recording: Recording) {
        self.contents = Contents::of(&recording);
        self.player.extend(recording, self.contents.driver, self.source.underway());
    }
}

impl Contents {
    fn of(recording: &Recording) -> Self {
        // A fact of a later version is left out: the packets can still be read.
        let summary: Option<SessionSummary> = recording.facts().get().ok().flatten();
        let catalogue = LapCatalogue::of_recording(recording);
        let first = catalogue.laps().first().map(|entry| entry.id.car);
        let driver = summary.and_then(|summary| summary.player).or(first);
        let bests = Bests::of(&mut catalogue.laps().iter().map(|entry| (entry.id.car, &entry.lap)));
        Self { catalogue, driver, bests }
    }

    /// The laps, in a car, of the driver who has it at a moment: of the last lap that was begun until then.
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
    /// Its bytes can't be had.
    Trouble(Trouble),
    /// They can, and are none that open.
    Not(OpenError),
}

/// Opens a recording by its index.
async fn open(source: &Source) -> Result<Recording, Unopened> {
    let mut opening = Opening::new(source.len());
    while let Some(range) = opening.needs() {
        opening.give(&source.bytes(range).await.map_err(Unopened::Trouble)?);
    }
    opening.finish().map_err(Unopened::Not)
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
