//! Keeps the server's leaderboard: one row per slot, best first.

use trailbrake_games::ac_server::layout::{NO_TIME, Row};

use super::super::state::{CarState, Outcome};

/// The server's counts for one slot in the session.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Count {
    /// The lap in progress at the last look.
    number: u32,
    invalid: bool,
    finished: bool,
    laps: u16,
    clean: u16,
    total_ms: u32,
    best_ms: Option<u32>,
}

/// A completed lap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ended {
    pub(super) time_ms: u32,
    pub(super) cuts: u8,
}

impl Count {
    /// Updates the counts from a car; returns a lap that it completed since the last call.
    pub(super) fn look(&mut self, car: &CarState) -> Option<Ended> {
        let finished = car.lap.outcome == Outcome::Finished;
        let counted_on = self.number > 0 && car.lap.number > self.number;
        let ended = counted_on || (finished && !self.finished);
        let cuts = u8::from(self.invalid);
        (self.number, self.invalid, self.finished) = (car.lap.number, car.lap.invalid, finished);
        if !ended {
            return None;
        }
        let time_ms = car.lap.last_ms?;
        self.laps += 1;
        self.total_ms = self.total_ms.saturating_add(time_ms);
        if cuts == 0 {
            self.clean += 1;
            self.best_ms = Some(self.best_ms.map_or(time_ms, |best| best.min(time_ms)));
        }
        Some(Ended { time_ms, cuts })
    }

    /// Resets the counts when the slot's driver changes or leaves.
    pub(super) fn leave(&mut self) {
        *self = Self::default();
    }

    fn row(&self, slot: usize, race: bool) -> Row {
        let (time, laps) =
            if race { (self.total_ms, self.laps) } else { (self.best_ms.unwrap_or(NO_TIME), self.clean) };
        Row { car_id: slot as u8, time, laps, has_completed: Some(u8::from(self.finished)) }
    }
}

/// The sorted rows: in a race by laps and total time, otherwise by best lap.
pub(super) fn leaderboard(counts: &[Count], race: bool) -> Vec<Row> {
    let mut rows: Vec<Row> = counts.iter().enumerate().map(|(slot, count)| count.row(slot, race)).collect();
    rows.sort_by_key(|row| if race { (u16::MAX - row.laps, row.time) } else { (0, row.time) });
    rows
}
