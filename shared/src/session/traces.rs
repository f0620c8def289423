//! The columns of one car's laps, and which of them are kept.

use crate::laps::{CarLaps, Change, Lap};
use crate::model::{Axis, Car, Channel, Columns, Moment, Slot};

/// A lap that does not end is thinned out from this many rows on: ten minutes at 60 Hz.
const MOST_ROWS: usize = 36_000;
/// The same where everything is kept: three hours.
const MOST_ROWS_OF_EVERYTHING: usize = 648_000;

const CLOCK: Slot = Channel::LapClock.slot();

/// The channels that are kept of cars that nobody looks at closely.
const FEW: &[Slot] = &[
    Channel::LapDistance.slot(),
    Channel::LapClock.slot(),
    Channel::Position.along(Axis::X),
    Channel::Position.along(Axis::Y),
    Channel::Position.along(Axis::Z),
    Channel::Speed.slot(),
    Channel::Throttle.slot(),
    Channel::Brake.slot(),
];

/// How much of the past is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Bytes that the player's finished laps may take.
    pub player_bytes: usize,
    /// A car besides the player's of which everything is kept, too.
    pub closely: Option<Car>,
    /// Whether every car's laps are kept whole, as the player's are.
    pub every_car: bool,
    /// Whether there are columns at all: who only follows the session needs none.
    pub columns: bool,
}

impl Retention {
    /// All laps of all cars: for files, which end.
    pub const EVERYTHING: Self =
        Self { player_bytes: usize::MAX, closely: None, every_car: true, columns: true };

    /// The lap table and no column: for whoever wants to know where sessions and laps begin and end.
    pub const LAP_TABLE: Self = Self { player_bytes: 0, closely: None, every_car: false, columns: false };

    fn most_rows(self) -> usize {
        if self.every_car { MOST_ROWS_OF_EVERYTHING } else { MOST_ROWS }
    }
}

impl Default for Retention {
    fn default() -> Self {
        // Some thirty laps of a game that sends everything at 60 Hz.
        Self { player_bytes: 64 << 20, closely: None, every_car: false, columns: true }
    }
}

/// Which of a car's finished laps stay.
#[derive(Clone, Copy, Debug)]
pub(super) enum Keep {
    /// All of them as long as they fit into so many bytes; the ones with these serials in any case.
    Within(usize, [Option<u32>; 2]),
    /// The last one and the best, with few channels.
    LastAndBest,
}

/// The columns of one car: of the lap under way, and of finished laps as far as they are kept.
#[derive(Clone, Debug, Default)]
pub struct Traces {
    current: Columns,
    /// The lap that `current` belongs to.
    lap: Option<u32>,
    finished: Vec<Trace>,
    /// Whether a late packet can still belong to the last finished lap.
    follows: bool,
}

#[derive(Clone, Debug)]
struct Trace {
    serial: u32,
    columns: Columns,
}

impl Traces {
    /// The columns of the lap under way, or of the driving between laps.
    pub fn current(&self) -> &Columns {
        &self.current
    }

    /// The columns of a lap, when they are kept.
    pub fn lap(&self, serial: u32) -> Option<&Columns> {
        if self.lap == Some(serial) {
            return Some(&self.current);
        }
        self.finished.iter().find(|trace| trace.serial == serial).map(|trace| &trace.columns)
    }

    /// The columns of the last finished lap, when they are kept.
    pub fn last(&self) -> Option<&Columns> {
        self.finished.last().map(|trace| &trace.columns)
    }

    /// The finished laps that have columns, by serial.
    pub fn serials(&self) -> impl Iterator<Item = u32> + use<'_> {
        self.finished.iter().map(|trace| trace.serial)
    }

    /// Bytes of memory taken.
    pub fn bytes(&self) -> usize {
        self.current.bytes() + self.finished.iter().map(|trace| trace.columns.bytes()).sum::<usize>()
    }

    /// Adds values: all of them of a car that is looked at closely, else only the few that are kept of every car.
    pub(super) fn push(
        &mut self,
        moment: Moment,
        values: &[(Slot, f32)],
        closely: bool,
        retention: Retention,
    ) {
        if !retention.columns {
            return;
        }
        let kept = || values.iter().copied().filter(|(slot, _)| closely || FEW.contains(slot));
        if kept().next().is_none() {
            return;
        }
        let began = self.current.seconds().first();
        if self.follows
            && began.is_some_and(|began| moment.seconds() < *began)
            && let Some(last) = self.finished.last_mut()
        {
            last.columns.push(moment, kept());
            return;
        }
        self.current.push(moment, kept());
        if self.current.len() > retention.most_rows() {
            self.current.thin();
        }
    }

    /// Takes the columns of a lap that ended before the first row that was received.
    pub(super) fn recall(&mut self, serial: u32, columns: Columns) {
        let place = self.finished.partition_point(|trace| trace.serial < serial);
        if self.lap(serial).is_none() {
            self.finished.insert(place, Trace { serial, columns });
        }
    }

    /// Drops the columns of a finished lap of which only the end was received.
    pub(super) fn forget(&mut self, serial: u32) {
        self.finished.retain(|trace| trace.serial != serial);
    }

    /// A lap ended, or began, or both: the rows go to where they belong.
    pub(super) fn turn(&mut self, change: Change, laps: &CarLaps) {
        if let Some(ended) = change.finished.and_then(|serial| laps.lap(serial)) {
            let next = self.current.split_off(ended.ended_s.unwrap_or(f64::INFINITY));
            self.file(next);
        }
        if let Some(lap) = change.finished.or(change.timed).and_then(|serial| laps.lap(serial))
            && let Some(trace) = self.finished.iter_mut().rfind(|trace| trace.serial == lap.serial)
        {
            set_clock(lap, &mut trace.columns);
        }
        if let Some(lap) = change.began.and_then(|serial| laps.lap(serial)) {
            // What came before the first lap, or between two laps, belongs to none.
            self.current = self.current.split_off(lap.began_s);
            self.lap = Some(lap.serial);
        }
    }

    /// What was under way was broken off by a restart or the session's end.
    pub(super) fn break_off(&mut self, laps: &CarLaps) {
        if self.lap.is_some_and(|serial| laps.lap(serial).is_some()) {
            self.file(Columns::default());
        }
        (self.current, self.lap, self.follows) = (Columns::default(), None, false);
    }

    /// The game went back to a time.
    pub(super) fn go_back(&mut self, seconds: f64, laps: &CarLaps) {
        let lap = laps.current().map(|lap| lap.serial);
        if lap != self.lap {
            self.finished.retain(|trace| laps.lap(trace.serial).is_some());
            let reopened = self.finished.pop_if(|trace| Some(trace.serial) == lap);
            self.current = reopened.map(|trace| trace.columns).unwrap_or_default();
            self.lap = lap;
        }
        self.current.cut_after(seconds);
        self.follows = false;
    }

    /// Drops what is not to be kept.
    pub(super) fn tidy(&mut self, keep: Keep, laps: &CarLaps) {
        let best = laps.best().map(|lap| lap.serial);
        let last = self.finished.last().map(|trace| trace.serial);
        match keep {
            Keep::LastAndBest => {
                self.finished.retain(|trace| [best, last].contains(&Some(trace.serial)));
                let rich = |columns: &Columns| columns.slots().any(|slot| !FEW.contains(&slot));
                let all = self.finished.iter_mut().map(|trace| &mut trace.columns).chain([&mut self.current]);
                all.filter(|columns| rich(columns)).for_each(|columns| {
                    columns.retain(|slot| FEW.contains(&slot));
                });
            }
            Keep::Within(bytes, [reference, other]) => {
                let kept = [best, last, reference, other];
                let mut taken: usize = self.finished.iter().map(|trace| trace.columns.bytes()).sum();
                self.finished.retain(|trace| {
                    let goes = taken > bytes && !kept.contains(&Some(trace.serial));
                    if goes {
                        taken -= trace.columns.bytes();
                    }
                    !goes
                });
            }
        }
    }

    fn file(&mut self, next: Columns) {
        let mut columns = std::mem::replace(&mut self.current, next);
        if let Some(serial) = self.lap.take() {
            columns.shrink();
            self.finished.push(Trace { serial, columns });
            self.follows = true;
        }
    }
}

/// Once a lap's official time says when it began, its columns begin there, and so does a clock that was counted from elsewhere.
fn set_clock(lap: &Lap, columns: &mut Columns) {
    if !lap.is_unclocked() {
        return;
    }
    *columns = columns.split_off(lap.began_s);
    let last = columns.line(CLOCK).and_then(|line| line.iter().last());
    let (Some((row, clock)), Some(time), Some(ended_s)) = (last, lap.time, lap.ended_s) else { return };
    let left_s = columns.seconds().get(row).map_or(0.0, |seconds| ended_s - seconds);
    columns.shift(CLOCK, (time.seconds() - left_s) as f32 - clock);
}
