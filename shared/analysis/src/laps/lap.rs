//! One lap of one car.

use serde::{Deserialize, Serialize};
use trailbrake_model::SectorTimes;
use trailbrake_model::time::LapTime;

use super::{LapFlag, LapFlags};

/// One lap of one car, finished or under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lap {
    /// Identifies the lap among the car's laps in the session. Serials rise and are never reused.
    pub serial: u32,
    /// The lap's number, counted from 1 as in the game.
    pub number: u16,
    /// How often the session had been restarted before.
    pub run: u16,
    /// The stint, counted from 1: a pit stop begins a new one.
    pub stint: u16,
    /// The official time; `None` while under way, or if the game sent none.
    pub time: Option<LapTime>,
    /// The official sector times, as far as known.
    pub sectors: SectorTimes,
    /// The lap's flags.
    pub flags: LapFlags,
    /// When it began, in seconds on the game's clock.
    pub began_s: f64,
    /// When it ended; `None` while under way.
    pub ended_s: Option<f64>,
    /// When each flag was set, so that a rewind can undo it.
    #[serde(skip)]
    marks: Vec<(LapFlag, f64)>,
    /// Whether nothing confirms that the game counted it: then an official time does not make it valid.
    #[serde(skip)]
    pub(super) unconfirmed: bool,
    /// Whether it is incomplete for no other reason than that it has no time yet.
    #[serde(skip)]
    lacks_only_time: bool,
    /// The moment of its first packet, where the game had no clock that gives the start of the lap.
    #[serde(skip)]
    unclocked_from_s: Option<f64>,
    /// Start and end of each pause during which the session clock ran on.
    #[serde(skip)]
    pauses: Vec<(f64, f64)>,
    #[serde(skip)]
    reception: Reception,
}

/// How much of a lap was received.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Reception {
    packets: u32,
    /// The longest time without a packet, seconds.
    longest_gap_s: f64,
}

/// A lap counts as followed, and not just mentioned at its end, from this many packets,
const FOLLOWED_PACKETS: u32 = 10;
/// no further apart than this on average, not counting the longest gap. Seconds.
const FOLLOWED_EVERY_S: f64 = 0.5;
/// A lap with a longer gap than this fraction of it is incomplete.
const MOST_MISSING: f64 = 0.5;

/// Joining a lap later than this makes it incomplete, seconds.
pub(super) const JOINED_S: f64 = 1.0;

/// Flags that keep a lap's time out of bests and comparisons.
const NO_MATCH: &[LapFlag] = &[
    LapFlag::Invalid,
    LapFlag::Out,
    LapFlag::In,
    LapFlag::Pit,
    LapFlag::Incomplete,
    LapFlag::Rewound,
    LapFlag::Restarted,
    LapFlag::Excluded,
    LapFlag::Replay,
];

/// Flags that a lap keeps when its start is set again.
const KEPT: &[LapFlag] = &[LapFlag::Rewound, LapFlag::Excluded, LapFlag::Replay];

impl Lap {
    /// The time, if the lap is counted for bests.
    pub fn counts(&self) -> Option<LapTime> {
        if self.flags.has_any(NO_MATCH) { None } else { self.time }
    }

    /// Excludes the lap, or includes it again.
    pub fn exclude(&mut self, excluded: bool) {
        if excluded {
            // A rewind does not undo an exclusion.
            self.mark(LapFlag::Excluded, f64::NEG_INFINITY);
        } else {
            // A lap from a recording has flags without marks.
            self.marks.retain(|(flag, _)| *flag != LapFlag::Excluded);
            self.flags = self.flags.without(LapFlag::Excluded);
        }
    }

    pub(super) fn begin(serial: u32, number: u16, run: u16, stint: u16, began_s: f64) -> Self {
        Self {
            serial,
            number,
            run,
            stint,
            time: None,
            sectors: SectorTimes::default(),
            flags: LapFlags::NONE,
            began_s,
            ended_s: None,
            marks: Vec::new(),
            unconfirmed: false,
            lacks_only_time: false,
            unclocked_from_s: None,
            pauses: Vec::new(),
            reception: Reception::default(),
        }
    }

    /// A lap of which nothing but the game's report is known. It belongs to no stint.
    pub fn reported(number: u16, run: u16, time: LapTime, sectors: SectorTimes, valid: bool) -> Self {
        let validity = if valid { LapFlag::Valid } else { LapFlag::Invalid };
        let flags = [validity, LapFlag::Reported].into_iter().collect();
        let ended_s = Some(time.seconds());
        Self { time: Some(time), sectors, flags, ended_s, ..Self::begin(0, number, run, 0, 0.0) }
    }

    /// Counts a packet, `gap_s` seconds after the one before.
    pub(super) fn receive(&mut self, gap_s: f64) {
        self.reception.packets = self.reception.packets.saturating_add(1);
        self.has_gap(gap_s);
    }

    fn has_gap(&mut self, gap_s: f64) {
        if gap_s > self.reception.longest_gap_s {
            self.reception.longest_gap_s = gap_s;
        }
    }

    /// The game has no clock for the lap so far; the official time will give its start.
    pub(super) fn has_no_clock(&mut self) {
        self.unclocked_from_s = Some(self.began_s);
    }

    /// The game has a clock for the lap by now.
    pub(super) fn has_clock(&mut self) {
        self.unclocked_from_s = None;
    }

    /// Whether only the official time gives the start of the lap.
    pub fn is_unclocked(&self) -> bool {
        self.unclocked_from_s.is_some()
    }

    /// Sets a flag, and notes when it was first seen.
    pub(super) fn mark(&mut self, flag: LapFlag, seconds: f64) {
        if !self.flags.has(flag) {
            self.flags = self.flags.with(flag);
            self.marks.push((flag, seconds));
        }
    }

    /// Flags the lap as watched in a replay, from its beginning.
    pub fn mark_replay(&mut self) {
        self.mark(LapFlag::Replay, f64::NEG_INFINITY);
    }

    /// Removes the incomplete flag from a lap that was driven to its end after all. Joining late keeps it.
    pub(super) fn ended_whole(&mut self) {
        let began_s = self.began_s;
        self.keep_marks(|(flag, seen)| *flag != LapFlag::Incomplete || *seen <= began_s);
    }

    /// Restarts the lap because its clock starts only now. Flags set before are dropped, except for rewinds,
    /// exclusions and replays.
    pub(super) fn restart(&mut self, seconds: f64) {
        (self.began_s, self.unclocked_from_s) = (seconds, None);
        self.keep_marks(|(flag, _)| KEPT.contains(flag));
        self.marks.iter_mut().for_each(|(_, seen)| *seen = seen.min(seconds));
    }

    /// Notes a pause.
    pub(super) fn resumed(&mut self, from_s: f64, to_s: f64) {
        self.pauses.push((from_s, to_s));
    }

    /// Sets the start of the lap from a clock that the game did not have at first.
    pub(super) fn clocked(&mut self, began_s: f64) {
        let joined = self.unclocked_from_s.is_some_and(|first_s| first_s - began_s > JOINED_S);
        self.began_s = began_s;
        self.keep_marks(|(flag, seen)| *seen >= began_s || KEPT.contains(flag));
        if joined {
            self.mark(LapFlag::Incomplete, began_s);
        }
    }

    /// When a lap with this official time began. Pauses do not count.
    fn began_by(&self, time: LapTime) -> Option<f64> {
        let began_s = self.ended_s? - time.seconds();
        Some(self.pauses.iter().rev().fold(began_s, |began_s, (from_s, to_s)| match *to_s > began_s {
            true => began_s - (to_s - from_s),
            false => began_s,
        }))
    }

    /// Ends the lap with its official time; its last packet arrived `gap_s` seconds before.
    pub(super) fn finish(&mut self, time: Option<LapTime>, seconds: f64, gap_s: f64) {
        self.has_gap(gap_s);
        let driven_s = seconds - self.began_s;
        let Reception { packets, longest_gap_s } = self.reception;
        let followed =
            packets >= FOLLOWED_PACKETS && driven_s - longest_gap_s < f64::from(packets) * FOLLOWED_EVERY_S;
        if followed && longest_gap_s > driven_s * MOST_MISSING {
            self.mark(LapFlag::Incomplete, self.began_s);
        }
        self.ended_s = Some(seconds);
        self.time_is(time, seconds);
        self.explain_missing_time();
    }

    /// Flags an ended lap without a time as incomplete, unless another flag explains it.
    pub fn explain_missing_time(&mut self) {
        if let Some(ended_s) = self.ended_s.filter(|_| self.time.is_none() && !self.flags.has_any(NO_MATCH)) {
            self.mark(LapFlag::Incomplete, ended_s);
            self.lacks_only_time = true;
        }
    }

    /// Sets the official time, and with it the last sector.
    pub(super) fn time_is(&mut self, time: Option<LapTime>, seconds: f64) {
        self.time = time;
        if time.is_some() && std::mem::take(&mut self.lacks_only_time) {
            self.keep_marks(|(flag, _)| *flag != LapFlag::Incomplete);
        }
        if self.is_unclocked()
            && let Some(began_s) = time.and_then(|time| self.began_by(time))
        {
            self.clocked(began_s);
        }
        self.sectors.complete(time);
        let whole = time.is_some()
            && !self.unconfirmed
            && !self.flags.has_any(&[
                LapFlag::Invalid,
                LapFlag::Incomplete,
                LapFlag::Inferred,
                LapFlag::Replay,
            ]);
        if whole {
            self.mark(LapFlag::Valid, seconds);
        }
    }

    /// Ends a lap that will not be finished.
    pub fn abandon(&mut self, seconds: f64) {
        self.mark(LapFlag::Incomplete, seconds);
        self.ended_s = Some(seconds);
        self.time_is(None, seconds);
    }

    /// Replaces a lap of which only the end was received with its recorded version.
    pub(super) fn complete(&mut self, recorded: Self) {
        *self = Self { serial: self.serial, ended_s: self.ended_s, ..recorded };
    }

    /// Reopens the lap as of an earlier moment. The game sends the sectors again.
    pub(super) fn reopen(&mut self, seconds: f64) {
        (self.time, self.sectors, self.ended_s) = (None, SectorTimes::default(), None);
        self.keep_marks(|(_, seen)| *seen <= seconds);
        self.mark(LapFlag::Rewound, seconds);
    }

    fn keep_marks(&mut self, keep: impl FnMut(&(LapFlag, f64)) -> bool) {
        self.marks.retain(keep);
        self.flags = self.marks.iter().map(|(flag, _)| *flag).collect();
    }
}
