//! Where laps come from: the session that is driven, or a recording.

use std::rc::Rc;

use trailbrake_shared::analysis::Combo;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::{Car, SessionKind, Track};
use trailbrake_shared::recording::{
    DecodedLap, Entry, LapRow, Reading, RecordingId, Told, car_word, track_title,
};
use trailbrake_shared::session::{Besides, Session};
use trailbrake_shared::time::Micros;

use super::Key;
use crate::browser;
use crate::cockpit::Cockpit;
use crate::library::{date, game};
use crate::replay::{Opened, Trouble};

/// By what an origin is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// What is driven now, or the demo.
    Live,
    /// A recording.
    Recording(RecordingId),
}

/// Laps that can be had.
pub(crate) struct Origin {
    pub(crate) name: Name,
    /// Where they were driven, or the file.
    pub(crate) title: String,
    /// In what game, by whom, and when.
    pub(crate) about: String,
    /// No more than when.
    pub(crate) when: String,
    /// Whether the game itself has a name for the track.
    pub(crate) named: bool,
    /// Whether each is a run of a rally stage.
    pub(crate) stage: bool,
    /// The driver's car, where the game names a driver.
    pub(crate) driver: Option<Car>,
    /// Whose laps there are: of each session the driver's first, and then the others' by their names.
    pub(crate) seats: Vec<Seat>,
    /// The place of the seat whose laps are listed.
    pub(crate) seat: usize,
    /// Whether somebody picked it.
    pub(crate) picked: bool,
    /// The laps of all seats.
    pub(crate) laps: Vec<Known>,
    /// The recording; what is driven now is asked of the session.
    pub(crate) opened: Option<Rc<Opened>>,
}

/// One car in one session.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seat {
    /// Which of a recording's sessions, counted from 0.
    pub(crate) session: u16,
    pub(crate) car: Car,
    /// Who drives it.
    pub(crate) driver: String,
    /// With what, and where.
    pub(crate) combo: Rc<Combo>,
    /// How many laps there are.
    pub(crate) laps: usize,
    /// When the first of them began, in a recording.
    pub(crate) began: Option<Micros>,
}

/// A lap, before it is decoded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Known {
    pub(crate) key: Key,
    pub(crate) lap: Lap,
    /// With what it was driven, and where.
    pub(crate) combo: Rc<Combo>,
    /// The row of the recording's table.
    pub(crate) row: Option<LapRow>,
}

impl Origin {
    /// What a session knows of its cars; `None` before one has driven a lap.
    pub(crate) fn of_session(session: &Session, game: &str) -> Option<Self> {
        let told = session.info().and_then(|info| info.track.as_ref());
        let (track, named) = (told.map(Track::title), told.is_some_and(|track| track.name.is_some()));
        let print = session.track_print().map(|print| print.name.clone()).filter(|name| !name.is_empty());
        let (track, game) = (track.or(print), session.game().unwrap_or(game));
        let mut laps = Vec::new();
        let mut seats: Vec<Seat> = Vec::new();
        for (car, state) in session.cars() {
            let driver = session.participants().iter().find(|participant| participant.car == car);
            let word = car_word(state.vehicle.as_deref(), driver);
            let combo = Rc::new(Combo {
                game: Some(game.to_owned()),
                track: track.clone(),
                car: word.map(str::to_owned),
            });
            let finished = state.laps.finished();
            laps.extend(finished.iter().map(|lap| Known {
                key: Key { of: Name::Live, session: 0, car, serial: lap.serial },
                lap: lap.clone(),
                combo: Rc::clone(&combo),
                row: None,
            }));
            let (driver, laps) = (session.name(car), finished.len());
            seats.push(Seat { session: 0, car, driver, combo, laps, began: None });
        }
        let seats = in_order(seats, session.watched());
        let when = "now".to_owned();
        let about = joined(&[Some(game), seats.first().map(|seat| seat.driver.as_str()), Some(&when)]);
        (!seats.is_empty()).then(|| Self {
            name: Name::Live,
            title: track.unwrap_or_else(|| "Track without a name".to_owned()),
            about,
            when,
            named,
            stage: session.is_stage(),
            driver: session.player(),
            seats,
            seat: 0,
            picked: false,
            laps,
            opened: None,
        })
    }

    /// The laps of a recording.
    pub(crate) fn of_recording(opened: Rc<Opened>) -> Self {
        let Opened { recording, source, .. } = opened.as_ref();
        let id = recording.info().id;
        let told: Told = recording.facts().get().ok().flatten().unwrap_or_default();
        let rows = || recording.laps().laps.iter().filter(|row| row.lap.ended_s.is_some());
        let player = told.player.or(rows().next().map(|row| row.car));
        let game = game(&Entry::of_recording("", 0, recording));
        let track = track_title(recording.facts(), &told);
        let mut seats: Vec<Seat> = Vec::new();
        let mut laps = Vec::new();
        for row in rows() {
            let (session, car) = (row.session, row.car);
            let place = seats.iter().position(|seat| (seat.session, seat.car) == (session, car));
            let place = place.unwrap_or_else(|| {
                let own = if told.player.is_some() { Some(car) } else { None };
                let driver = told.driver_word_of(car).map(str::to_owned);
                seats.push(Seat {
                    session,
                    car,
                    driver: driver.unwrap_or_else(|| format!("Car {}", u16::from(car.0) + 1)),
                    combo: Rc::new(Combo {
                        game: game.clone(),
                        track: track.clone(),
                        car: told.car_word_of(own).map(str::to_owned),
                    }),
                    laps: 0,
                    began: Some(row.from),
                });
                seats.len() - 1
            });
            let Some(seat) = seats.get_mut(place) else { continue };
            seat.laps += 1;
            laps.push(Known {
                key: Key { of: Name::Recording(id), session, car, serial: row.lap.serial },
                lap: row.lap.clone(),
                combo: Rc::clone(&seat.combo),
                row: Some(row.clone()),
            });
        }
        let created = recording.info().created;
        let when = date(created, browser::minutes_west(created));
        let stage = told.info.as_ref().is_some_and(|info| info.kind == SessionKind::Stage);
        let seats = in_order(seats, player);
        // What was driven last is looked at first.
        let last = seats.iter().filter(|seat| Some(seat.car) == player).map(|seat| seat.session).max();
        let own = |seat: &Seat| Some(seat.car) == player && Some(seat.session) == last;
        let seat = seats.iter().position(own).unwrap_or_default();
        Self {
            name: Name::Recording(id),
            about: joined(&[game.as_deref(), told.car_word().or(told.driver_word()), Some(&when)]),
            when,
            named: told
                .info
                .as_ref()
                .and_then(|info| info.track.as_ref())
                .is_some_and(|track| track.name.is_some()),
            title: track.unwrap_or_else(|| stem(&source.name()).to_owned()),
            stage,
            driver: told.player,
            seats,
            seat,
            picked: false,
            laps,
            opened: Some(opened),
        }
    }

    /// A lap that it has.
    pub(crate) fn lap(&self, key: Key) -> Option<&Known> {
        self.laps.iter().find(|known| known.key == key)
    }

    /// Calls the track of a session by the name that people have for it; what its game calls it stays.
    pub(super) fn call(&mut self, session: u16, name: &str) {
        if self.named || name.is_empty() {
            return;
        }
        name.clone_into(&mut self.title);
        for seat in self.seats.iter_mut().filter(|seat| seat.session == session) {
            if seat.combo.track.as_deref() != Some(name) {
                seat.combo = Rc::new(Combo { track: Some(name.to_owned()), ..(*seat.combo).clone() });
            }
            for known in self.laps.iter_mut().filter(|known| seat.has(known.key)) {
                known.combo = Rc::clone(&seat.combo);
            }
        }
    }

    /// The car whose laps are listed.
    pub(crate) fn seat(&self) -> Option<&Seat> {
        self.seats.get(self.seat)
    }

    /// The laps that are listed.
    pub(crate) fn listed(&self) -> impl DoubleEndedIterator<Item = &Known> {
        self.laps.iter().filter(|known| self.seat().is_some_and(|seat| seat.has(known.key)))
    }

    /// Whether the laps that are listed are laid side by side without being asked for: what somebody else drives meanwhile is
    /// not.
    pub(super) fn is_own(&self) -> bool {
        let own = |seat: &Seat| self.driver.is_none_or(|driver| driver == seat.car);
        self.picked || self.opened.is_some() || self.seat().is_some_and(own)
    }

    /// The laps of everybody in the session that is listed.
    pub(crate) fn session(&self) -> impl Iterator<Item = &Known> {
        let session = self.seat().map(|seat| seat.session);
        self.laps.iter().filter(move |known| Some(known.key.session) == session)
    }

    /// Lists the laps of another seat, if there is one like that.
    pub(crate) fn pick(&mut self, is_meant: impl FnMut(&Seat) -> bool) {
        if let Some(seat) = self.seats.iter().position(is_meant) {
            (self.seat, self.picked) = (seat, true);
        }
    }
}

impl Seat {
    /// Whether a lap was driven in it.
    pub(crate) fn has(&self, key: Key) -> bool {
        (self.session, self.car) == (key.session, key.car)
    }
}

/// Seats in the order in which they are listed; those without a lap are left out.
fn in_order(seats: Vec<Seat>, player: Option<Car>) -> Vec<Seat> {
    let mut ordered: Vec<Seat> = Vec::new();
    for seat in seats.into_iter().filter(|seat| seat.laps > 0) {
        let order = |seat: &Seat| (seat.session, Some(seat.car) != player);
        let before = |other: &Seat| (order(other), &other.driver) <= (order(&seat), &seat.driver);
        // There are few: they are put in one by one.
        let place = ordered.partition_point(before);
        ordered.insert(place, seat);
    }
    ordered
}

/// The channels of a lap of the session that is driven, as long as it keeps them.
pub(crate) fn driven_now(cockpit: Cockpit, known: &Known) -> Option<DecodedLap> {
    let Key { car, serial, .. } = known.key;
    cockpit.look(|telemetry| {
        let session = telemetry.session()?;
        let columns = session.car(car)?.traces.lap(serial)?.clone();
        Some(DecodedLap {
            car,
            lap: known.lap.clone(),
            columns,
            besides: Besides::of(session, car, &known.lap),
        })
    })
}

/// Reads a lap out of a recording, and nothing else.
pub(crate) async fn read(opened: &Opened, known: &Known) -> Result<DecodedLap, Trouble> {
    let gone = || Trouble::Gone(format!("Lap {} is not whole in the recording.", known.lap.number));
    let row = known.row.as_ref().ok_or_else(gone)?;
    let mut reading = opened.recording.lap(row);
    while let Some(range) = reading.needs() {
        reading.give(&opened.source.bytes(range).await?);
    }
    let mut decoded = reading.finish().ok_or_else(gone)?;
    // The table heard of the lap's time even where it was told long after the line.
    decoded.lap.time = known.lap.time.or(decoded.lap.time);
    Ok(decoded)
}

/// A file's name without what says only that it is a recording.
fn stem(file: &str) -> &str {
    file.strip_suffix(".trailbrake.mcap").or(file.strip_suffix(".mcap")).unwrap_or(file)
}

fn joined(words: &[Option<&str>]) -> String {
    let words: Vec<&str> = words.iter().copied().flatten().filter(|word| !word.is_empty()).collect();
    words.join(" · ")
}
