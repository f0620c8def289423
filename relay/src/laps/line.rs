//! One lap as a line.

use std::fmt;

use serde::Serialize;
use trailbrake_shared::laps::{Lap, LapFlags};
use trailbrake_shared::model::Car;
use trailbrake_shared::recording::{Recording, Told};
use trailbrake_shared::session::ArchivedSession;
use trailbrake_shared::time::LapTime;

use crate::options::CarName;

/// What is told of a lap.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LapLine {
    /// In which of the file's sessions, counted from 1.
    session: u32,
    car: Car,
    driver: String,
    /// Whether it is the player's.
    player: bool,
    lap: u16,
    run: u16,
    stint: u16,
    time_ms: Option<LapTime>,
    sectors_ms: [Option<LapTime>; 3],
    flags: LapFlags,
    /// Whether the file ends before the lap did.
    under_way: bool,
}

impl LapLine {
    fn new(session: u32, car: Car, driver: String, player: bool, lap: &Lap) -> Self {
        Self {
            session: session + 1,
            car,
            driver,
            player,
            lap: lap.number,
            run: lap.run,
            stint: lap.stint,
            time_ms: lap.time,
            sectors_ms: lap.sectors,
            flags: lap.flags,
            under_way: lap.ended_s.is_none(),
        }
    }

    /// Whether it is a lap of the car that is asked for.
    pub(super) fn is_of(&self, car: CarName) -> bool {
        match car {
            CarName::Player => self.player,
            CarName::Car(number) => self.car == Car(number),
            CarName::All => true,
        }
    }
}

/// The laps of a session, each car's in order.
pub(super) fn of_session(nth: u32, archived: &ArchivedSession) -> Vec<LapLine> {
    let session = &archived.session;
    let player = session.player().or(session.watched());
    let mut lines = Vec::new();
    for (car, state) in session.cars() {
        for lap in state.laps.finished().iter().chain(state.laps.current()) {
            lines.push(LapLine::new(nth, car, session.name(car), player == Some(car), lap));
        }
    }
    lines
}

/// The laps of a recording, by its table.
pub(super) fn of_recording(recording: &Recording) -> Vec<LapLine> {
    let told: Told = recording.facts().get().ok().flatten().unwrap_or_default();
    let rows = &recording.laps().laps;
    // Where the game names no player there is one car.
    let player = told.player.or_else(|| rows.first().map(|row| row.car));
    let name = |car: Car| {
        let known = told.participants.iter().find(|one| one.car == car).map(|one| one.name.trim().to_owned());
        known.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("Car {}", u16::from(car.0) + 1))
    };
    let line = |row: &trailbrake_shared::recording::LapRow| {
        LapLine::new(row.session.into(), row.car, name(row.car), player == Some(row.car), &row.lap)
    };
    rows.iter().map(line).collect()
}

/// Prints for people: `1  L. HAMILTON  lap 3  1:43.512  31.204 40.110 32.198  valid`.
impl fmt::Display for LapLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |time: Option<LapTime>| time.map_or_else(|| "-".to_owned(), |time| time.to_string());
        let [first, second, third] = self.sectors_ms.map(time);
        let Self { session, driver, lap, flags, .. } = self;
        let under_way = if self.under_way { " (under way)" } else { "" };
        write!(
            f,
            "{session}  {driver:<20}  lap {lap:<3} {:>9}  {first:>8} {second:>8} {third:>8}  {flags}{under_way}",
            time(self.time_ms)
        )
    }
}
