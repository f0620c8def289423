//! Follows the game's clock and that of the stage: restarts, other stages, pauses.

use trailbrake_model::time::Micros;

use super::fields::Field;
use super::structure::Numbers;
use crate::pause_detector::PauseDetector;
use crate::session_clock::{Policy, SessionClock, Step};
use crate::session_mark::SessionMark;

/// A packet this many seconds older than the newest is not merely late: the game was started again.
const APART_S: f64 = 0.5;
/// A packet of another structure within this many seconds of a fuller one adds nothing.
const FULLER_S: f64 = 0.25;
/// The game was paused if it sent nothing for so many seconds that the stage's clock does not count.
const PAUSE_S: f64 = 1.5;

/// What is constant on a stage.
const CONSTANTS: [Field; 7] = [
    Field::StageLength,
    Field::EngineRpmMax,
    Field::GearMaximum,
    Field::VehicleId,
    Field::VehicleClassId,
    Field::LocationId,
    Field::RouteId,
];

/// When a packet was sent, and on which stage.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StageTime {
    /// Seconds since the game was started.
    total_s: f64,
    /// Seconds since the start of the stage.
    stage_s: f64,
    constants: [Option<f64>; CONSTANTS.len()],
}

impl StageTime {
    /// `None` if a clock is no number.
    pub(super) fn of(numbers: &Numbers) -> Option<Self> {
        let clock = |field: Field| numbers.get(field).filter(|seconds| seconds.is_finite());
        Some(Self {
            total_s: clock(Field::GameTotalTime)?,
            stage_s: clock(Field::StageCurrentTime)?,
            constants: CONSTANTS.map(|field| numbers.get(field)),
        })
    }

    /// Whether it is of another stage or car. Packets of two structures may be of the same.
    fn is_elsewhere(&self, other: &Self) -> bool {
        let both = self.constants.iter().zip(other.constants).filter_map(|(own, other)| (*own).zip(other));
        both.into_iter().any(|(own, other)| own != other)
    }
}

/// A stage has no number: it is over when what is constant changes, or when the game is started again.
#[derive(Debug, Default)]
struct Stages;

impl Policy for Stages {
    type Time = StageTime;

    fn judge(&self, newest: &StageTime, now: &StageTime) -> (Step, u32) {
        let passed = now.total_s - newest.total_s;
        if newest.is_elsewhere(now) || passed < -APART_S {
            return (Step::Begins, 2);
        }
        match passed {
            ..0.0 => (Step::Late, 1),
            0.0 => (Step::Still, 1),
            // The clock of a stage runs on or stands, whatever the car does.
            _ if now.stage_s < newest.stage_s => (Step::Restarts, 2),
            _ => (Step::Flows, 1),
        }
    }

    fn confirms(&self, _newest: &StageTime, doubted: &StageTime, now: &StageTime) -> bool {
        let passed = now.total_s - doubted.total_s;
        (0.0..APART_S).contains(&passed) && now.stage_s >= doubted.stage_s && !doubted.is_elsewhere(now)
    }

    fn believe(&mut self, step: Step, newest: Option<&StageTime>, now: &mut StageTime) {
        if let Some(newest) = newest.filter(|_| step == Step::Flows) {
            now.constants.iter_mut().zip(newest.constants).for_each(|(own, before)| *own = own.or(before));
        }
    }
}

/// Follows the clock of one sender.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    clock: SessionClock<Stages>,
    pause: PauseDetector<250>,
    /// Bytes of the longest packet, and when it was received.
    longest: (usize, Micros),
    received: Micros,
    /// The last mark that is no update. Games repeat marks, so one counts only after another.
    mark: Option<SessionMark>,
}

impl Timeline {
    /// Whether fuller packets also arrive: the driver's files list two structures for this address.
    pub(super) fn has_fuller(&self, at: Micros, bytes: usize) -> bool {
        let (longest, received) = self.longest;
        bytes < longest && at.seconds_since(received) < FULLER_S
    }

    /// Takes a mark that is no update. Returns whether it is news.
    pub(super) fn mark(&mut self, at: Micros, mark: SessionMark) -> bool {
        self.received = at;
        self.mark.replace(mark) != Some(mark)
    }

    /// Takes the next packet of a car, with everything after its clocks. Returns what it means, and whether the stage's
    /// clock stood in a silence before it.
    pub(super) fn step(&mut self, at: Micros, now: StageTime, bytes: usize, content: &[u8]) -> (Step, bool) {
        let before = self.clock.newest().copied();
        let step = self.clock.step(now);
        if step.moves() {
            self.longest = (bytes, at);
        }
        let step = self.pause.follow(step, content, at);
        let silent_s = at.seconds_since(std::mem::replace(&mut self.received, at));
        if !step.moves() {
            return (step, false);
        }
        if matches!(step, Step::Begins | Step::Restarts) {
            self.mark = None;
        }
        let runs = matches!(step, Step::Flows | Step::Resumes);
        let stood = before
            .filter(|before| runs && before.stage_s > 0.0)
            .is_some_and(|before| silent_s - (now.stage_s - before.stage_s) > PAUSE_S);
        (step, stood)
    }

    /// Whether the stage's clock has run since a packet.
    pub(super) fn runs_since(&self, stage_s: f64) -> bool {
        self.clock.newest().is_some_and(|newest| newest.stage_s > stage_s)
    }

    /// Seconds on the game's clock and the stage's, at the newest packet.
    pub(super) fn newest_s(&self) -> Option<(f64, f64)> {
        self.clock.newest().map(|newest| (newest.total_s, newest.stage_s))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(total_s: f64, stage_s: f64, length_m: f64) -> StageTime {
        let mut constants = [None; CONSTANTS.len()];
        constants[0] = Some(length_m);
        StageTime { total_s, stage_s, constants }
    }

    /// Packets received as they are sent: both clocks, and the stage's length.
    fn check(packets: &[(f64, f64, f64)], expected: &str) {
        let mut timeline = Timeline::default();
        let seen: String = packets
            .iter()
            .zip(0_u8..)
            .map(|(&(total_s, stage_s, length_m), number)| {
                let at = Micros(0).plus_seconds(1000.0 + total_s);
                match timeline.step(at, time(total_s, stage_s, length_m), 275, &[number]) {
                    (Step::Flows, true) => '>',
                    (Step::Flows, _) => '.',
                    (Step::Begins, _) => 'B',
                    (Step::Restarts, _) => 'R',
                    (Step::Still, _) => '=',
                    (Step::Late | Step::Stray, _) => '?',
                    other => panic!("{other:?}"),
                }
            })
            .collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn time_flows_and_stragglers_change_nothing() {
        check(&[(10.0, 1.0, 9.0), (10.1, 1.1, 9.0), (10.05, 1.05, 9.0), (10.2, 1.2, 9.0)], "B.?.");
        check(&[(10.0, 1.0, 9.0), (10.0, 1.0, 9.0), (10.1, 1.1, 9.0)], "B=.");
    }

    #[test]
    fn a_clock_of_the_stage_that_falls_is_a_restart() {
        check(&[(10.0, 60.0, 9.0), (15.0, 0.0, 9.0), (15.1, 0.0, 9.0), (15.2, 0.1, 9.0)], "B?R.");
        check(&[(10.0, 60.0, 9.0), (15.0, 0.0, 9.0), (15.1, 65.1, 9.0)], "B?.");
    }

    #[test]
    fn another_stage_and_another_start_of_the_game_begin_a_session() {
        check(&[(10.0, 60.0, 9.0), (90.0, 0.0, 8.0), (90.1, 0.0, 8.0)], "B?B");
        check(&[(10.0, 60.0, 9.0), (10.1, 60.1, 8.0), (10.2, 60.2, 9.0)], "B?.");
        check(&[(500.0, 60.0, 9.0), (40.0, 0.0, 9.0), (40.1, 0.0, 9.0)], "B?B");
    }

    #[test]
    fn silence_in_which_the_stage_stands_is_a_pause_and_lost_packets_are_none() {
        check(&[(10.0, 5.0, 9.0), (30.0, 5.1, 9.0), (30.1, 5.2, 9.0)], "B>.");
        check(&[(10.0, 5.0, 9.0), (30.0, 25.0, 9.0)], "B.");
        // At the start, the clock waits for the signal.
        check(&[(10.0, 0.0, 9.0), (30.0, 0.0, 9.0)], "B.");
    }

    #[test]
    fn a_mark_that_repeats_is_no_news_until_another_one_comes() {
        let mut timeline = Timeline::default();
        let mut mark = |mark| timeline.mark(Micros(1), mark);
        assert!(mark(SessionMark::Pause) && !mark(SessionMark::Pause));
        assert!(mark(SessionMark::Resume) && mark(SessionMark::Pause) && mark(SessionMark::End));
        assert!(!mark(SessionMark::End) && mark(SessionMark::Start));
    }

    #[test]
    fn the_end_of_the_next_run_is_news_though_no_start_was_sent() {
        let mut timeline = Timeline::default();
        let step = |timeline: &mut Timeline, total_s: f64, stage_s: f64| {
            let at = Micros(0).plus_seconds(total_s);
            timeline.step(at, time(total_s, stage_s, 9.0), 275, &total_s.to_le_bytes()).0
        };
        step(&mut timeline, 100.0, 60.0);
        assert!(timeline.mark(Micros(105_000_000), SessionMark::End));
        assert_eq!(
            [step(&mut timeline, 110.0, 0.0), step(&mut timeline, 110.1, 0.0)],
            [Step::Stray, Step::Restarts]
        );
        assert!(timeline.mark(Micros(105_000_000), SessionMark::End));
    }

    #[test]
    fn a_packet_of_a_smaller_structure_adds_nothing_to_a_fuller_one() {
        let mut timeline = Timeline::default();
        timeline.step(Micros(1_000_000), time(10.0, 1.0, 9.0), 275, &[1]);
        assert!(timeline.has_fuller(Micros(1_010_000), 237) && !timeline.has_fuller(Micros(1_010_000), 275));
        assert!(!timeline.has_fuller(Micros(2_000_000), 237), "the fuller one stopped");
    }
}
