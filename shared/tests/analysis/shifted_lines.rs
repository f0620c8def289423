//! Laps of one track from different games, with other world coordinates and other start lines.

use trailbrake_shared::analysis::{Comparison, NoComparison, ReferenceLine, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::{Axis, Channel, Columns, Moment};
use trailbrake_shared::sim::{Options, Start};
use trailbrake_shared::time::{LapTime, Micros};

use super::simulated::{SimulatedLap, Simulation, changed, simulate};

fn simulated_laps(feed: Feed, circuit: usize, seed: u64, seconds: u32, hz: u32) -> Vec<SimulatedLap> {
    let options = Options { cars: 1, player: 0, circuit, seed, again: false, ..Options::default() };
    simulate(&Simulation { feed, options, seconds, hz, noise_m: 0.1, loses: 0.02 }).0
}

/// The same lap in rotated and translated coordinates, as in another game.
pub(super) fn elsewhere(columns: &Columns) -> Columns {
    let axes = Axis::ALL.map(|axis| Channel::Position.along(axis));
    let (sin, cos) = 0.7_f32.sin_cos();
    changed(columns, |row, slot, value| {
        let [x, _, z] = axes.map(|axis| columns.value(axis, row).unwrap_or_default());
        let [x_slot, y_slot, z_slot] = axes;
        match slot {
            slot if slot == x_slot => x * cos - z * sin + 2500.0,
            slot if slot == y_slot => value - 40.0,
            slot if slot == z_slot => x * sin + z * cos - 800.0,
            _ => value,
        }
    })
}

/// A lap of a game with another start line: from a place, in metres along the middle of the track, to the same place in
/// the next lap.
pub(super) struct ShiftedLap {
    pub(super) lap: SimulatedLap,
    /// The following lap.
    next: SimulatedLap,
    at_m: f64,
}

impl ShiftedLap {
    /// Cuts such a lap from two consecutive laps.
    pub(super) fn new(laps: &[SimulatedLap], at_m: f64) -> Self {
        let [lap, next, ..] = laps else { panic!("{} laps", laps.len()) };
        assert_eq!(lap.lap.number + 1, next.lap.number);
        let long_s = f64::from(lap.known.truth.time_ms) / 1e3;
        let (from_s, to_s) = (lap.known.time_at(at_m), next.known.time_at(at_m));
        let mut columns = Columns::default();
        for (one, begins_s, within) in [(lap, from_s, from_s..long_s), (next, from_s - long_s, 0.0..to_s)] {
            let slots: Vec<_> = one.columns.slots().collect();
            for row in 0..one.columns.len() {
                let clock = one.columns.value(Channel::LapClock.slot(), row).map(f64::from);
                let Some(clock) = clock.filter(|clock| within.contains(clock)) else { continue };
                let seconds = clock - begins_s;
                let moment = Moment {
                    at: Micros(0),
                    session_time: Some(1000.0 + seconds),
                    frame: Some((seconds * 1e3) as u32),
                };
                // Lap distance and lap fraction are those of the other line.
                let measures = [Channel::LapDistance, Channel::LapShare];
                let kept = slots.iter().filter(|slot| !measures.contains(&slot.channel()));
                let values = kept.filter_map(|slot| match slot.channel() {
                    Channel::LapClock => Some((*slot, seconds as f32)),
                    _ => Some((*slot, one.columns.value(*slot, row)?)),
                });
                let values: Vec<_> = values.collect();
                columns.push(moment, values);
            }
        }
        let mut shifted = lap.lap.clone();
        shifted.began_s = 1000.0;
        shifted.time = Some(LapTime(((long_s - from_s + to_s) * 1e3).round() as u32));
        let known = lap.known.clone();
        let next =
            SimulatedLap { lap: next.lap.clone(), columns: Columns::default(), known: next.known.clone() };
        Self { lap: SimulatedLap { lap: shifted, columns, known }, next, at_m }
    }

    /// The position along the middle of the track at a time of this lap.
    pub(super) fn place_at(&self, seconds: f64) -> f64 {
        let [long_s, from_s] =
            [f64::from(self.lap.known.truth.time_ms) / 1e3, self.lap.known.time_at(self.at_m)];
        let since_s = from_s + seconds;
        if since_s < long_s {
            self.lap.known.place_at(since_s)
        } else {
            self.next.known.place_at(since_s - long_s)
        }
    }

    /// The time from the usual line to a place, continued across this lap's own start line.
    fn time_at(&self, centre_m: f64) -> f64 {
        let seam_s = self.next.known.time_at(self.at_m);
        if centre_m < self.at_m {
            return self.next.known.time_at(centre_m);
        }
        seam_s + self.lap.known.time_at(centre_m) - self.lap.known.time_at(self.at_m)
    }
}

#[test]
fn a_lap_of_another_game_aligns_though_its_world_and_its_line_lie_elsewhere() {
    // The reference's feed, the other feed, the circuit, the other start line, the rate of both, and the tolerance.
    let cases = [
        (Feed::F1, Feed::GranTurismo, 0, 240.0, 60, 0.010),
        (Feed::AcRemote, Feed::F1, 1, 1900.0, 60, 0.010),
        (Feed::GranTurismo, Feed::AcTelemetryTool, 2, 60.0, 60, 0.010),
        (Feed::AcTelemetryTool, Feed::AcRemote, 0, 4300.0, 20, 0.025),
    ];
    for (nth, (feed, other, circuit, at_m, hz, within_s)) in (0..).zip(cases) {
        let context = format!("{feed:?} and {other:?} from {at_m} m");
        let here = simulated_laps(feed, circuit, 600 + nth, 190, hz);
        let there = simulated_laps(other, circuit, 700 + nth, 290, hz);
        let reference = here.last().expect("a lap");
        let mut shifted = ShiftedLap::new(&there[there.len() - 2..], at_m);
        shifted.lap.columns = elsewhere(&shifted.lap.columns);
        let comparison = compare(&shifted.lap.columns(), &reference.columns())
            .unwrap_or_else(|why| panic!("{context}: {why}"));
        let turned = comparison.start_line_shift.expect("the line is elsewhere");
        let (line_m, long_m) =
            (comparison.placed[1].place_at(reference.known.time_at(at_m)), comparison.length_m);
        let line_m = line_m.expect("a place");
        assert!((turned.meets_m - line_m).abs() < 2.0, "{context}: {turned:?} is not {line_m}");
        let further_m = if line_m > long_m / 2.0 { line_m - long_m } else { line_m };
        assert!((turned.further_m - further_m).abs() < 2.0, "{context}: {turned:?} is not {further_m}");

        let mut worst = 0.0_f64;
        let end_s = f64::from(reference.known.truth.time_ms) / 1e3;
        for tenth in 1..(end_s * 10.0) as u32 - 1 {
            let seconds = f64::from(tenth) / 10.0;
            let place = comparison.placed[1].place_at(seconds).expect("a place");
            let known = shifted.time_at(reference.known.place_at(seconds)) - seconds;
            worst = worst.max((comparison.at(place).expect("a delta") - known).abs());
        }
        assert!(worst < within_s, "{context}: {worst} s");
        let official = shifted.lap.lap.time.expect("a time").minus(reference.lap.time.expect("a time"));
        let (end_m, end) = *comparison.delta.last().expect("an end");
        assert_eq!((end_m, end), (long_m, official as f64 / 1e3), "{context}");
        let all = comparison.losses.iter().map(|loss| loss.loss_s());
        let all = all.chain(comparison.straights.iter().map(|straight| straight.loss_s));
        let all: f64 = all.map(|lost| lost.expect("a loss")).sum();
        assert!((all - end).abs() < 2e-3, "{context}: {all} is not {end}");
        // Its rows are in track order again.
        let ordered = comparison.in_order(&shifted.lap.columns());
        assert_eq!(ordered.len(), comparison.placed[0].distance_m.len(), "{context}");

        let back = compare(&reference.columns(), &shifted.lap.columns()).expect("a comparison");
        let back_m = back.start_line_shift.expect("turned").further_m;
        assert!((back_m + turned.further_m).abs() < 3.0, "{context}: {back_m} and {turned:?}");
        assert_eq!(back.delta.last().expect("an end").1, -end, "{context}");
    }
}

#[test]
fn a_lap_of_another_game_from_the_same_line_is_not_turned() {
    let mut laps = simulated_laps(Feed::F1, 1, 61, 230, 60);
    let columns = elsewhere(&laps[1].columns);
    let here = compare(&laps[1].columns(), &laps[0].columns()).expect("a comparison");
    laps[1].columns = columns;
    let there = compare(&laps[1].columns(), &laps[0].columns()).expect("a comparison");
    assert_eq!((here.start_line_shift, there.start_line_shift), (None, None));
    assert_eq!(here.corners.len(), there.corners.len());
    for step in 1..40 {
        let share = f64::from(step) / 40.0;
        let [a, b] = [&here, &there].map(|one| one.at(share * one.length_m).expect("a delta"));
        assert!((a - b).abs() < 0.015, "{a} and {b} at {share}");
    }
}

#[test]
fn an_incomplete_lap_from_another_line_is_refused() {
    let laps = simulated_laps(Feed::F1, 0, 62, 230, 60);
    let mut shifted = ShiftedLap::new(&laps, 900.0);
    shifted.lap.lap.time = None;
    let reference = laps[0].columns();
    let refused = compare(&shifted.lap.columns(), &reference).map(|comparison| comparison.start_line_shift);
    let why = refused.expect_err("a reason");
    assert!(matches!(why, NoComparison::OtherStart { closed: true, .. }), "{why:?}");
    assert!(why.to_string().starts_with("they begin 89"), "{why}");
}

/// A part of a lap, as a stage from one place to another.
fn stage(lap: &SimulatedLap, from_s: f64, to_s: f64) -> SimulatedLap {
    let mut columns = Columns::default();
    let slots: Vec<_> = lap.columns.slots().collect();
    for row in 0..lap.columns.len() {
        let clock = lap.columns.value(Channel::LapClock.slot(), row).map(f64::from);
        let Some(clock) = clock.filter(|clock| (from_s..to_s).contains(clock)) else { continue };
        let moment = Moment { at: Micros(0), session_time: Some(clock), frame: Some((clock * 1e3) as u32) };
        let values = slots.iter().filter_map(|slot| match slot.channel() {
            Channel::LapClock => Some((*slot, (clock - from_s) as f32)),
            _ => Some((*slot, lap.columns.value(*slot, row)?)),
        });
        let values: Vec<_> = values.collect();
        columns.push(moment, values);
    }
    let mut stage_lap = lap.lap.clone();
    (stage_lap.began_s, stage_lap.time) = (from_s, Some(LapTime(((to_s - from_s) * 1e3) as u32)));
    SimulatedLap { lap: stage_lap, columns, known: lap.known.clone() }
}

#[test]
fn a_stage_that_begins_elsewhere_is_refused_with_a_reason() {
    let laps = simulated_laps(Feed::F1, 0, 63, 230, 60);
    let lap = laps.last().expect("a lap");
    let one = stage(lap, 1.0, 50.0);
    let line = ReferenceLine::learn(&one.columns()).expect("a line");
    assert!(!line.is_closed());
    // A little further at either end, so that the shape stays the same.
    let other = stage(lap, 1.5, 50.5);
    let refused = compare(&other.columns(), &one.columns()).map(|comparison| comparison.length_m);
    let why = refused.expect_err("a reason");
    assert!(matches!(why, NoComparison::OtherStart { closed: false, .. }), "{why:?}");
    assert!(why.to_string().contains("only laps that begin together can be compared"), "{why}");
}

#[test]
fn a_race_s_first_lap_lies_beside_a_flying_one_from_the_line_on() {
    let cases = [
        (Feed::F1, 60, 0.015, 16, 8_101),
        (Feed::F1, 20, 0.025, 4, 8_102),
        (Feed::GranTurismo, 60, 0.015, 16, 8_103),
        (Feed::AcRemote, 60, 0.015, 10, 8_104),
        (Feed::AcTelemetryTool, 20, 0.025, 16, 8_105),
    ];
    for (feed, hz, within_s, player, seed) in cases {
        let context = format!("{feed:?} at {hz} Hz, from place {player}");
        let circuit = seed as usize % 3;
        let options = Options {
            cars: 18,
            player,
            circuit,
            seed,
            start: Start::Grid,
            laps: 3,
            again: false,
            ..Options::default()
        };
        let (laps, _) = simulate(&Simulation { feed, options, seconds: 330, hz, noise_m: 0.1, loses: 0.02 });
        let [first, flying, ..] = &laps[..] else { panic!("{context}: {} laps", laps.len()) };
        assert_eq!((first.lap.number, flying.lap.number), (1, 2), "{context}");
        let pair = [(first, flying), (flying, first)].map(|(lap, reference)| {
            compare(&lap.columns(), &reference.columns()).unwrap_or_else(|why| panic!("{context}: {why}"))
        });
        let [comparison, swapped] = &pair;
        let grid_m = first.known.points.first().expect("a point").1;
        let [began_m, flying_m] = comparison.began_m;
        assert!((began_m - grid_m).abs() < 3.0 && flying_m == 0.0, "{context}: {began_m}, {grid_m}");
        assert_eq!(swapped.began_m, [0.0, began_m], "{context}");
        let official_s = (f64::from(first.known.truth.time_ms) - f64::from(flying.known.truth.time_ms)) / 1e3;
        let ends = |comparison: &Comparison| comparison.delta.last().expect("a delta").1;
        assert!((ends(comparison) - official_s).abs() < 2e-3, "{context}: {}", ends(comparison));
        assert!((ends(swapped) + official_s).abs() < 2e-3, "{context}");
        let (mut worst, mut count) = (0.0_f64, 0);
        let end_s = f64::from(flying.known.truth.time_ms) / 1e3;
        for tenth in 5..(end_s * 10.0) as u32 - 1 {
            let seconds = f64::from(tenth) / 10.0;
            let place = comparison.placed[1].place_at(seconds).expect("a place");
            let delta = comparison.at(place).expect("a delta");
            // A car that stands in the crowd stays at one place for a while.
            let mut excursions = comparison.placed.iter().flat_map(|placed| &placed.excursions);
            if excursions.any(|excursion| (excursion.from_m - 60.0..excursion.to_m + 60.0).contains(&place)) {
                continue;
            }
            // Beside other cars in a bend, which places correspond depends on the reference line.
            let clock = comparison.placed[0].clock_at(place).expect("a clock");
            let row = first.columns().clock_s().partition_point(|other| *other < clock);
            let offsets = comparison.placed[0].offset_m.as_ref().expect("offsets");
            if offsets.get(row).is_none_or(|offset| offset.abs() > 1.0) {
                continue;
            }
            // For a very slow car, a few centimetres take long.
            let middle_m = flying.known.place_at(seconds);
            if first.known.time_at(middle_m + 1.0) - first.known.time_at(middle_m - 1.0) > 0.2 {
                continue;
            }
            assert!((delta + swapped.at(place).expect("a delta")).abs() < 1e-9, "{context}");
            worst = worst.max((delta - (first.known.time_at(middle_m) - seconds)).abs());
            count += 1;
        }
        eprintln!("{context}: {began_m:.0} m, worst {:.1} ms of {count}", worst * 1e3);
        assert!(worst < within_s && count > 500, "{context}: {worst} s, {count}");
    }
}
