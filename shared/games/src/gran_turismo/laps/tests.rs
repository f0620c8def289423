use super::*;

/// A line that nothing else is known of is put in the middle between two packets.
const HALF_S: f64 = 1.0 / 120.0;
const HALF_M: f64 = 50.0 / 120.0;

/// Drives a session packet by packet at 50 m/s.
#[derive(Default)]
struct Drive {
    laps: Laps,
    tick: Tick,
    turns: Vec<Step>,
    standing: Option<Standing>,
}

impl Drive {
    /// A drive on a lap of a race of `total_laps` laps.
    fn of(lap: i16, total_laps: i16) -> Self {
        let tick =
            Tick { id: 1000, lap, total_laps, last_lap: -1, best_lap: -1, speed: 50.0, ..Tick::default() };
        let mut drive = Self { tick, ..Self::default() };
        drive.step(0);
        drive
    }

    /// Drives on by this many ticks.
    fn step(&mut self, ticks: i32) -> &mut Self {
        self.tick.id += ticks;
        let (turn, standing) = self.laps.step(&self.tick, true);
        self.turns.extend(turn);
        self.standing = standing;
        self
    }

    fn run(&mut self, packets: i32) -> &mut Self {
        (0..packets).for_each(|_| {
            self.step(1);
        });
        self
    }

    /// Crosses the line, with the official time of the lap that ends there.
    fn line(&mut self, last_lap: i32) -> &mut Self {
        self.tick.lap += 1;
        self.tick.last_lap = last_lap;
        self.step(1)
    }

    fn standing(&self) -> Standing {
        self.standing.expect("a standing")
    }

    fn progress(&self) -> LapProgress {
        self.laps.progress(&self.standing(), Moment::default(), &self.tick)
    }

    fn check(&self, lap: i16, clock: Option<f64>, distance: Option<f64>) {
        let near = |found: Option<f64>, expected: Option<f64>, slack: f64| match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() < slack,
            (found, expected) => found == expected,
        };
        let found = self.standing();
        assert_eq!(found.lap, lap);
        assert!(near(found.clock, clock, 1e-6), "{found:?}");
        assert!(near(found.distance, distance, 1e-3), "{found:?}");
    }
}

#[test]
fn a_lap_that_was_joined_has_neither_clock_nor_distance_until_the_line() {
    let mut drive = Drive::of(3, 5);
    drive.run(900).check(3, None, None);
    drive.line(90_000).check(4, Some(HALF_S), Some(HALF_M));
    drive.run(60).check(4, Some(1.0 + HALF_S), Some(50.0 + HALF_M));
    assert_eq!(drive.turns, [Step::NextLap]);
    assert_eq!(
        (drive.progress().last_lap, drive.progress().lap),
        (Some(trailbrake_model::time::LapTime(90_000)), 4)
    );
}

#[test]
fn the_clock_is_put_right_at_the_line_by_the_official_time() {
    let mut drive = Drive::of(0, 5);
    drive.run(30).check(0, None, None);
    drive.line(-1).check(1, Some(HALF_S), Some(HALF_M));
    // 1200 ticks are 20.000 s; the second line was 6 ms further before its packet than the first.
    drive.run(1199).line(19_994).check(2, Some(HALF_S + 0.006), Some(HALF_M + 0.3));
    drive.run(600).check(2, Some(10.006 + HALF_S), Some(500.3 + HALF_M));
    // And the third 13 ms less, so that the first was not in the middle: all laps share that error.
    drive.run(599).line(20_013).check(3, Some(HALF_S - 0.007), Some(HALF_M - 0.35));
    // An official time that puts the line into the future or far into the past gives no correction.
    drive.run(1199).line(20_400).check(4, Some(HALF_S), Some(HALF_M));
    drive.run(1199).line(19_000).check(5, Some(HALF_S), Some(HALF_M));
    assert_eq!(drive.turns[..2], [Step::Begins, Step::NextLap]);
    assert_eq!(drive.turns.len(), 5);
}

#[test]
fn lost_ticks_count_and_far_jumps_count_by_where_the_car_is() {
    let mut drive = Drive::of(0, 5);
    drive.line(-1).step(60).check(1, Some(1.0 + HALF_S), Some(50.0 + HALF_M));
    drive.tick.position = [70.0, 0.0, 0.0];
    drive.step(120).check(1, Some(3.0 + HALF_S), Some(120.0 + HALF_M));
    // Too fast to be driven: the car was repositioned.
    drive.tick.position = [9000.0, 0.0, 0.0];
    drive.step(120).check(1, Some(5.0 + HALF_S), Some(120.0 + HALF_M));
    drive.tick.speed = f32::NAN;
    drive.step(1).check(1, Some(5.0 + 1.0 / 60.0 + HALF_S), Some(120.0 + HALF_M));
}

#[test]
fn pauses_do_not_count() {
    let mut drive = Drive::of(0, 5);
    drive.line(-1).run(60);
    for _ in 0..600 {
        drive.tick.id += 1;
        assert_eq!(drive.laps.step(&drive.tick, false), (None, None));
    }
    drive.run(60).check(1, Some(2.0 + HALF_S), Some(100.0 + HALF_M));
}

#[test]
fn the_games_own_clock_stands_above_ours() {
    let mut drive = Drive::of(2, 0);
    drive.tick.lap_clock = Some(40_500);
    drive.step(1).check(2, Some(40.5), None);
    drive.tick.lap_clock = Some(-1);
    drive.step(60).check(2, Some(41.5), None);
    // Packets from the line on: the first metres are known.
    let mut drive = Drive::of(2, 0);
    drive.tick.lap_clock = Some(34);
    drive.step(1).check(2, Some(0.034), Some(1.7));
    // The packet at the line still has the old lap's clock.
    drive.run(900);
    (drive.tick.lap_clock, drive.tick.last_lap) = (Some(15_040), -1);
    drive.line(15_034).check(3, Some(0.006), Some(0.3));
    drive.tick.lap_clock = Some(23);
    drive.step(1).check(3, Some(0.023), Some(0.3 + 50.0 / 60.0));
}

#[test]
fn when_the_packet_at_the_line_is_lost_the_next_one_shows_how_late_it_is() {
    let mut drive = Drive::of(1, 0);
    drive.tick.lap_clock = Some(15_000);
    drive.run(900);
    (drive.tick.lap, drive.tick.last_lap, drive.tick.lap_clock) = (2, 30_034, Some(100));
    drive.step(8).check(2, Some(0.1), Some(5.0));
    // The same without a clock: 900 ticks since the line, and the lap time gives the time of the next line.
    let mut drive = Drive::of(0, 0);
    drive.line(-1).run(900);
    (drive.tick.lap, drive.tick.last_lap) = (2, 15_034);
    let late = HALF_S + 15.0 + 8.0 / 60.0 - 15.034;
    drive.step(8).check(2, Some(late), Some(50.0 * late));
}

#[test]
fn a_counter_that_flickers_changes_nothing() {
    let mut drive = Drive::of(0, 5);
    drive.line(-1).run(120);
    for number in [7, 0, 2] {
        drive.tick.lap = number;
        drive.run(5);
        assert_eq!(drive.standing, None, "no standing while in doubt");
        drive.tick.lap = 1;
        drive.step(1);
    }
    drive.check(1, Some(138.0 / 60.0 + HALF_S), Some(115.0 + HALF_M));
    assert_eq!(drive.turns, [Step::Begins]);
}

#[test]
fn a_lap_received_for_a_moment_only_ends_when_the_counter_stays() {
    let mut drive = Drive::of(4, 5);
    drive.run(60).line(90_000).run(4);
    assert_eq!(drive.standing, None);
    drive.run(1).check(5, Some(5.0 / 60.0 + HALF_S), Some(5.0 * 50.0 / 60.0 + HALF_M));
    assert_eq!(drive.turns, [Step::Jumps]);
}

#[test]
fn a_falling_count_is_a_restart() {
    let mut drive = Drive::of(0, 5);
    drive.line(-1).run(900);
    drive.tick.lap = 0;
    drive.step(841).run(5);
    assert_eq!(drive.turns, [Step::Begins, Step::Restarts]);
    drive.check(0, None, None);
    assert!((drive.standing().total_distance - 5.0 * 50.0 / 60.0).abs() < 1e-6);
    drive.line(-1).check(1, Some(HALF_S), Some(HALF_M));
}

#[test]
fn a_race_is_finished_one_lap_after_its_last() {
    let mut drive = Drive::of(0, 2);
    drive.tick.grid = 7;
    drive.line(-1).run(900).line(15_000).run(900);
    let before = drive.progress();
    assert_eq!((before.result, before.driver, before.grid), (ResultStatus::Active, DriverStatus::OnTrack, 7));
    drive.tick.grid = -1;
    drive.line(15_017);
    let after = drive.progress();
    assert_eq!((after.result, after.driver, after.grid), (ResultStatus::Finished, DriverStatus::InLap, 7));
    assert_eq!((after.lap, after.last_lap), (3, Some(trailbrake_model::time::LapTime(15_017))));
}

#[test]
fn before_the_line_of_a_time_trial_is_an_out_lap() {
    assert_eq!(Drive::of(0, 0).progress().driver, DriverStatus::OutLap);
    assert_eq!(Drive::of(0, 3).progress().driver, DriverStatus::OnTrack);
    assert_eq!(Drive::of(1, 0).progress().driver, DriverStatus::OnTrack);
}

#[test]
fn without_counted_laps_there_is_no_standing() {
    assert_eq!(Drive::of(-1, 0).standing, None);
}

#[test]
fn a_restart_of_the_same_lap_is_detected_from_the_games_clock() {
    let mut drive = Drive::of(1, 0);
    let go = |drive: &mut Drive, from_ms: i32, packets: i32| {
        for packet in 0..packets {
            drive.tick.lap_clock = Some(from_ms + packet * 50 / 3);
            drive.step(1);
        }
    };
    go(&mut drive, 16, 1800);
    assert_eq!(drive.turns, []);
    // A short glitch is no restart.
    go(&mut drive, 100, 3);
    go(&mut drive, 30_050, 100);
    assert_eq!(drive.turns, []);
    go(&mut drive, 0, 600);
    assert_eq!(drive.turns, [Step::Restarts]);
    let standing = drive.standing();
    let clock = standing.clock.expect("a clock");
    assert!((clock - 599.0 / 60.0).abs() < 0.01, "{standing:?}");
    let distance = standing.distance.expect("a distance");
    assert!((distance - 599.0 / 60.0 * 50.0).abs() < 1.0, "{standing:?}");
    // After the flag the clock stops, which is no restart either.
    drive.tick.lap_clock = Some(9_983);
    drive.run(600);
    drive.tick.lap_clock = Some(-1);
    drive.run(600);
    assert_eq!(drive.turns, [Step::Restarts]);
}
