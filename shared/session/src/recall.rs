//! Restores the earlier laps of a session from a recording, when decoding starts in its middle.

use trailbrake_analysis::laps::{CarLaps, Lap};
use trailbrake_model::time::Micros;
use trailbrake_model::{Fact, Moment, Participant};

use super::cars::Cars;
use super::seats::Drivers;
use super::{CarState, LapRow, LogEntry, SessionSummary};

/// The clock of a game that counts its own session differs from the recorded one by less than this, seconds.
const SAME_CLOCK_S: f64 = 2.0;

/// Converts recorded times to the clock of the session that is decoded now.
#[derive(Clone, Copy)]
pub(super) struct RecalledClock(pub(super) Moment);

impl RecalledClock {
    /// Converts a moment that was recorded on both clocks.
    fn seconds(self, at: Micros, recorded_s: f64) -> f64 {
        let seconds = self.0.seconds() - self.0.at.seconds_since(at);
        if (seconds - recorded_s).abs() < SAME_CLOCK_S { recorded_s } else { seconds }
    }

    fn lap(self, row: &LapRow) -> Lap {
        let mut lap = row.lap.clone();
        lap.began_s = self.seconds(row.from, lap.began_s);
        lap.ended_s = lap.ended_s.map(|ended_s| self.seconds(row.to, ended_s));
        lap
    }

    /// A log entry on this clock.
    pub(super) fn entry(self, entry: LogEntry) -> LogEntry {
        LogEntry { seconds: self.seconds(entry.at, entry.seconds), ..entry }
    }
}

/// The facts that a session knew, for one that is decoded from its middle on.
pub(super) fn facts(known: SessionSummary, with_participants: bool) -> Vec<Fact> {
    let vehicle = known.player.zip(known.vehicle).map(|(car, vehicle)| Fact::Vehicle(car, Box::new(vehicle)));
    let facts = [
        known.game.map(Fact::Game),
        known.info.map(|info| Fact::Session(Box::new(info))),
        Some(Fact::Participants(known.participants)).filter(|_| with_participants),
        Some(Fact::Player(known.player)),
        vehicle,
        known.track.map(Fact::Track),
    ];
    facts.into_iter().flatten().collect()
}

/// Gives the laps that a recording has to their drivers. Of several drivers of a car the current one comes last.
pub(super) fn recall_laps(
    laps: &[LapRow],
    next: Option<&LapRow>,
    clock: RecalledClock,
    cars: &mut Cars,
    drivers: &mut Drivers,
) {
    for rows in laps.chunk_by(|one, other| (one.car, &one.driver) == (other.car, &other.driver)) {
        recall_seat(rows, next, clock, cars, drivers);
    }
}

/// Gives the laps of one driver in one car to them.
fn recall_seat(
    rows: &[LapRow],
    next: Option<&LapRow>,
    clock: RecalledClock,
    cars: &mut Cars,
    drivers: &mut Drivers,
) {
    let Some(last) = rows.last() else { return };
    let (car, driver) = (last.car, last.driver.as_deref());
    let ended = rows.iter().filter(|row| row.lap.ended_s.is_some() && row.to <= clock.0.at);
    let under_way = Some(last).filter(|row| clock.0.at < row.to);
    let next = next.filter(|next| next.car == car);
    let laps = CarLaps::recalled(
        ended.map(|row| clock.lap(row)).collect(),
        under_way.map(|row| clock.lap(row)),
        next.map(|next| (next.lap.serial, next.lap.run)),
    );
    let before = drivers.last_name(car);
    let has_left = before.zip(driver).is_some_and(|(now, driver)| now != driver);
    if has_left {
        let name = driver.unwrap_or_default().to_owned();
        let driver = Participant { car, name, ..Participant::default() };
        drivers.add_former(driver, CarState { laps, ..CarState::default() });
    } else {
        cars.of(car).laps = laps;
    }
}
