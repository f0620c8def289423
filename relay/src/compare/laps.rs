//! The laps of a file that are compared, decoded: of a recording those alone, of other files everything.

use std::io::Write;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, anyhow};
use trailbrake_shared::analysis::{Combo, LapColumns, TrackBook};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::{Car, Columns, Track};
use trailbrake_shared::recording::{Follower, Info, LapRow, Recording, Told};
use trailbrake_shared::session::{Archive, ArchivedSession, ArchivedSource};
use trailbrake_shared::time::Micros;

use super::meant::{self, Wanted};
use crate::file::{self, Packets};
use crate::options::{BookPlace, Cutting};
use crate::tracks;

/// No more laps of a stint than this are looked at besides the one that is asked for.
const MOST_OTHERS: usize = 12;

/// A lap with its channels, taken out of its file.
pub(crate) struct Found {
    pub(crate) lap: Lap,
    pub(crate) columns: Columns,
    pub(crate) driver: String,
    /// Whether that is a name, and not made up of the car's number.
    pub(crate) is_named: bool,
    pub(crate) about: Rc<About>,
    /// What was driven, where the game tells it of this car.
    pub(crate) car: Option<String>,
    /// When it began, where the file tells.
    pub(crate) began: Option<Micros>,
    /// All laps of the same car in the session.
    pub(crate) session: Vec<Lap>,
    /// What the track is called.
    pub(crate) track: Option<String>,
    /// What tells it from every other lap of its file.
    pub(crate) key: Key,
}

/// What is known of the session that a lap belongs to.
#[derive(Debug, Default)]
pub(crate) struct About {
    /// The game.
    pub(crate) game: String,
    /// The track as its game tells it.
    track: Option<Track>,
    /// What the driver called the track on the live page, where the game has no name for it.
    print: Option<String>,
    /// What the player drives, where the game tells.
    car: Option<String>,
}

/// What tells a lap from the others of its file: session, car and serial.
pub(crate) type Key = (usize, Car, u32);

/// The laps of a file.
pub(crate) struct Laps {
    source: Source,
    /// Every lap, in the order of sessions.
    rows: Vec<Row>,
    name: String,
    /// What people call tracks and corners: here, and in the file.
    book: TrackBook,
}

/// Where the laps' channels come from.
enum Source {
    /// A recording, of which one lap after the other is decoded.
    Recording(Packets),
    /// A file that was decoded to its end.
    Archive(Archive),
}

/// One lap of the file.
#[derive(Clone)]
pub(super) struct Row {
    /// Counted from 0.
    pub(super) session: usize,
    pub(super) car: Car,
    /// Whether it is the player's, or of the only car that is watched.
    pub(super) player: bool,
    driver: String,
    is_named: bool,
    about: Rc<About>,
    pub(super) lap: Lap,
    began: Option<Micros>,
    /// The row of the recording's table.
    recorded: Option<LapRow>,
}

impl Laps {
    /// Looks which laps a file has.
    pub(crate) fn open(
        path: &Path,
        book: &BookPlace,
        cutting: &Cutting,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let packets = file::open(path, cutting)?;
        let mut book = tracks::book(book, notes);
        let known = packets.recording().and_then(|recording| recording.facts().get().ok().flatten());
        known.into_iter().for_each(|known| book.learn(known));
        let recorded = packets.recording().filter(|recording| !recording.laps_are_outdated());
        if let Some(rows) = recorded.map(recorded_rows) {
            if rows.is_empty() {
                return Err(file::without_laps(path, None));
            }
            return Ok(Self { source: Source::Recording(packets), rows, name, book });
        }
        let archive = file::decoded(packets, notes)?;
        let of_source = |source| ArchivedSource::sessions(source).map(move |archived| (source, archived));
        let sessions = archive.sources().iter().flat_map(of_source);
        let rows = sessions
            .enumerate()
            .flat_map(|(session, (source, archived))| archived_rows(session, source.origin.feed, archived));
        let rows: Vec<Row> = rows.collect();
        if rows.is_empty() {
            return Err(file::without_laps(path, Some(&archive)));
        }
        Ok(Self { rows, source: Source::Archive(archive), name, book })
    }

    /// What people call tracks and corners.
    pub(crate) fn book(&self) -> &TrackBook {
        &self.book
    }

    /// The lap that is looked for, in the last session that has it finished.
    pub(crate) fn find(&mut self, wanted: &Wanted, notes: &mut dyn Write) -> anyhow::Result<Found> {
        self.find_beside(None, wanted, notes)
    }

    /// The lap that another one of this file is to be laid beside: of its session and of its run, where there are several.
    pub(crate) fn find_beside(
        &mut self,
        lap: Option<&Found>,
        wanted: &Wanted,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Found> {
        let beside = lap.map(|lap| meant::Beside { key: lap.key, run: lap.lap.run });
        let Some(row) = meant::choose(&self.rows, wanted, beside).cloned() else {
            return Err(anyhow!(meant::why_none(&self.rows, wanted, &self.name)));
        };
        if let Some(note) = meant::note_of_runs(&self.rows, wanted, &row) {
            writeln!(notes, "{note}")?;
        }
        let (number, name) = (row.lap.number, &self.name);
        let nothing = format!("{name}: of lap {number} no channels were sent, only what is known of it");
        self.taken(&row)?.with_context(|| nothing)
    }

    /// The best lap to lay a lap of this file beside, which is never that lap itself, and which one that is in words.
    pub(crate) fn best_beside(
        &mut self,
        lap: &Found,
        car: Option<Car>,
    ) -> anyhow::Result<(Found, &'static str)> {
        let (session, own_car, _) = lap.key;
        let is_of = |row: &&Row| car.is_none_or(|car| row.car == car);
        let others = self.rows.iter().filter(|row| row.lap.counts().is_some() && row.key() != lap.key);
        let near = |row: &Row| match (row.session == session, row.car == own_car) {
            (true, true) => Some(Nearness::Car),
            (true, false) => Some(Nearness::Session),
            (false, _) if car.is_none() && !row.player => None,
            (false, _) => {
                (row.about.track.is_some() && row.about.track == lap.about.track).then_some(Nearness::Track)
            }
        };
        let ranked = others.filter(is_of).filter_map(|row| Some((near(row)?, row)));
        let best =
            ranked.min_by_key(|(near, row)| (*near, row.lap.time)).map(|(near, row)| (near, row.clone()));
        let found = match best {
            Some((near, row)) => self.taken(&row)?.map(|found| (found, near.words())),
            None => None,
        };
        found.with_context(|| {
            format!(
                "there is no other lap that counts to lay lap {} beside: name one with --reference, or a file with \
                 --reference-file",
                lap.lap.number
            )
        })
    }

    /// Other whole laps of the same car and stint, those driven last.
    pub(crate) fn others(&mut self, than: &Found) -> anyhow::Result<Vec<Found>> {
        let Some(own) = self.rows.iter().find(|row| row.key() == than.key).cloned() else {
            return Ok(Vec::new());
        };
        let beside = |row: &&Row| {
            let stint = row.session == own.session && row.car == own.car && row.lap.stint == own.lap.stint;
            stint && row.lap.serial != own.lap.serial && row.lap.counts().is_some()
        };
        let others: Vec<Row> = self.rows.iter().filter(beside).rev().take(MOST_OTHERS).cloned().collect();
        let mut found = Vec::new();
        for other in others {
            found.extend(self.taken(&other)?);
        }
        Ok(found)
    }

    /// A lap with its channels; `None` where they are not to be had.
    fn taken(&mut self, row: &Row) -> anyhow::Result<Option<Found>> {
        let (lap, columns) = match (&mut self.source, &row.recorded) {
            (Source::Recording(packets), Some(recorded)) => match packets.lap(recorded)? {
                // What is said of the lap is said by the whole session, of which its packets are a part.
                Some(decoded) => {
                    let mut lap = row.lap.clone();
                    lap.began_s = decoded.lap.began_s;
                    (lap, decoded.columns)
                }
                None => return Ok(None),
            },
            (Source::Archive(archive), _) => {
                let mut sessions = archive.sources().iter().flat_map(ArchivedSource::sessions);
                let state = sessions.nth(row.session).and_then(|archived| archived.session.car(row.car));
                let columns = state.and_then(|state| state.traces.lap(row.lap.serial));
                let Some(columns) = columns.filter(|columns| !columns.is_empty()) else { return Ok(None) };
                (row.lap.clone(), columns.clone())
            }
            (Source::Recording(_), None) => return Ok(None),
        };
        let About { track, print, .. } = row.about.as_ref();
        let track = tracks::title(track.as_ref(), &self.book, &LapColumns::new(&lap, &columns));
        let beside = |other: &&Row| other.session == row.session && other.car == row.car;
        Ok(Some(Found {
            key: row.key(),
            track: track.or_else(|| print.clone()),
            lap,
            columns,
            driver: row.driver.clone(),
            is_named: row.is_named,
            car: row.about.car.clone().filter(|_| row.player),
            about: Rc::clone(&row.about),
            began: row.began,
            session: self.rows.iter().filter(beside).map(|other| other.lap.clone()).collect(),
        }))
    }
}

/// How near another lap is to the one that it is laid beside, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    Car,
    Session,
    Track,
}

impl Nearness {
    fn words(self) -> &'static str {
        match self {
            Self::Car => "the best other lap of the same car",
            Self::Session => "the best lap of the session's other cars",
            Self::Track => "the best lap of the file's other sessions on this track",
        }
    }
}

impl Row {
    pub(super) fn key(&self) -> Key {
        (self.session, self.car, self.lap.serial)
    }
}

impl Found {
    /// Track and car, as far as they are told.
    pub(crate) fn combo(&self) -> Combo {
        let game = Some(self.about.game.clone()).filter(|game| !game.is_empty());
        Combo { game, track: self.track.clone(), car: self.car.clone() }
    }

    /// Whether it is a lap of the same car in the same session of the same file.
    pub(super) fn is_of_seat(&self, other: &Self) -> bool {
        let ((session, car, _), (other_session, other_car, _)) = (self.key, other.key);
        (session, car) == (other_session, other_car)
    }

    /// Its run, counted from 1, where the session was begun anew.
    pub(crate) fn run(&self) -> Option<u32> {
        meant::run(&self.lap, &self.session)
    }
}

/// The laps of a session that was decoded.
fn archived_rows(session: usize, feed: Feed, archived: &ArchivedSession) -> Vec<Row> {
    let known = &archived.session;
    let player = known.player().or(known.watched());
    let told = Follower::told(known);
    let about = Rc::new(About::of(&told, Some(feed)));
    let mut rows = Vec::new();
    for (car, state) in known.cars() {
        let laps = state.laps.finished().iter().chain(state.laps.current());
        rows.extend(laps.map(|lap| Row {
            session,
            car,
            player: player == Some(car),
            driver: known.name(car),
            is_named: name(&told, car).is_some(),
            about: Rc::clone(&about),
            lap: lap.clone(),
            began: archived.received(car, lap.serial).map(|span| *span.start()).filter(is_a_date),
            recorded: None,
        }));
    }
    rows
}

/// The laps of a recording, by its table.
fn recorded_rows(recording: &Recording) -> Vec<Row> {
    let told: Told = recording.facts().get().ok().flatten().unwrap_or_default();
    let info: Option<Info> = recording.facts().get().ok().flatten();
    let table = &recording.laps().laps;
    // Where the game names no player there is one car.
    let player = told.player.or_else(|| table.first().map(|row| row.car));
    let about = Rc::new(About::of(&told, info.and_then(|info| Feed::from_id(&info.feed))));
    let row = |row: &LapRow| Row {
        session: usize::from(row.session),
        car: row.car,
        player: player == Some(row.car),
        driver: name(&told, row.car)
            .map_or_else(|| format!("Car {}", u16::from(row.car.0) + 1), str::to_owned),
        is_named: name(&told, row.car).is_some(),
        about: Rc::clone(&about),
        lap: row.lap.clone(),
        began: Some(row.from).filter(is_a_date),
        recorded: Some(row.clone()),
    };
    table.iter().map(row).collect()
}

/// What the game calls whoever drives a car.
fn name(told: &Told, car: Car) -> Option<&str> {
    let named = told.participants.iter().find(|one| one.car == car).map(|one| one.name.trim());
    named.filter(|name| !name.is_empty())
}

impl About {
    fn of(told: &Told, feed: Option<Feed>) -> Self {
        let game = told.game.clone().or(feed.map(|feed| feed.info().game.to_owned()));
        let is_id = told.vehicle.as_ref().and_then(|car| car.id.as_deref()) == told.car_word();
        let car = told.car_word().map(|word| if is_id { format!("Car {word}") } else { word.to_owned() });
        let track = told.info.as_ref().and_then(|info| info.track.clone());
        let print = told.track.as_ref().map(|print| print.name.clone()).filter(|name| !name.is_empty());
        Self { game: game.unwrap_or_default(), track, print, car }
    }
}

/// Bare packets have no times, and are given some that begin with 1970.
fn is_a_date(moment: &Micros) -> bool {
    const FIRST_PACKETS_US: u64 = 946_684_800_000_000;
    moment.0 >= FIRST_PACKETS_US
}
