//! The columns of one car's laps, and which of them are kept.

use trailbrake_analysis::laps::{CarLaps, Change, Lap};
use trailbrake_model::{Car, Channel, Columns, Line, Moment, Sample, Slot, is_of_every_car};

/// A lap is thinned out beyond this many rows: ten minutes at 60 Hz.
const MOST_ROWS: usize = 36_000;
/// The limit where everything is kept: three hours at 60 Hz.
const MOST_ROWS_OF_EVERYTHING: usize = 648_000;

const CLOCK: Slot = Channel::LapClock.slot();

/// How much of the past is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Maximum bytes of the player's finished laps.
    pub player_bytes: usize,
    /// Another car whose channels are all kept.
    pub closely: Option<Car>,
    /// The only car of which anything is kept.
    pub only: Option<Car>,
    /// Whether all channels of every car are kept.
    pub every_car: bool,
    /// Whether columns are kept at all. A lap table needs none.
    pub columns: bool,
    /// Whether the player's laps are compared with a reference as they are driven. What only reads laps needs none.
    pub compares: bool,
}

impl Retention {
    /// All laps of all cars, for files.
    pub const EVERYTHING: Self = Self { player_bytes: usize::MAX, every_car: true, ..Self::OF_THE_PLAYER };

    /// The lap table without columns, to find where sessions and laps begin and end.
    pub const LAP_TABLE: Self =
        Self { player_bytes: 0, columns: false, compares: false, ..Self::OF_THE_PLAYER };

    /// What a driver looks at: some thirty laps of a game that sends all channels at 60 Hz.
    const OF_THE_PLAYER: Self = Self {
        player_bytes: 64 << 20,
        closely: None,
        only: None,
        every_car: false,
        columns: true,
        compares: true,
    };

    /// Whether anything of a car is kept.
    pub(super) fn keeps(self, car: Car) -> bool {
        self.only.is_none_or(|only| only == car)
    }

    fn most_rows(self) -> usize {
        if self.every_car { MOST_ROWS_OF_EVERYTHING } else { MOST_ROWS }
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self::OF_THE_PLAYER
    }
}

/// Which finished laps of a car are kept.
#[derive(Clone, Copy, Debug)]
pub(super) enum Keep {
    /// As many as fit into this many bytes, and in any case the laps with these serials.
    Within(usize, [Option<u32>; 2]),
    /// The last one and the best, with few channels.
    LastAndBest,
}

/// The columns of one car: of the lap under way, and of the kept finished laps.
#[derive(Clone, Debug, Default)]
pub struct Traces {
    current: Columns,
    /// The serial of the lap in `current`.
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

    /// The columns of a lap, if kept.
    pub fn lap(&self, serial: u32) -> Option<&Columns> {
        if self.lap == Some(serial) {
            return Some(&self.current);
        }
        self.finished.iter().find(|trace| trace.serial == serial).map(|trace| &trace.columns)
    }

    /// The columns of the last finished lap, if kept.
    pub fn last(&self) -> Option<&Columns> {
        self.finished.last().map(|trace| &trace.columns)
    }

    /// The serials of the finished laps with columns.
    pub fn serials(&self) -> impl Iterator<Item = u32> + use<'_> {
        self.finished.iter().map(|trace| trace.serial)
    }

    /// Bytes of memory taken.
    pub fn bytes(&self) -> usize {
        self.current.bytes() + self.finished.iter().map(|trace| trace.columns.bytes()).sum::<usize>()
    }

    /// Adds values: all channels if `closely`, else only the few that are kept of every car.
    #[inline(always)]
    pub(super) fn push(&mut self, sample: &Sample<'_>, closely: bool, retention: &Retention) {
        let values = sample.values.iter().copied();
        let is_kept = |(slot, _): &(Slot, f32)| is_of_every_car(*slot);
        if !retention.columns || !(closely || sample.values.iter().any(is_kept)) {
            return;
        }
        let columns = self.columns_at(sample.moment);
        if closely {
            columns.push(sample.moment, values);
        } else {
            columns.push(sample.moment, values.filter(is_kept));
        }
        if columns.len() > MOST_ROWS && columns.len() > retention.most_rows() {
            columns.thin();
        }
    }

    /// The columns that a moment belongs to.
    #[inline]
    fn columns_at(&mut self, moment: Moment) -> &mut Columns {
        if self.follows
            && self.current.seconds().first().is_some_and(|began| moment.seconds() < *began)
            && let Some(last) = self.finished.last_mut()
        {
            return &mut last.columns;
        }
        &mut self.current
    }

    /// Adds the columns of a lap that ended before the first received row.
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

    /// Splits the rows between laps after one ended or began.
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
            // Rows before the first lap or between two laps belong to none.
            self.current = self.current.split_off(lap.began_s);
            self.lap = Some(lap.serial);
        }
    }

    /// Ends the lap under way after a restart or the session's end.
    pub(super) fn break_off(&mut self, laps: &CarLaps) {
        if self.lap.is_some_and(|serial| laps.lap(serial).is_some()) {
            self.file(Columns::default());
        }
        (self.current, self.lap, self.follows) = (Columns::default(), None, false);
    }

    /// Rewinds to a time: reopens the lap under way then, and drops later rows.
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

    /// Drops the columns that `keep` does not cover.
    pub(super) fn tidy(&mut self, keep: Keep, laps: &CarLaps) {
        let best = laps.best().map(|lap| lap.serial);
        let last = self.finished.last().map(|trace| trace.serial);
        match keep {
            Keep::LastAndBest => {
                self.finished.retain(|trace| [best, last].contains(&Some(trace.serial)));
                let rich = |columns: &Columns| columns.slots().any(|slot| !is_of_every_car(slot));
                let all = self.finished.iter_mut().map(|trace| &mut trace.columns).chain([&mut self.current]);
                all.filter(|columns| rich(columns)).for_each(|columns| {
                    columns.retain(is_of_every_car);
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

/// Sets the start of an unclocked lap's columns from its official time, and its lap clock accordingly.
fn set_clock(lap: &Lap, columns: &mut Columns) {
    if !lap.is_unclocked() {
        return;
    }
    *columns = columns.split_off(lap.began_s);
    let last = columns.line(CLOCK).and_then(Line::last);
    let (Some((row, clock)), Some(time), Some(ended_s)) = (last, lap.time, lap.ended_s) else { return };
    let left_s = columns.seconds().get(row).map_or(0.0, |seconds| ended_s - seconds);
    columns.shift(CLOCK, (time.seconds() - left_s) as f32 - clock);
}
