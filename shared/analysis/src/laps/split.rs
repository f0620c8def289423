//! Splits one car's progress into laps.

use trailbrake_model::time::LapTime;
use trailbrake_model::{LapProgress, Moment, ResultStatus, SessionInfo, Weather};

use super::lap::JOINED_S;
use super::pits::Pits;
use super::report::{note, repeats};
use super::{Lap, LapFlag};

/// An official time that changes this soon after the start of a lap belongs to the lap before, seconds.
const SETTLE_S: f64 = 5.0;
/// An official time is plausible within this distance of the lap clock, seconds.
const PLAUSIBLE_S: f64 = 2.0;
/// An official time that comes neither with a new lap number nor plausibly is accepted after this many packets in a
/// row.
const STEADY_PACKETS: u32 = 3;
/// How long the clock of an ended lap must have stopped or restarted, seconds.
const STOPPED_S: f64 = 3.0;
/// Maximum lap time: half a day, in seconds.
const LONGEST_S: f64 = 43_200.0;
/// A clock that stood at zero for less than this had just started, seconds.
const STOOD_S: f64 = 0.01;
/// A broken-off lap shorter than this is dropped, seconds.
pub const DRIVEN_S: f64 = 1.0;

/// One car's laps. Lost, duplicated or reordered packets do not change them.
#[derive(Clone, Debug, Default)]
pub struct CarLaps {
    finished: Vec<Lap>,
    current: Option<Lap>,
    /// The number of the last lap, if it ended before the game counted on, as at the chequered flag.
    ended: Option<u16>,
    /// The last accepted progress, with its lap counted from the start of the session.
    last: Option<LapProgress>,
    /// Whether the game went back since then, so that the next progress follows none.
    went_back: bool,
    /// Whether the game was paused since then.
    paused: bool,
    /// Whether progress that repeats the last one, but for time and place, changes nothing.
    is_settled: bool,
    /// Laps completed before the decoder started, which its lap count misses.
    uncounted: u16,
    /// The last accepted official time.
    official: Option<LapTime>,
    /// Another official time, not accepted yet.
    pending: Option<PendingTime>,
    run: u16,
    serials: u32,
    pits: Pits,
    /// Whether a rewind went back to before the first lap.
    rewound_all: bool,
    /// The lap under way at the first packet, from a recording.
    recalled: Option<Lap>,
    /// The serial and run of the first lap that is decoded from its beginning.
    next: Option<(u32, u16)>,
}

/// What a progress report did to the laps, by serial.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The lap that ended.
    pub finished: Option<u32>,
    /// The lap that began: the game counts it, or its clock starts.
    pub began: Option<u32>,
    /// A lap that ended before and got its official time only now.
    pub timed: Option<u32>,
    /// Whether only the end of the finished lap was received, and the rest comes from a recording.
    pub recalled: bool,
    /// Whether the lap under way got a sector time or a flag.
    pub noted: bool,
}

/// An official time that the game sends but that is not accepted yet.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PendingTime {
    time: LapTime,
    since_s: f64,
    packets: u32,
    /// Whether it was plausible when it was first sent.
    plausible: bool,
}

impl CarLaps {
    /// The finished laps, in order.
    pub fn finished(&self) -> &[Lap] {
        &self.finished
    }

    /// The lap under way.
    pub fn current(&self) -> Option<&Lap> {
        self.current.as_ref()
    }

    /// The lap with this serial, finished or under way.
    pub fn lap(&self, serial: u32) -> Option<&Lap> {
        let finished = self.finished.binary_search_by_key(&serial, |lap| lap.serial);
        match finished {
            Ok(place) => self.finished.get(place),
            Err(_) => self.current.as_ref().filter(|lap| lap.serial == serial),
        }
    }

    /// The best counted lap.
    pub fn best(&self) -> Option<&Lap> {
        let counting = self.finished.iter().filter_map(|lap| Some((lap.counts()?, lap)));
        counting.min_by_key(|(time, lap)| (*time, lap.serial)).map(|(_, lap)| lap)
    }

    /// The number of the last lap that the car has completed in this run, as the game counts; 0 for none.
    pub fn completed(&self) -> u16 {
        if let Some(lap) = &self.current {
            return lap.number.saturating_sub(1);
        }
        let by_count = |newest: &LapProgress| match newest.result {
            ResultStatus::Finished => newest.lap,
            _ => newest.lap.saturating_sub(1),
        };
        self.ended.or_else(|| self.newest().map(by_count)).unwrap_or_default()
    }

    /// The current stint, counted from 1.
    pub fn stint(&self) -> u16 {
        self.pits.stint()
    }

    /// How often the session has been restarted.
    pub fn run(&self) -> u16 {
        self.run
    }

    /// The last progress, with its lap counted from the start of the session.
    pub fn last_progress(&self) -> Option<&LapProgress> {
        self.last.as_ref()
    }

    /// The last progress, unless the game went back since.
    fn newest(&self) -> Option<&LapProgress> {
        self.last.as_ref().filter(|_| !self.went_back)
    }

    /// The moment of the newest progress, in seconds on the game's clock.
    pub fn newest_s(&self) -> Option<f64> {
        self.newest().map(|newest| newest.moment.seconds())
    }

    /// The laps of a car's next driver. Their serials continue after the previous driver's.
    pub fn of_next_driver(&self) -> Self {
        Self { serials: self.serials, ..Self::default() }
    }

    /// The laps of a car that is decoded only from the middle of its session, from a recording: the finished ones, the
    /// one under way, and the serial and run of the one after it.
    pub fn recalled(ended: Vec<Lap>, under_way: Option<Lap>, next: Option<(u32, u16)>) -> Self {
        let last = under_way.as_ref().or(ended.last());
        Self {
            serials: ended.last().map_or(0, |lap| lap.serial),
            run: last.map_or(0, |lap| lap.run),
            pits: last.map_or_else(Pits::default, |lap| Pits::before(lap.stint)),
            finished: ended,
            recalled: under_way,
            next,
            ..Self::default()
        }
    }

    /// Flags the lap under way if it is watched in a replay, or if it rains.
    pub fn flag_conditions(&mut self, info: &SessionInfo, moment: Moment) {
        let Some(lap) = &mut self.current else { return };
        if info.replay == Some(true) {
            lap.mark_replay();
        }
        if info.weather.is_some_and(Weather::is_rain) {
            lap.mark(LapFlag::Rain, moment.seconds());
        }
    }

    /// Takes a newer progress report if it repeats the one before but for time and place, as most do. Returns false for
    /// any other, which [`Self::progress`] takes.
    #[inline]
    pub fn drive_on(&mut self, progress: &LapProgress) -> bool {
        let drives_on = self.is_settled
            && self.newest().is_some_and(|newest| repeats(newest, progress))
            && self.current.as_ref().is_some_and(|lap| lap.number == self.number(progress))
            && !self.clock_starts(progress);
        if drives_on {
            self.accept(progress);
        }
        drives_on
    }

    /// Takes a progress report. Returns `None` if it is not newer than the last one; then nothing changes.
    pub fn progress(&mut self, progress: &LapProgress) -> Option<Change> {
        if progress.result == ResultStatus::Invalid || self.is_old(progress.moment) {
            return None;
        }
        if self.drive_on(progress) {
            return Some(Change::default());
        }
        if let Some(recalled) = self.recalled.as_ref().filter(|_| self.last.is_none()) {
            self.uncounted = recalled.number.saturating_sub(progress.lap);
        }
        let number = self.number(progress);
        if self.current.as_ref().is_some_and(|lap| number < lap.number) {
            // A falling lap number alone reports the rewind.
            self.go_back(progress.moment.seconds(), |lap| lap.number > number, |lap| lap.number >= number);
        }
        self.pits.take(progress);
        if std::mem::take(&mut self.paused)
            && let Some((lap, newest)) =
                self.current.as_mut().zip(self.last.as_mut().filter(|_| !self.went_back))
        {
            lap.resumed(newest.moment.seconds(), progress.moment.seconds());
            newest.moment = progress.moment;
        }
        let believed = self.official_if_new(number, progress);
        let official = believed.map(|believed| believed.time);
        let mut change = Change::default();
        match self.current.as_ref().map(|lap| lap.number) {
            Some(current) if current == number => match believed {
                Some(believed) if self.ends_current(believed.since_s) => {
                    self.invalidate_if_reported(progress);
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
        }
        self.accept(progress);
        self.is_settled = self.pending.is_none();
        Some(change)
    }

    /// Remembers a progress report as the newest.
    #[inline]
    fn accept(&mut self, progress: &LapProgress) {
        let now_s = progress.moment.seconds();
        let before_s = self.newest_s();
        if let Some(lap) = &mut self.current {
            lap.receive(before_s.map_or(0.0, |before_s| now_s - before_s.max(lap.began_s)));
        }
        let lap = self.counted(progress);
        self.last.insert(*progress).lap = lap;
        self.went_back = false;
    }

    /// Undoes everything after the target of a rewind.
    pub fn rewound(&mut self, to: Moment) {
        let seconds = to.seconds();
        let after = |lap: &Lap| lap.began_s > seconds;
        self.go_back(seconds, after, |lap| lap.ended_s.is_some_and(|ended| ended > seconds));
    }

    /// Starts a new run. The lap under way is broken off.
    pub fn restarted(&mut self, moment: Moment) {
        self.break_off(moment, Some(LapFlag::Restarted));
        self.run = self.run.saturating_add(1);
        (self.ended, self.went_back, self.rewound_all) = (None, true, false);
        (self.recalled, self.uncounted) = (None, 0);
        (self.official, self.pending) = (None, None);
        self.pits = Pits::default();
    }

    /// Ends the session. If the official time of the broken-off lap still arrives, it completes the lap.
    pub fn session_ended(&mut self, moment: Moment) {
        let number = self.current.as_ref().map(|lap| lap.number);
        self.break_off(moment, None);
        self.ended = number.or(self.ended);
    }

    /// Flags the lap under way as paused.
    pub fn paused(&mut self, moment: Moment) {
        (self.paused, self.is_settled) = (true, false);
        if let Some(lap) = &mut self.current {
            lap.mark(LapFlag::Paused, moment.seconds());
        }
    }

    /// Flags the lap under way: the car was reset to the track.
    pub fn recovered(&mut self, moment: Moment) {
        if let Some(lap) = &mut self.current {
            lap.mark(LapFlag::Reset, moment.seconds());
        }
    }

    /// Excludes a lap, or includes it again. Returns whether there is such a lap.
    pub fn exclude(&mut self, serial: u32, excluded: bool) -> bool {
        self.is_settled = false;
        let mut laps = self.finished.iter_mut().chain(&mut self.current);
        let Some(lap) = laps.find(|lap| lap.serial == serial) else { return false };
        lap.exclude(excluded);
        true
    }

    /// Whether a moment is not newer than the last progress.
    #[inline]
    pub fn is_old(&self, moment: Moment) -> bool {
        let Some(newest) = self.newest() else { return false };
        let (seconds, newest_s) = (moment.seconds(), newest.moment.seconds());
        let frames = moment.frame.zip(newest.moment.frame);
        seconds < newest_s || (seconds == newest_s && frames.is_none_or(|(frame, newest)| frame <= newest))
    }

    /// The game's lap number, counted from the start of the session; 0 if the game counts no laps.
    fn counted(&self, progress: &LapProgress) -> u16 {
        if progress.lap > 0 { progress.lap.saturating_add(self.uncounted) } else { 0 }
    }

    /// The lap number: the game's, or counted at the line if the game sends none.
    fn number(&self, progress: &LapProgress) -> u16 {
        if progress.lap > 0 {
            return self.counted(progress);
        }
        let Some(current) = &self.current else {
            let before = self.finished.last().filter(|lap| lap.run == self.run);
            return before.map_or(0, |lap| lap.number).saturating_add(1);
        };
        let clocks = progress.clock.zip(self.newest().and_then(|newest| newest.clock));
        let crossed = clocks.is_some_and(|(now, before)| now < before - 1.0);
        current.number.saturating_add(u16::from(crossed))
    }

    /// The official time of the lap before, once a different one is accepted. A single packet may contain anything.
    fn official_if_new(&mut self, number: u16, progress: &LapProgress) -> Option<PendingTime> {
        let time = progress.last_lap.filter(|time| time.seconds() <= LONGEST_S)?;
        if self.newest().is_none() {
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
            // Only the time says that the lap has ended. Its clock has then stopped or restarted.
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
        believed.then_some(pending)
    }

    /// Whether a time first sent at this moment belongs to the lap under way. Shortly after the line it belongs to the
    /// one before.
    fn ends_current(&self, since_s: f64) -> bool {
        self.current.as_ref().is_some_and(|lap| since_s - lap.began_s >= SETTLE_S)
    }

    /// Whether an official time is near the clocked time of its lap.
    fn is_plausible(&self, time: LapTime, now_s: f64) -> bool {
        let clocked = match &self.current {
            // It is unknown how long an unclocked lap had run before its first packet.
            Some(lap) if self.ends_current(now_s) => {
                if !lap.is_unclocked() {
                    Some(self.clocked_s(lap, now_s))
                } else {
                    None
                }
            }
            _ => self.finished.last().and_then(|lap| lap.ended_s.map(|ended_s| [ended_s - lap.began_s; 2])),
        };
        clocked.is_some_and(|[least_s, most_s]| {
            (least_s - PLAUSIBLE_S..=most_s + PLAUSIBLE_S).contains(&time.seconds())
        })
    }

    /// The minimum and maximum duration of the lap under way if it ended between the newest packet and `seconds`, by
    /// the game's clock, which stands still in pauses.
    fn clocked_s(&self, lap: &Lap, seconds: f64) -> [f64; 2] {
        let clock =
            self.newest().and_then(|newest| Some((newest.moment.seconds(), f64::from(newest.clock?))));
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
        if progress.pit.is_in_pits() {
            lap.mark(LapFlag::Out, began_s);
        }
        if std::mem::take(&mut self.rewound_all) {
            lap.mark(LapFlag::Rewound, began_s);
        }
        self.current = Some(lap);
        self.ended = None;
        Some(self.serials)
    }

    /// Whether the clock of the lap under way starts late.
    #[inline]
    fn clock_starts(&self, progress: &LapProgress) -> bool {
        let stood = || self.newest().and_then(|newest| newest.clock).is_some_and(|clock| clock <= 0.0);
        let is_unclocked = || self.current.as_ref().is_some_and(Lap::is_unclocked);
        progress.clock.is_some_and(|clock| is_unclocked() || clock > 0.0 && stood())
    }

    /// Restarts the lap when its clock starts late: the car reached the line, or the race started.
    fn cross_the_line(&mut self, progress: &LapProgress) -> Option<u32> {
        let began_s = progress.moment.seconds() - f64::from(progress.clock?);
        let starts = self.clock_starts(progress);
        let lap = self.current.as_mut().filter(|_| starts)?;
        if began_s - lap.began_s < STOOD_S {
            if lap.is_unclocked() {
                lap.clocked(began_s);
                lap.has_clock();
            }
            return None;
        }
        lap.restart(began_s);
        if progress.pit.is_in_pits() {
            lap.mark(LapFlag::Out, lap.began_s);
        }
        Some(lap.serial)
    }

    /// Ends the lap under way. At the chequered flag the game does not count on.
    fn finish(&mut self, time: Option<LapTime>, seconds: f64) -> Option<u32> {
        let mut lap = self.current.take()?;
        if self.newest().is_some_and(|newest| newest.pit.is_in_pits()) {
            lap.mark(LapFlag::In, seconds);
        }
        let before_s = self.newest_s().unwrap_or(seconds);
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
        self.invalidate_if_reported(progress);
        let lap = self.current.as_mut()?;
        let line_s = progress.moment.seconds() - progress.clock.map_or(0.0, f64::from).max(0.0);
        let clocked = line_s - lap.began_s;
        let missed = next.saturating_sub(lap.number) > 1;
        if missed {
            lap.mark(LapFlag::Incomplete, line_s);
        }
        // A repeated time belongs to this lap only if the lap took that long.
        let same = progress.last_lap.filter(|time| (time.seconds() - clocked).abs() < PLAUSIBLE_S);
        let time = new.or(same);
        let serial = self.finish(time.filter(|_| !missed), line_s);
        if missed {
            self.insert_missed(next - 1, line_s, time);
        }
        serial
    }

    /// Some games report an invalid lap only together with its time.
    fn invalidate_if_reported(&mut self, progress: &LapProgress) {
        if let Some(lap) = self.current.as_mut()
            && progress.last_struck
        {
            lap.mark(LapFlag::Invalid, progress.moment.seconds());
        }
    }

    /// Inserts a lap of which only the time was received.
    fn insert_missed(&mut self, number: u16, ended_s: f64, time: Option<LapTime>) {
        self.serials += 1;
        let began_s = time.map_or(ended_s, |time| ended_s - time.seconds());
        let mut lap = Lap::begin(self.serials, number, self.run, self.pits.stint(), began_s);
        lap.mark(LapFlag::Incomplete, began_s);
        if self.finished.last().is_some_and(|before| before.flags.has(LapFlag::Replay)) {
            lap.mark_replay();
        }
        lap.finish(time, ended_s, 0.0);
        self.finished.push(lap);
    }

    /// Sets the official time of the last finished lap when it arrives late or was corrected.
    fn time_last(&mut self, time: LapTime, moment: Moment) -> Option<u32> {
        let (run, current) = (self.run, self.current.as_ref()?.number);
        let lap = self.finished.last_mut()?;
        if lap.run != run || lap.number.checked_add(1) != Some(current) {
            return None;
        }
        lap.time_is(Some(time), moment.seconds());
        Some(lap.serial)
    }

    /// Sets the official time of a lap that the end of the session broke off, or corrects that of a lap which a time
    /// ended.
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
        let ended_s = self.newest_s().unwrap_or(lap.began_s);
        if ended_s - lap.began_s < DRIVEN_S {
            return;
        }
        // After a restart the moment is the new run's; the old lap ended with the last packet received.
        let seconds = if flag.is_some() { ended_s } else { moment.seconds() };
        for flag in [LapFlag::Incomplete].into_iter().chain(flag) {
            lap.mark(flag, seconds);
        }
        lap.finish(None, seconds, 0.0);
        self.finished.push(lap);
    }

    /// Undoes laps that had not begun at a time, and reopens the one under way then.
    fn go_back(&mut self, seconds: f64, not_begun: impl Fn(&Lap) -> bool, not_ended: impl Fn(&Lap) -> bool) {
        let run = self.run;
        self.current.take_if(|lap| not_begun(lap));
        while self.current.is_none() {
            let Some(lap) = self.finished.pop_if(|lap| lap.run == run && not_ended(lap)) else { break };
            self.current = Some(lap).filter(|lap| !not_begun(lap));
        }
        match &mut self.current {
            Some(lap) => lap.reopen(seconds),
            None => self.rewound_all = true,
        }
        self.pits.go_back(seconds);
        (self.ended, self.went_back) = (None, true);
        (self.official, self.pending) = (None, None);
    }
}

#[cfg(test)]
mod tests;
