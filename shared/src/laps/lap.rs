//! One lap of one car.

use serde::{Deserialize, Serialize};

use super::{LapFlag, LapFlags};
use crate::time::LapTime;

/// One lap of one car, finished or under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lap {
    /// Names the lap among all of the car's laps in the session. It rises, and none is given twice.
    pub serial: u32,
    /// The lap's number, counted from 1 as the game does.
    pub number: u16,
    /// How often the session had been started anew before, counted from 0.
    pub run: u16,
    /// The stretch between two stops at the pits, counted from 1.
    pub stint: u16,
    /// The official time; `None` while under way and where the game gave none.
    pub time: Option<LapTime>,
    /// The official times of the three sectors, as far as they are known.
    pub sectors: [Option<LapTime>; 3],
    /// What is to be said about the lap.
    pub flags: LapFlags,
    /// When it began, in seconds on the game's clock.
    pub began_s: f64,
    /// When it ended; `None` while under way.
    pub ended_s: Option<f64>,
    /// What was seen when, so that going back in time undoes it.
    #[serde(skip)]
    marks: Vec<(LapFlag, f64)>,
    /// Whether nothing says that the game counted it: then it is not valid for having a time.
    #[serde(skip)]
    pub(super) unconfirmed: bool,
}

/// What keeps a lap from being compared with others by its time.
const NO_MATCH: &[LapFlag] = &[
    LapFlag::Invalid,
    LapFlag::Out,
    LapFlag::In,
    LapFlag::Pit,
    LapFlag::Incomplete,
    LapFlag::Rewound,
    LapFlag::Restarted,
    LapFlag::Excluded,
];

impl Lap {
    /// The time, when the lap may be somebody's best.
    pub fn counts(&self) -> Option<LapTime> {
        self.time.filter(|_| !self.flags.has_any(NO_MATCH))
    }

    pub(super) fn begin(serial: u32, number: u16, run: u16, stint: u16, began_s: f64) -> Self {
        Self {
            serial,
            number,
            run,
            stint,
            time: None,
            sectors: [None; 3],
            flags: LapFlags::NONE,
            began_s,
            ended_s: None,
            marks: Vec::new(),
            unconfirmed: false,
        }
    }

    /// Notes a flag and when it was first seen.
    pub(super) fn mark(&mut self, flag: LapFlag, seconds: f64) {
        if !self.flags.has(flag) {
            self.flags = self.flags.with(flag);
            self.marks.push((flag, seconds));
        }
    }

    /// Takes a flag back.
    pub(super) fn unmark(&mut self, flag: LapFlag) {
        self.keep_marks(|(other, _)| *other != flag);
    }

    /// The lap's clock starts only now: what was seen on the way to the line is not the lap's, but for going back.
    pub(super) fn begin_anew(&mut self, seconds: f64) {
        self.began_s = seconds;
        self.keep_marks(|(flag, _)| [LapFlag::Rewound, LapFlag::Excluded].contains(flag));
        self.marks.iter_mut().for_each(|(_, seen)| *seen = seen.min(seconds));
    }

    /// Ends the lap with its official time.
    pub(super) fn finish(&mut self, time: Option<LapTime>, seconds: f64) {
        self.ended_s = Some(seconds);
        self.time_is(time, seconds);
    }

    /// Takes the official time, and with it the third sector's.
    pub(super) fn time_is(&mut self, time: Option<LapTime>, seconds: f64) {
        self.time = time;
        let [first, second, third] = &mut self.sectors;
        *third = third_sector(time, *first, *second);
        let whole = time.is_some()
            && !self.unconfirmed
            && !self.flags.has_any(&[LapFlag::Invalid, LapFlag::Incomplete, LapFlag::Inferred]);
        if whole {
            self.mark(LapFlag::Valid, seconds);
        }
    }

    /// Makes the lap one under way again, as it was at an earlier moment. Sectors are told again by the game.
    pub(super) fn reopen(&mut self, seconds: f64) {
        (self.time, self.sectors, self.ended_s) = (None, [None; 3], None);
        self.keep_marks(|(_, seen)| *seen <= seconds);
        self.mark(LapFlag::Rewound, seconds);
    }

    fn keep_marks(&mut self, keep: impl FnMut(&(LapFlag, f64)) -> bool) {
        self.marks.retain(keep);
        self.flags = self.marks.iter().map(|(flag, _)| *flag).collect();
    }
}

fn third_sector(lap: Option<LapTime>, first: Option<LapTime>, second: Option<LapTime>) -> Option<LapTime> {
    let rest = lap?.0.checked_sub(first?.0)?.checked_sub(second?.0)?;
    (rest > 0).then_some(LapTime(rest))
}
