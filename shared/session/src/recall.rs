//! Restores the earlier laps of a session from a recording, when decoding starts in its middle.

use trailbrake_analysis::laps::{CarLaps, Lap, LapFlag};
use trailbrake_model::time::Micros;
use trailbrake_model::{Columns, Fact, Moment, Participant, Sink};

use super::{CarState, LapRow, LogEntry, Outline, RecalledSession, Session, SessionSummary};

/// The clock of a game that counts its own session differs from the recorded one by less than this, seconds.
const SAME_CLOCK_S: f64 = 2.0;

impl RecalledSession {
    /// Copies the driver's choices from an earlier decoding of the session: the reference, and excluded laps.
    pub fn take_choices(&mut self, before: &Session) {
        let Some((player, laps)) =
            before.player().and_then(|player| Some((player, &before.car(player)?.laps)))
        else {
            return;
        };
        for row in self.laps.iter_mut().filter(|row| row.car == player) {
            let same = |lap: &&Lap| (lap.number, lap.time) == (row.lap.number, row.lap.time);
            let Some(lap) = laps.lap(row.lap.serial).filter(same) else { continue };
            row.lap.exclude(lap.flags.has(LapFlag::Excluded));
            if before.live_comparison().chosen() == Some(lap.serial) {
                self.chosen = Some(lap.serial);
            }
        }
    }
}

/// Converts recorded times to the clock of the session that is decoded now.
#[derive(Clone, Copy)]
struct Clock(Moment);

impl Clock {
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
}

impl Session {
    /// Marks the session as one whose first packets are not decoded, and gives it what was recorded of them.
    pub fn recalling(mut self, recalled: RecalledSession) -> Self {
        self.recalled_drivers.clone_from(&recalled.summary.participants);
        self.recalled = Some(Box::new(recalled));
        self
    }

    /// Takes the columns of a recalled lap that were decoded separately; `lap` is on their clock. Returns false if the
    /// lap has not ended in this session.
    pub fn recall_lap(&mut self, row: &LapRow, lap: &Lap, columns: &Columns) -> bool {
        let serial = row.lap.serial;
        let Some(state) = self.cars.get_mut(row.car) else { return false };
        let ended = state.laps.lap(serial).filter(|known| known.ended_s.is_some());
        let Some(known) = ended.cloned() else { return false };
        let mut columns = columns.clone();
        columns.shift_seconds(known.began_s - lap.began_s);
        state.traces.recall(serial, columns);
        if self.player == Some(row.car) {
            self.live_comparison.find_reference(state);
            self.live_comparison.follow_again();
        }
        self.learn_outline(row.car, &known);
        true
    }

    /// Takes the player's best lap of earlier sessions on this track in this car. It is the reference until they set
    /// one in this session, and gives the track outline. Returns whether it can serve as a reference.
    pub fn take_earlier_best(&mut self, lap: &Lap, columns: &Columns) -> bool {
        let Some(state) = self.player.and_then(|player| self.cars.get(player)) else { return false };
        self.live_comparison.take_earlier(lap, columns, state);
        self.take_outline(Outline::of(columns, !self.is_stage()));
        self.live_comparison.has_earlier()
    }

    /// Applies the recalled session once a car moves: only then is the game's clock certain.
    #[inline]
    pub(super) fn recall(&mut self, moment: Moment) {
        if self.recalled.is_some() {
            self.apply_recalled(moment);
        }
    }

    #[cold]
    fn apply_recalled(&mut self, moment: Moment) {
        let Some(recalled) = self.recalled.take() else { return };
        let RecalledSession { summary, laps, next, chosen, log, until } = *recalled;
        let clock = Clock(moment);
        let known = SessionSummary::of(self).or(summary);
        let vehicle =
            known.player.zip(known.vehicle).map(|(car, vehicle)| Fact::Vehicle(car, Box::new(vehicle)));
        let facts = [
            known.game.map(Fact::Game),
            known.info.map(|info| Fact::Session(Box::new(info))),
            Some(Fact::Participants(known.participants)).filter(|_| self.participants.is_empty()),
            Some(Fact::Player(known.player)),
            vehicle,
            known.track.map(Fact::Track),
        ];
        facts.into_iter().flatten().for_each(|fact| self.fact(moment, fact));
        for rows in laps.chunk_by(|one, other| (one.car, &one.driver) == (other.car, &other.driver)) {
            self.recall_laps(rows, next.as_ref(), clock);
        }
        let on_clock =
            |entry: LogEntry| LogEntry { seconds: clock.seconds(entry.at, entry.seconds), ..entry };
        self.log.recall(log.into_iter().map(on_clock), until);
        self.lap_table_changed();
        self.choose_reference(chosen);
    }

    /// Takes the laps of one driver in one car. The current driver comes last.
    fn recall_laps(&mut self, rows: &[LapRow], next: Option<&LapRow>, clock: Clock) {
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
        let before = self.drivers.get(&car).map(|now| now.name.trim());
        let has_left = before.zip(driver).is_some_and(|(now, driver)| !now.is_empty() && now != driver);
        if has_left {
            let name = driver.unwrap_or_default().to_owned();
            let driver = Participant { car, name, ..Participant::default() };
            self.former.push((driver, CarState { laps, ..CarState::default() }));
        } else {
            self.cars.of(car).laps = laps;
        }
    }
}
