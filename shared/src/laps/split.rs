//! One car's laps, split from what the game says of its progress.

use super::lap::JOINED_S;
use super::{Lap, LapFlag};
use crate::model::{DriverStatus, LapProgress, Moment, PitStatus, ResultStatus};
use crate::time::LapTime;

/// An official time that changes this soon after a lap began still belongs to the lap before.
const SETTLE_S: f64 = 5.0;
/// An official time this near to what was clocked is plausible.
const PLAUSIBLE_S: f64 = 2.0;
/// An official time that comes neither with the count nor plausibly is believed after so many packets in a row.
const STEADY_PACKETS: u32 = 3;
/// The clock of a lap that has ended has stopped, or begun again, for so long.
const STOPPED_S: f64 = 3.0;
/// No lap takes longer: half a day.
const LONGEST_S: f64 = 43_200.0;
/// A clock that stood at zero for less than this had just begun.
const STOOD_S: f64 = 0.01;
/// A stretch shorter than this that is broken off was no lap.
pub(crate) const DRIVEN_S: f64 = 1.0;

/// One car's laps. Packets may be lost, come twice or out of order: the laps stay the same.
#[derive(Clone, Debug, Default)]
pub struct CarLaps {
    finished: Vec<Lap>,
    current: Option<Lap>,
    /// The number of the last lap that ended before the game counted on, as it does at the chequered flag.
    ended: Option<u16>,
    /// The newest progress taken.
    newest: Option<Newest>,
    /// Whether the game was paused since then.
    paused: bool,
    /// The official time last believed.
    official: Option<LapTime>,
    /// Another one, not believed so far.
    pending: Option<PendingTime>,
    run: u16,
    serials: u32,
    pits: Pits,
    /// Whether the game went back to where no lap had begun.
    went_back: bool,
    /// The lap that was under way when it was followed first, as a recording knows it.
    recalled: Option<Lap>,
    /// The serial of the first lap that is decoded from its beginning, and its run.
    next: Option<(u32, u16)>,
}

/// What a piece of progress did to the laps, by their serials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// This lap has ended.
    pub finished: Option<u32>,
    /// This lap has begun: the game counts it, or its clock starts to run.
    pub began: Option<u32>,
    /// This lap had ended before and got its official time only now.
    pub timed: Option<u32>,
    /// Whether only the end of the finished lap was received: the rest of it is known from a recording.
    pub recalled: bool,
    /// Something more is known of the lap under way: a sector's time, or a flag.
    pub noted: bool,
}

/// An official time that the game has sent since a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PendingTime {
    time: LapTime,
    /// When it was first sent.
    since_s: f64,
    packets: u32,
    /// Whether it was near to what was clocked then.
    plausible: bool,
}

#[derive(Clone, Copy, Debug)]
struct Newest {
    seconds: f64,
    frame: Option<u32>,
    clock: Option<f32>,
    in_pits: bool,
}

/// A car's stops.
#[derive(Clone, Debug, Default)]
struct Pits {
    /// When it came to its box and when it was back on the track, each time.
    stops: Vec<(f64, f64)>,
    /// When it came to its box, if it was not back on the track since.
    boxed: Option<f64>,
    /// Since when it has been on the track at all.
    driven: Option<f64>,
}

impl CarLaps {
    /// The laps that have ended, in order.
    pub fn finished(&self) -> &[Lap] {
        &self.finished
    }

    /// The lap under way.
    pub fn current(&self) -> Option<&Lap> {
        self.current.as_ref()
    }

    /// The lap with a serial, finished or under way.
    pub fn lap(&self, serial: u32) -> Option<&Lap> {
        let finished = self.finished.binary_search_by_key(&serial, |lap| lap.serial);
        match finished {
            Ok(place) => self.finished.get(place),
            Err(_) => self.current.as_ref().filter(|lap| lap.serial == serial),
        }
    }

    /// The best of the laps that count.
    pub fn best(&self) -> Option<&Lap> {
        let counting = self.finished.iter().filter_map(|lap| Some((lap.counts()?, lap)));
        counting.min_by_key(|(time, lap)| (*time, lap.serial)).map(|(_, lap)| lap)
    }

    /// The stretch between stops that the car is in, counted from 1.
    pub fn stint(&self) -> u16 {
        self.pits.stint()
    }

    /// How often the session has been started anew.
    pub fn run(&self) -> u16 {
        self.run
    }

    /// When the newest progress was true, in seconds on the game's clock.
    pub(crate) fn newest_s(&self) -> Option<f64> {
        self.newest.map(|newest| newest.seconds)
    }

    /// The laps of the next driver of a car: their serials go on where those of the one before end.
    pub(crate) fn of_next_driver(&self) -> Self {
        Self { serials: self.serials, ..Self::default() }
    }

    /// The laps of a car that is followed only from the middle of its session on, as a recording knows them: those that
    /// had ended, the one that was under way, and the serial and the run of the one after it.
    pub(crate) fn recalled(ended: Vec<Lap>, under_way: Option<Lap>, next: Option<(u32, u16)>) -> Self {
        let last = under_way.as_ref().or(ended.last());
        let stops = last.map_or(0, |lap| usize::from(lap.stint.saturating_sub(1)));
        Self {
            serials: ended.last().map_or(0, |lap| lap.serial),
            run: last.map_or(0, |lap| lap.run),
            pits: Pits { stops: vec![(f64::NEG_INFINITY, f64::NEG_INFINITY); stops], ..Pits::default() },
            finished: ended,
            recalled: under_way,
            next,
            ..Self::default()
        }
    }

    /// The number of the lap that was under way when the car was followed first, as a recording knows it.
    pub(crate) fn recalled_number(&self) -> Option<u16> {
        self.recalled.as_ref().map(|lap| lap.number)
    }

    /// The lap under way is watched in a replay.
    pub(crate) fn watched_in_replay(&mut self) {
        if let Some(lap) = &mut self.current {
            lap.mark_replay();
        }
    }

    /// Takes a piece of progress. One that is older than what was taken before, or the same, changes nothing and is
    /// `None`.
    pub fn progress(&mut self, progress: &LapProgress) -> Option<Change> {
        if progress.result == ResultStatus::Invalid || self.is_old(progress.moment) {
            return None;
        }
        let number = self.number(progress);
        if self.current.as_ref().is_some_and(|lap| number < lap.number) {
            // The game says by its count alone that it went back.
            self.go_back(progress.moment.seconds(), |lap| lap.number > number, |lap| lap.number >= number);
        }
        self.pits.take(progress);
        if std::mem::take(&mut self.paused)
            && let Some((lap, newest)) = self.current.as_mut().zip(self.newest.as_mut())
        {
            lap.resumed(newest.seconds, progress.moment.seconds());
            newest.seconds = progress.moment.seconds();
        }
        let believed = self.official_if_new(number, progress);
        let official = believed.map(|believed| believed.time);
        let mut change = Change::default();
        match self.current.as_ref().map(|lap| lap.number) {
            Some(current) if current == number => match believed {
                Some(believed) if self.ends_current(believed.since_s) => {
                    self.strike_if_said(progress);
                    change.recalled = self.recalled.is_some();
                    change.finished = self.finish(official, believed.since_s);
                }
                Some(believed) => change.timed = self.time_last(believed.time, progress.moment),
                None => {}
            },
            Some(current) => {
                change.recalled = self.recalled.is_some();
                change.finished = self.finish_by_count(number, progress, official);
                let from_line = progress.clock.is_some() || current.checked_add(1) == Some(number);
                change.began = self.begin(number, progress, from_line);
            }
            None => {
                change.timed = believed.and_then(|believed| self.time_ended(believed, progress.moment));
                if self.ended != Some(number) {
                    change.began = self.begin(number, progress, self.ended.is_some());
                }
            }
        }
        change.began = change.began.or_else(|| self.cross_the_line(progress));
        if let Some(lap) = &mut self.current {
            change.noted = note(lap, progress);
            lap.stint = self.pits.stint();
            let now_s = progress.moment.seconds();
            lap.receive(self.newest.map_or(0.0, |newest| now_s - newest.seconds.max(lap.began_s)));
        }
        self.newest = Some(Newest {
            seconds: progress.moment.seconds(),
            frame: progress.moment.frame,
            clock: progress.clock,
            in_pits: in_pits(progress.pit),
        });
        Some(change)
    }

    /// The game went back to a moment: what came after it did not happen.
    pub fn rewound(&mut self, to: Moment) {
        let seconds = to.seconds();
        let after = |lap: &Lap| lap.began_s > seconds;
        self.go_back(seconds, after, |lap| lap.ended_s.is_some_and(|ended| ended > seconds));
    }

    /// The session was started anew. What was under way is broken off.
    pub fn restarted(&mut self, moment: Moment) {
        self.break_off(moment, Some(LapFlag::Restarted));
        self.run = self.run.saturating_add(1);
        (self.ended, self.newest, self.went_back) = (None, None, false);
        self.recalled = None;
        (self.official, self.pending) = (None, None);
        self.pits = Pits::default();
    }

    /// The session ended. A lap whose official time still comes is completed then.
    pub fn session_ended(&mut self, moment: Moment) {
        let number = self.current.as_ref().map(|lap| lap.number);
        self.break_off(moment, None);
        self.ended = number.or(self.ended);
    }

    /// The game was paused.
    pub fn paused(&mut self, moment: Moment) {
        self.paused = true;
        if let Some(lap) = &mut self.current {
            lap.mark(LapFlag::Paused, moment.seconds());
        }
    }

    /// The driver wants a lap counted, or not. Tells whether there is such a lap.
    pub fn exclude(&mut self, serial: u32, excluded: bool) -> bool {
        let mut laps = self.finished.iter_mut().chain(&mut self.current);
        let Some(lap) = laps.find(|lap| lap.serial == serial) else { return false };
        lap.exclude(excluded);
        true
    }

    fn is_old(&self, moment: Moment) -> bool {
        let Some(newest) = self.newest else { return false };
        let seconds = moment.seconds();
        let frames = moment.frame.zip(newest.frame);
        seconds < newest.seconds
            || (seconds == newest.seconds && frames.is_none_or(|(frame, newest)| frame <= newest))
    }

    /// The number of the lap, by the game's count, or by the line where it does not count.
    fn number(&self, progress: &LapProgress) -> u16 {
        if progress.lap > 0 {
            return progress.lap;
        }
        let Some(current) = &self.current else {
            let before = self.finished.last().filter(|lap| lap.run == self.run);
            return before.map_or(0, |lap| lap.number).saturating_add(1);
        };
        let clocks = progress.clock.zip(self.newest.and_then(|newest| newest.clock));
        let crossed = clocks.is_some_and(|(now, before)| now < before - 1.0);
        current.number.saturating_add(u16::from(crossed))
    }

    /// The official time of the lap before, once another one is believed. A single packet may hold any.
    fn official_if_new(&mut self, number: u16, progress: &LapProgress) -> Option<PendingTime> {
        let time = progress.last_lap.filter(|time| time.seconds() <= LONGEST_S)?;
        if self.newest.is_none() {
            self.official = Some(time);
        }
        if self.official == Some(time) {
            self.pending = None;
            return None;
        }
        let pending = match self.pending {
            Some(pending) if pending.time == time => {
                PendingTime { packets: pending.packets.saturating_add(1), ..pending }
            }
            _ => {
                let since_s = progress.moment.seconds();
                let plausible = self.is_plausible(time, since_s);
                PendingTime { time, since_s, packets: 1, plausible }
            }
        };
        let PendingTime { since_s, plausible, .. } = pending;
        let steady = pending.packets >= STEADY_PACKETS;
        let counts_on = self.current.as_ref().is_none_or(|lap| lap.number != number);
        let finished = progress.result == ResultStatus::Finished;
        let believed = if !counts_on && !finished && self.ends_current(since_s) {
            // Only the time says that the lap has ended: its clock no longer runs then.
            let stopped = progress.moment.seconds() - since_s >= STOPPED_S
                && progress.clock.is_none_or(|clock| f64::from(clock) < time.seconds() + STOPPED_S / 2.0);
            plausible && steady && stopped
        } else {
            counts_on || plausible || steady
        };
        self.pending = Some(pending).filter(|_| !believed);
        if believed {
            self.official = Some(time);
        }
        Some(pending).filter(|_| believed)
    }

    /// Whether a time first sent at a moment is that of the lap under way: shortly behind the line it is that of the one before.
    fn ends_current(&self, since_s: f64) -> bool {
        self.current.as_ref().is_some_and(|lap| since_s - lap.began_s >= SETTLE_S)
    }

    /// Whether an official time is near to what was clocked of the lap that it is of.
    fn is_plausible(&self, time: LapTime, now_s: f64) -> bool {
        let clocked = match &self.current {
            // What was driven of an unclocked lap before its first packet is unknown.
            Some(lap) if self.ends_current(now_s) => {
                Some(self.clocked_s(lap, now_s)).filter(|_| !lap.is_unclocked())
            }
            _ => self.finished.last().and_then(|lap| lap.ended_s.map(|ended_s| [ended_s - lap.began_s; 2])),
        };
        clocked.is_some_and(|[least_s, most_s]| {
            (least_s - PLAUSIBLE_S..=most_s + PLAUSIBLE_S).contains(&time.seconds())
        })
    }

    /// How long the lap under way lasted, at least and at most, if it ended between the newest packet and a moment: by the
    /// game's clock, which stands still in pauses.
    fn clocked_s(&self, lap: &Lap, seconds: f64) -> [f64; 2] {
        let clock = self.newest.and_then(|newest| Some((newest.seconds, f64::from(newest.clock?))));
        clock.map_or([seconds - lap.began_s; 2], |(newest_s, clock_s)| {
            [clock_s, clock_s + (seconds - newest_s).max(0.0)]
        })
    }

    fn begin(&mut self, number: u16, progress: &LapProgress, received_before: bool) -> Option<u32> {
        if progress.result == ResultStatus::Finished {
            return None;
        }
        let seconds = progress.moment.seconds();
        let clock = progress.clock.map_or(0.0, f64::from).max(0.0);
        self.serials += 1;
        if let Some((_, run)) = self.next.take_if(|(serial, _)| *serial == self.serials) {
            self.run = run;
        }
        let began_s = seconds - clock;
        let mut lap = Lap::begin(self.serials, number, self.run, self.pits.stint(), began_s);
        if !received_before && clock > JOINED_S {
            lap.mark(LapFlag::Incomplete, began_s);
        }
        if !received_before && progress.clock.is_none() {
            lap.has_no_clock();
        }
        if in_pits(progress.pit) {
            lap.mark(LapFlag::Out, began_s);
        }
        if std::mem::take(&mut self.went_back) {
            lap.mark(LapFlag::Rewound, began_s);
        }
        self.current = Some(lap);
        self.ended = None;
        Some(self.serials)
    }

    /// The clock of the lap starts only now: the car came to the line, or the lights went out.
    fn cross_the_line(&mut self, progress: &LapProgress) -> Option<u32> {
        let stood = self.newest.and_then(|newest| newest.clock).is_some_and(|clock| clock <= 0.0);
        let clock = f64::from(progress.clock?);
        let began_s = progress.moment.seconds() - clock;
        let lap = self.current.as_mut().filter(|lap| lap.is_unclocked() || stood && clock > 0.0)?;
        if began_s - lap.began_s < STOOD_S {
            if lap.is_unclocked() {
                lap.clocked(began_s);
                lap.has_clock();
            }
            return None;
        }
        lap.begin_anew(began_s);
        if in_pits(progress.pit) {
            lap.mark(LapFlag::Out, lap.began_s);
        }
        Some(lap.serial)
    }

    /// Ends the lap under way. At the chequered flag the game counts no further.
    fn finish(&mut self, time: Option<LapTime>, seconds: f64) -> Option<u32> {
        let mut lap = self.current.take()?;
        if self.newest.is_some_and(|newest| newest.in_pits) {
            lap.mark(LapFlag::In, seconds);
        }
        let before_s = self.newest.map_or(seconds, |newest| newest.seconds);
        lap.finish(time, seconds, seconds - before_s.max(lap.began_s));
        if let Some(recalled) = self.recalled.take().filter(|recalled| recalled.number == lap.number) {
            lap.complete(recalled);
        }
        self.ended = Some(lap.number);
        let serial = lap.serial;
        self.finished.push(lap);
        Some(serial)
    }

    /// Ends the lap under way because the game counts on.
    fn finish_by_count(&mut self, next: u16, progress: &LapProgress, new: Option<LapTime>) -> Option<u32> {
        self.strike_if_said(progress);
        let lap = self.current.as_mut()?;
        let line_s = progress.moment.seconds() - progress.clock.map_or(0.0, f64::from).max(0.0);
        let clocked = line_s - lap.began_s;
        let missed = next.saturating_sub(lap.number) > 1;
        if missed {
            lap.mark(LapFlag::Incomplete, line_s);
        }
        // The same time again is no time of this lap unless the lap took that long.
        let same = progress.last_lap.filter(|time| (time.seconds() - clocked).abs() < PLAUSIBLE_S);
        let time = new.or(same);
        let serial = self.finish(time.filter(|_| !missed), line_s);
        if missed {
            self.insert_unheard(next - 1, line_s, time);
        }
        serial
    }

    /// The game may say only with the time that a lap does not count.
    fn strike_if_said(&mut self, progress: &LapProgress) {
        if let Some(lap) = self.current.as_mut().filter(|_| progress.last_struck) {
            lap.mark(LapFlag::Invalid, progress.moment.seconds());
        }
    }

    /// A lap of which nothing was heard but its time.
    fn insert_unheard(&mut self, number: u16, ended_s: f64, time: Option<LapTime>) {
        self.serials += 1;
        let began_s = time.map_or(ended_s, |time| ended_s - time.seconds());
        let mut lap = Lap::begin(self.serials, number, self.run, self.pits.stint(), began_s);
        lap.mark(LapFlag::Incomplete, began_s);
        lap.finish(time, ended_s, 0.0);
        self.finished.push(lap);
    }

    /// The official time of the last finished lap has come late, or was corrected.
    fn time_last(&mut self, time: LapTime, moment: Moment) -> Option<u32> {
        let (run, current) = (self.run, self.current.as_ref()?.number);
        let lap = self.finished.last_mut()?;
        if lap.run != run || lap.number.checked_add(1) != Some(current) {
            return None;
        }
        lap.time_is(Some(time), moment.seconds());
        Some(lap.serial)
    }

    /// The official time of the lap that the end of the session broke off, or another one of the lap that a time ended.
    fn time_ended(
        &mut self,
        PendingTime { time, plausible, .. }: PendingTime,
        moment: Moment,
    ) -> Option<u32> {
        let lap = self.finished.last_mut()?;
        if self.ended != Some(lap.number) || (lap.time.is_some() && !plausible) {
            return None;
        }
        lap.ended_whole();
        lap.time_is(Some(time), moment.seconds());
        Some(lap.serial)
    }

    fn break_off(&mut self, moment: Moment, flag: Option<LapFlag>) {
        let Some(mut lap) = self.current.take() else { return };
        let ended_s = self.newest.map_or(lap.began_s, |newest| newest.seconds);
        if ended_s - lap.began_s < DRIVEN_S {
            return;
        }
        // On a restart the moment is already the new run's; what was driven ended with the last word heard.
        let seconds = if flag.is_some() { ended_s } else { moment.seconds() };
        for flag in [LapFlag::Incomplete].into_iter().chain(flag) {
            lap.mark(flag, seconds);
        }
        lap.finish(None, seconds, 0.0);
        self.finished.push(lap);
    }

    /// Undoes laps that had not begun at a time, and makes the one under way then current again.
    fn go_back(&mut self, seconds: f64, not_begun: impl Fn(&Lap) -> bool, not_ended: impl Fn(&Lap) -> bool) {
        let run = self.run;
        self.current.take_if(|lap| not_begun(lap));
        while self.current.is_none() {
            let Some(lap) = self.finished.pop_if(|lap| lap.run == run && not_ended(lap)) else { break };
            self.current = Some(lap).filter(|lap| !not_begun(lap));
        }
        match &mut self.current {
            Some(lap) => lap.reopen(seconds),
            None => self.went_back = true,
        }
        self.pits.go_back(seconds);
        (self.ended, self.newest) = (None, None);
        (self.official, self.pending) = (None, None);
    }
}

impl Pits {
    fn take(&mut self, progress: &LapProgress) {
        match progress.pit {
            PitStatus::OnTrack => {
                let now = progress.moment.seconds();
                let driven = *self.driven.get_or_insert(now);
                self.stops.extend(self.boxed.take().filter(|_| driven < now).map(|boxed| (boxed, now)));
            }
            PitStatus::InPitArea => self.boxed = self.boxed.or(Some(progress.moment.seconds())),
            PitStatus::Pitting | PitStatus::Other(_) => {}
        }
    }

    fn stint(&self) -> u16 {
        u16::try_from(self.stops.len()).unwrap_or(u16::MAX).saturating_add(1)
    }

    fn go_back(&mut self, seconds: f64) {
        while let Some((boxed, _)) = self.stops.pop_if(|(_, left)| *left > seconds) {
            self.boxed = Some(boxed);
        }
        self.boxed = self.boxed.filter(|boxed| *boxed <= seconds);
        self.driven = self.driven.filter(|driven| *driven <= seconds);
    }
}

fn in_pits(pit: PitStatus) -> bool {
    matches!(pit, PitStatus::Pitting | PitStatus::InPitArea)
}

/// Notes what the game says of the lap under way. Tells whether anything is new.
fn note(lap: &mut Lap, progress: &LapProgress) -> bool {
    let before = (lap.sectors, lap.flags);
    lap.sectors.update(progress.sectors);
    let remarks = progress.remarks;
    lap.unconfirmed |= remarks.unconfirmed;
    let said = [
        (LapFlag::Incomplete, remarks.incomplete),
        (LapFlag::Rewound, remarks.rewound),
        (LapFlag::Paused, remarks.paused),
        (LapFlag::Excluded, remarks.excluded),
        (LapFlag::Replay, remarks.replay),
        (LapFlag::Inferred, progress.inferred),
        (LapFlag::Invalid, progress.invalid),
        (LapFlag::Pit, in_pits(progress.pit)),
        (LapFlag::In, progress.driver == DriverStatus::InLap),
        // Where a box is in front of the line, the car is on its way out again before the lap is over that it came in on.
        (LapFlag::Out, progress.driver == DriverStatus::OutLap && !lap.flags.has(LapFlag::In)),
    ];
    for (flag, _) in said.into_iter().filter(|(_, said)| *said) {
        lap.mark(flag, progress.moment.seconds());
    }
    before != (lap.sectors, lap.flags)
}

#[cfg(test)]
mod tests;
