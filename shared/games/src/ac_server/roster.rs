//! The entry list: the driver of each slot, and what each has driven in the session.

use std::collections::BTreeMap;

use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::{
    Car, Fact, LapProgress, Moment, NamedId, Participant, Presence, ResultStatus, Vehicle,
};

use super::layout::{CarInfo, Connection, LapCompleted, NO_TIME, Row};

/// A car crosses the line where its lap fraction falls from above this to below `START_OF_LAP`.
const END_OF_LAP: f32 = 0.9;
/// See `END_OF_LAP`.
const START_OF_LAP: f32 = 0.1;
/// The server reports a lap at most this long after the car crossed the line, seconds.
const CROSSED_S: f64 = 5.0;
/// The id that the server sends for unknown people.
const NOBODY: &str = "0";

/// Known participants, by slot.
#[derive(Debug, Default)]
pub(super) struct Roster {
    seats: BTreeMap<u8, Seat>,
}

/// A slot and its driver.
#[derive(Debug)]
pub(super) struct Seat {
    name: String,
    guid: Option<String>,
    team: String,
    model: String,
    skin: String,
    presence: Presence,
    pub(super) drive: Drive,
}

/// What a driver has driven in the session.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Drive {
    /// Completed laps, from all messages.
    laps: u16,
    /// Completed laps at the last lap report.
    reported: u16,
    /// The leaderboard's lap count at that report; `None` until the first report since the driver joined.
    counted: Option<u16>,
    /// The last lap report: when received, time, cuts.
    report: Option<(Micros, LapTime, u8)>,
    last: Option<LapTime>,
    last_struck: bool,
    best: Option<LapTime>,
    race_time: Option<LapTime>,
    /// The position, from 1; 0 if unknown.
    pub(super) position: u8,
    pub(super) finished: bool,
    /// When the current lap began.
    began: Option<Micros>,
    /// The last lap fraction.
    share: Option<f32>,
    /// When the car crossed the line, until the server reports the lap.
    crossed: Option<Micros>,
    /// Whether the car has crossed the line at all: on the grid it is still before it.
    started: bool,
    /// Whether an unreported crossing is not the first one, so that the car is a lap ahead of the leaderboard.
    ahead_of_board: bool,
}

impl Roster {
    pub(super) fn seats(&self) -> impl Iterator<Item = (u8, &Seat)> {
        self.seats.iter().map(|(&slot, seat)| (slot, seat))
    }

    pub(super) fn seat(&self, slot: u8) -> Option<&Seat> {
        self.seats.get(&slot)
    }

    pub(super) fn seat_mut(&mut self, slot: u8) -> Option<&mut Seat> {
        self.seats.get_mut(&slot)
    }

    /// A driver takes a slot. The previous driver's laps are not theirs.
    pub(super) fn connected(&mut self, who: &Connection) {
        let mut seat = Seat {
            name: who.driver_name.clone(),
            guid: known(&who.driver_guid),
            team: String::new(),
            model: who.car_model.clone(),
            skin: who.car_skin.clone(),
            presence: Presence::Loading,
            drive: Drive::default(),
        };
        if let Some(before) = self.seats.remove(&who.car_id).filter(|before| before.is_same_person(&seat)) {
            seat.drive = before.drive.away();
            seat.team = before.team;
        }
        self.seats.insert(who.car_id, seat);
    }

    /// A driver leaves. They stay in the roster until the slot is taken or another session begins.
    pub(super) fn left(&mut self, slot: u8) {
        if let Some(seat) = self.seats.get_mut(&slot) {
            seat.presence = Presence::Gone;
            seat.drive = seat.drive.away();
        }
    }

    /// Marks a driver as driving. Returns whether that is new.
    pub(super) fn there(&mut self, slot: u8) -> bool {
        let seat = self.seats.entry(slot).or_insert_with(Seat::of_somebody);
        std::mem::replace(&mut seat.presence, Presence::There) != Presence::There
    }

    /// Updates a slot from the server's answer.
    pub(super) fn update(&mut self, info: &CarInfo) {
        if info.driver_name.is_empty() && info.is_connected == 0 {
            self.left(info.car_id);
            return;
        }
        let mut seat = Seat {
            name: info.driver_name.clone(),
            guid: known(&info.driver_guid),
            team: info.driver_team.clone(),
            model: info.model.clone(),
            skin: info.skin.clone(),
            presence: if info.is_connected == 0 { Presence::Loading } else { Presence::There },
            drive: Drive::default(),
        };
        if let Some(before) = self.seats.remove(&info.car_id).filter(|before| before.may_be(&seat)) {
            seat.drive = before.drive;
        }
        self.seats.insert(info.car_id, seat);
    }

    /// Starts a session: clears all laps and removes drivers who have left.
    pub(super) fn begin_session(&mut self) {
        self.seats.retain(|_, seat| seat.presence != Presence::Gone);
        self.seats.values_mut().for_each(|seat| seat.drive = Drive::default());
    }

    /// The server has restarted: nobody is connected.
    pub(super) fn clear(&mut self) {
        self.seats.clear();
    }

    /// All participants, including those who have left.
    pub(super) fn participants(&self) -> Fact {
        let participant = |(&slot, seat): (&u8, &Seat)| Participant {
            car: Car(slot),
            name: seat.name.clone(),
            guid: seat.guid.clone(),
            presence: Some(seat.presence),
            team: NamedId::word(&seat.team),
            ..Participant::default()
        };
        Fact::Participants(self.seats.iter().map(participant).collect())
    }
}

impl Seat {
    /// A driver known only to be driving: the connection message was not received.
    fn of_somebody() -> Self {
        Self {
            name: String::new(),
            guid: None,
            team: String::new(),
            model: String::new(),
            skin: String::new(),
            presence: Presence::Loading,
            drive: Drive::default(),
        }
    }

    pub(super) fn is_there(&self) -> bool {
        self.presence == Presence::There
    }

    pub(super) fn is_gone(&self) -> bool {
        self.presence == Presence::Gone
    }

    /// Whether both are the same person: by id, or by name if an id is missing.
    fn is_same_person(&self, other: &Self) -> bool {
        match (&self.guid, &other.guid) {
            (Some(own), Some(other)) => own == other,
            _ => self.name == other.name,
        }
    }

    fn may_be(&self, other: &Self) -> bool {
        self.name.is_empty() || self.is_same_person(other)
    }

    /// The car.
    pub(super) fn vehicle(&self, slot: u8) -> Fact {
        let word = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let (id, livery) = (word(&self.model), word(&self.skin));
        Fact::Vehicle(Car(slot), Box::new(Vehicle { id, livery, ..Vehicle::default() }))
    }

    /// Lap progress according to the server.
    pub(super) fn progress(&self, slot: u8, moment: Moment) -> LapProgress {
        let Drive { laps, last, last_struck, best, race_time, position, finished, began, .. } = self.drive;
        LapProgress {
            car: Car(slot),
            moment,
            lap: laps.saturating_add(1),
            clock: began.map(|began| moment.at.seconds_since(began) as f32),
            last_lap: last,
            best_lap: best,
            last_struck,
            race_time,
            result: match self.presence {
                Presence::Gone => ResultStatus::Inactive,
                _ if finished => ResultStatus::Finished,
                _ => ResultStatus::Active,
            },
            position,
            ..LapProgress::default()
        }
    }
}

impl Drive {
    /// What remains when the driver leaves.
    fn away(self) -> Self {
        // The server may count from zero when the driver returns.
        Self { began: None, share: None, crossed: None, ahead_of_board: false, counted: None, ..self }
    }

    /// Takes the car's lap fraction.
    pub(super) fn moved(&mut self, at: Micros, share: f32) {
        if self.crossed.is_some_and(|crossed| at.seconds_since(crossed) > CROSSED_S) {
            // No lap ended there: the car left the pits, or the game moved it.
            (self.crossed, self.ahead_of_board) = (None, false);
        }
        if self.began.is_some_and(|began| at.seconds_since(began) <= CROSSED_S) && share > END_OF_LAP {
            // Sent before the end of the lap, received after the lap report.
            return;
        }
        let before = self.share.replace(share);
        if before.is_some_and(|before| before > END_OF_LAP) && share < START_OF_LAP {
            self.ahead_of_board = self.started;
            (self.crossed, self.started) = (Some(at), true);
        }
    }

    /// Handles a lap report with the driver's leaderboard row. Returns false for a report of a lap already counted.
    pub(super) fn completed(
        &mut self,
        at: Micros,
        lap: &LapCompleted,
        row: Option<&Row>,
        race: bool,
    ) -> bool {
        let (time, struck) = (LapTime(lap.lap_time), lap.cuts > 0);
        // The same time and cuts again, sooner than a lap can take: a duplicate message.
        let repeated = self.report.is_some_and(|(last_at, last, cuts)| {
            (last, cuts) == (time, lap.cuts) && at.seconds_since(last_at) < time.seconds() / 2.0
        });
        let count = row.map(|row| row.laps);
        let Some(laps) = self.number(count, race, struck).filter(|_| !repeated) else { return false };
        (self.reported, self.counted, self.report) = (laps, count, Some((at, time, lap.cuts)));
        if laps >= self.laps {
            (self.last, self.last_struck) = (Some(time).filter(|time| time.0 > 0), struck);
        }
        // Another car's leaderboard may already have counted the lap.
        if laps > self.laps {
            self.laps = laps;
            self.end(at);
        }
        true
    }

    /// Completed laps including the reported one; `None` if the leaderboard had already counted it.
    ///
    /// In a race the leaderboard counts all laps, otherwise clean ones, though some servers count all.
    fn number(&self, count: Option<u16>, race: bool, struck: bool) -> Option<u16> {
        let next = self.reported.saturating_add(1);
        match count.zip(self.counted) {
            Some((count, counted)) if race || !struck => {
                let more = count.checked_sub(counted).filter(|more| *more > 0)?;
                Some(self.reported.saturating_add(more))
            }
            Some((count, counted)) => {
                let more = count.checked_sub(counted)?;
                Some(self.reported.saturating_add(more.max(1)))
            }
            None if race => Some(next.max(count.unwrap_or_default())),
            None => Some(next),
        }
    }

    /// Ends the lap at the time of the line crossing if it was received, otherwise now.
    fn end(&mut self, at: Micros) {
        let crossed = self.crossed.take().filter(|crossed| at.seconds_since(*crossed) <= CROSSED_S);
        if crossed.is_none() {
            // The last lap fraction is from before the line.
            self.share = self.share.map(|_| 0.0);
        }
        self.began = Some(crossed.unwrap_or(at));
        (self.started, self.ahead_of_board) = (true, false);
    }

    /// Takes a row of the leaderboard.
    pub(super) fn classified(&mut self, at: Micros, row: &Row, position: u8, race: bool) {
        let time = Some(LapTime(row.time)).filter(|time| ![0, NO_TIME].contains(&time.0));
        if race {
            self.race_time = time;
            let since = row.laps.saturating_sub(self.counted.unwrap_or(self.reported));
            let laps = self.reported.saturating_add(since);
            if laps > self.laps {
                // The report of this lap is lost or still to come.
                (self.laps, self.last, self.last_struck) = (laps, None, false);
                self.end(at);
            }
        } else {
            self.best = time;
        }
        self.position = position;
        self.finished = row.has_completed.is_some_and(|completed| completed != 0);
    }

    /// Distance in laps, for ranking cars between line crossings.
    pub(super) fn distance(&self) -> Option<f32> {
        let share = self.share?;
        let on_the_grid = !self.started && share > 0.5;
        let laps = f32::from(self.laps) + f32::from(u8::from(self.ahead_of_board));
        Some(laps + share - f32::from(u8::from(on_the_grid)))
    }
}

/// A person's id; `None` if unknown.
fn known(guid: &str) -> Option<String> {
    Some(guid.to_owned()).filter(|guid| !guid.is_empty() && guid != NOBODY)
}
