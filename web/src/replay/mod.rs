//! A recording that is opened and played: its packets take the same way as those that come live.

mod copy;
mod errand;
mod link;
mod player;
mod source;

use std::rc::Rc;

use trailbrake_shared::model::Car;
use trailbrake_shared::recording::{LapRow, OpenError, Opening, Reading, Recording, RecordingId, Scan, Told};
use trailbrake_shared::session::Bests;
use trailbrake_shared::time::Micros;

use crate::browser;

pub(crate) use errand::run_errands;
pub(crate) use link::{LapName, Link, Place};
pub(crate) use player::{Jump, Player, SPEEDS};
pub(crate) use source::{Source, Trouble};

/// A recording that plays.
pub(crate) struct Replay {
    pub(crate) player: Player,
    told: Known,
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
}

/// What a recording tells of itself, read once.
#[derive(Default)]
struct Known {
    driver: Option<Car>,
    bests: Bests,
}

/// A recording, and where its bytes are.
pub(crate) struct Opened {
    pub(crate) recording: Recording,
    pub(crate) source: Rc<Source>,
}

impl Opened {
    /// Opens a recording that the relay has, to be read besides; why not, in words.
    pub(crate) async fn at_relay(id: RecordingId) -> Result<Self, String> {
        let source = Source::at_relay(id).await.map_err(Trouble::words)?;
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
        let told = Known::of(&recording);
        let player = Player::new(recording, told.driver, source.underway(), now_ms);
        let player = player.ok_or_else(|| because("nothing was recorded in it".to_owned()))?;
        let replay = Self {
            player,
            told,
            opened_with: source.read(),
            source: Rc::new(source),
            busy: false,
            changed: false,
            looked_at_ms: now_ms,
            rests_until_ms: now_ms,
            trouble: None,
        };
        Ok((replay, note))
    }

    /// The recording's name for ever.
    pub(crate) fn id(&self) -> RecordingId {
        self.player.recording().info().id
    }

    /// The recording as it is now, to be read besides.
    pub(crate) fn opened(&self) -> Opened {
        Opened { recording: self.player.recording().clone(), source: Rc::clone(&self.source) }
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

    /// Why nothing comes at present, in words.
    pub(crate) fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// The driver's car, where the game names a driver, else the first one that drove a lap.
    pub(crate) fn driver(&self) -> Option<Car> {
        self.told.driver
    }

    /// The fastest of all laps and sectors in it.
    pub(crate) fn bests(&self) -> &Bests {
        &self.told.bests
    }

    /// The laps of a car, as the recording lists them: all of them, whatever has been played.
    pub(crate) fn laps(&self, car: Option<Car>) -> impl Iterator<Item = &LapRow> {
        self.player.recording().laps().laps.iter().filter(move |row| Some(row.car) == car)
    }

    /// The address of a lap's beginning.
    pub(crate) fn lap_link(&self, row: &LapRow) -> Link {
        self.link(Some(Place::Lap(LapName::of(row, self.driver()))))
    }

    /// The address of the lap of a car that is played now.
    pub(crate) fn link_here(&self, car: Option<Car>) -> Option<String> {
        let at = self.player.position();
        let row = self.laps(car.or(self.driver())).find(|row| row.from <= at && at < row.to)?;
        Some(self.lap_link(row).to_string())
    }

    /// The moment of a place in it; `None` when it has no such lap.
    pub(crate) fn moment(&self, place: Place) -> Option<Micros> {
        match place {
            Place::At(seconds) => Some(self.player.time().start.plus_seconds(seconds)),
            Place::Lap(name) => {
                let mut rows = self.laps(name.car.or(self.driver()));
                rows.find(|row| row.session == name.session && row.lap.serial == name.serial)
                    .map(|row| row.from)
            }
        }
    }

    /// Where it is.
    pub(crate) fn place(&self) -> Place {
        Place::At(self.player.position().seconds_since(self.player.time().start))
    }

    /// Goes on in the recording as it is now.
    fn extend(&mut self, recording: Recording) {
        self.told = Known::of(&recording);
        self.player.extend(recording, self.told.driver, self.source.underway());
    }
}

impl Known {
    fn of(recording: &Recording) -> Self {
        // What a later version told is left out: the packets can still be read.
        let told: Option<Told> = recording.facts().get().ok().flatten();
        let rows = &recording.laps().laps;
        let first = rows.first().map(|row| row.car);
        let driver = told.and_then(|told| told.player).or(first);
        Self { driver, bests: Bests::of(&mut rows.iter().map(|row| (row.car, &row.lap))) }
    }
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
