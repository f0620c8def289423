//! The ledger, compared with mistakes that the simulated driver was made to make.

use std::sync::Arc;

use trailbrake_shared::analysis::ledger::{Ledger, LedgerRow, Part, PartGroup, PartLoss};
use trailbrake_shared::analysis::{Comparison, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::{Axis, Channel};
use trailbrake_shared::plot::colouring::{Colouring, Tone, colour_lap, row_words};
use trailbrake_shared::sim::random::Random;
use trailbrake_shared::sim::{Mistake, MistakeKind, Options};
use trailbrake_shared::units::Units;

use super::simulated::{SimulatedLap, Simulation, changed, simulated_once};

pub(super) const LAP: u32 = 1;
/// For each feed: circuit, seed, and a corner that needs braking.
pub(super) const PLACES: [(Feed, usize, u64, u8); 4] = [
    (Feed::F1, 0, 31, 5),
    (Feed::GranTurismo, 1, 32, 7),
    (Feed::F1, 2, 4_131, 3),
    (Feed::GranTurismo, 0, 4_132, 5),
];

pub(super) fn simulated_laps(
    feed: Feed,
    circuit: usize,
    seed: u64,
    mistakes: &[Mistake],
) -> Arc<Vec<SimulatedLap>> {
    let options = Options {
        cars: 1,
        player: 0,
        circuit,
        seed,
        again: false,
        mistakes: mistakes.to_vec(),
        ..Options::default()
    };
    simulated_once(&Simulation { feed, options, seconds: 125, hz: 60, noise_m: 0.1, loses: 0.02 })
}

pub(super) fn lap(laps: &[SimulatedLap]) -> &SimulatedLap {
    laps.iter().find(|lap| u32::from(lap.lap.number) == LAP).expect("the lap")
}

fn ledger(lap: &SimulatedLap, reference: &SimulatedLap) -> (Ledger, Comparison) {
    let (own, best) = (lap.columns(), reference.columns());
    let comparison = compare(&own, &best).expect("a comparison");
    (comparison.ledger.clone(), comparison)
}

/// Seconds of some parts of a row.
fn sum(row: &LedgerRow, parts: &[Part]) -> f64 {
    row.parts.iter().filter(|part| parts.contains(&part.part)).map(PartLoss::whole_s).sum()
}

/// A lap with a mistake against the same lap without it, in one place.
struct Planted {
    context: String,
    feed: Feed,
    /// The row of the corner with the mistake.
    row: LedgerRow,
    /// The rows behind it, up to the next corner that needs the brake.
    behind: Vec<LedgerRow>,
    /// What the simulator knows that the mistake cost until there: behind that, chance differs.
    lost_s: f64,
}

/// Plants a mistake in each place. The rows up to the next corner that needs the brake lose what the simulator knows.
fn plant(what: MistakeKind) -> Vec<Planted> {
    let planted = PLACES.map(|(feed, circuit, seed, corner)| {
        let context = format!("{what:?}, {feed:?}, {circuit}");
        let mistake = Mistake { car: 0, lap: LAP, corner, what };
        let usual = simulated_laps(feed, circuit, seed, &[]);
        let worse = simulated_laps(feed, circuit, seed, &[mistake]);
        let (usual, worse) = (lap(&usual), lap(&worse));
        let (ledger, comparison) = ledger(worse, usual);
        let braked = comparison.tables[1].rows.iter().skip(usize::from(corner));
        let end_m = braked.filter_map(|row| row.lift_m.or(row.brake_on_m)).next().expect("one more corner");
        let middle_m = usual.known.place_at(comparison.placed[1].clock_at(end_m).expect("a clock"));
        let lost_s = worse.known.time_at(middle_m) - usual.known.time_at(middle_m);
        let mut rows = ledger.rows.into_iter().skip_while(|row| row.place.corner != Some(u16::from(corner)));
        let row = rows.next().expect("the corner");
        let behind: Vec<LedgerRow> = rows.take_while(|row| row.from_m < end_m - 1.0).collect();
        let losses = std::iter::once(&row).chain(&behind).map(|row| row.loss_s.expect("a loss"));
        let loss_s: f64 = losses.sum();
        let within_s = (0.1 * lost_s.abs()).max(0.015);
        assert!((loss_s - lost_s).abs() < within_s, "{context}: {loss_s} of {lost_s}: {row:?} {behind:?}");
        Planted { context, feed, row, behind, lost_s }
    });
    planted.into()
}

impl Planted {
    /// Checks that these parts of a row explain the loss, within a fifth, and that the first of them is the largest part.
    fn is_explained(&self, row: &LedgerRow, parts: &[Part]) {
        let Self { context, lost_s, .. } = self;
        let named_s = sum(row, parts);
        assert!(
            (named_s - lost_s).abs() < (0.2 * lost_s).max(0.02),
            "{context}: {named_s} of {lost_s}: {row:?}"
        );
        self.is_largest(row, parts[0]);
    }

    fn is_largest(&self, row: &LedgerRow, part: Part) {
        let largest = row.parts.iter().max_by(|a, b| a.whole_s().total_cmp(&b.whole_s())).expect("a part");
        assert_eq!(largest.part, part, "{}: lost {}: {row:?}", self.context, self.lost_s);
    }
}

/// Plants a mistake, and checks that these parts of its corner explain it.
fn explain(what: MistakeKind, parts: &[Part]) {
    for planted in plant(what) {
        planted.is_explained(&planted.row, parts);
    }
}

#[test]
fn braking_early_is_the_brake_point() {
    // A driver who waits for the corner is also later on the throttle.
    explain(MistakeKind::BrakesEarly(15.0), &[Part::BrakePoint, Part::Throttle]);
    explain(MistakeKind::BrakesEarly(8.0), &[Part::BrakePoint, Part::Throttle]);
}

#[test]
fn braking_softly_is_the_braking_and_not_only_the_earlier_brake_point() {
    explain(MistakeKind::BrakesSoftly(0.7), &[Part::Braking, Part::BrakePoint, Part::Release]);
}

#[test]
fn rolling_into_a_corner_is_the_brake_point_with_the_release() {
    explain(
        MistakeKind::ReleasesEarly(10.0),
        &[Part::BrakePoint, Part::Release, Part::MinimumSpeed, Part::Line],
    );
}

#[test]
fn a_slow_corner_is_its_minimum_speed() {
    let parts = [Part::MinimumSpeed, Part::Line, Part::Throttle, Part::Release];
    explain(MistakeKind::DrivesSlowly(0.95), &parts);
}

#[test]
fn a_late_throttle_is_the_throttle_with_what_it_costs_after_the_corner() {
    explain(MistakeKind::WaitsWithThrottle(15.0), &[Part::Throttle]);
    explain(MistakeKind::HalfThrottle(0.5), &[Part::Throttle]);
    for planted in plant(MistakeKind::WaitsWithThrottle(15.0)) {
        let throttle =
            planted.row.parts.iter().find(|part| part.part == Part::Throttle).expect("the throttle");
        assert!(throttle.after_s > 0.2 * throttle.loss_s, "{}: {throttle:?}", planted.context);
    }
}

#[test]
fn the_map_has_the_colour_of_each_row_s_cause() {
    let [(feed, circuit, seed, corner), ..] = PLACES;
    let mistake = Mistake { car: 0, lap: LAP, corner, what: MistakeKind::WaitsWithThrottle(20.0) };
    let usual = simulated_laps(feed, circuit, seed, &[]);
    let worse = simulated_laps(feed, circuit, seed, &[mistake]);
    let (ledger, comparison) = ledger(lap(&worse), lap(&usual));
    let columns = lap(&worse).columns();
    let places_m = &comparison.placed[0].distance_m;
    let coloured =
        colour_lap(Colouring::Cause, &columns, Some(&comparison), places_m, None, &Units::default());
    let coloured = coloured.expect("colours");
    let row = ledger.corner(corner.into()).expect("the corner");
    for (index, place_m) in places_m.iter().enumerate() {
        let words = row_words(&coloured, index);
        if (row.from_m + 0.1..row.to_m - 0.1).contains(place_m) {
            assert_eq!(words.as_deref(), Some("throttle"), "{place_m}: {row:?}");
        } else if *place_m < row.from_m {
            assert_eq!(words.as_deref(), Some("nothing lost"), "{place_m}");
        }
    }
    assert!(coloured.bands.iter().any(|band| band.tone == Tone::Part(PartGroup::Throttle)));
}

#[test]
fn a_second_lift_is_named() {
    explain(MistakeKind::LiftsAgain(0.3), &[Part::SecondLift, Part::Throttle]);
}

#[test]
fn a_gear_too_high_is_named_where_it_costs_much() {
    let mut count = 0;
    for planted in plant(MistakeKind::HighGear(1)).into_iter().filter(|planted| planted.lost_s > 0.1) {
        // The car also gets slower while the throttle is not yet pressed, which shows as its minimum speed.
        let gears_s = sum(&planted.row, &[Part::Gears]);
        assert!(gears_s > 0.3 * planted.lost_s, "{}: {gears_s}: {:?}", planted.context, planted.row);
        count += 1;
    }
    assert!(count >= 2, "{count}");
}

#[test]
fn less_energy_is_the_battery_or_where_the_game_does_not_send_it_the_drive() {
    for planted in plant(MistakeKind::DeploysLess) {
        let part = if planted.feed == Feed::F1 { Part::Battery } else { Part::Drive };
        let straight = planted.behind.iter().find(|row| row.place.corner.is_none()).expect("a straight");
        planted.is_largest(straight, part);
        let named_s = sum(straight, &[part]);
        let loss_s = straight.loss_s.expect("a loss");
        assert!((named_s - loss_s).abs() < (0.2 * loss_s).max(0.02), "{}: {straight:?}", planted.context);
    }
}

#[test]
fn an_early_lift_is_the_lift() {
    for planted in plant(MistakeKind::LiftsEarly(60.0)) {
        planted.is_largest(&planted.row, Part::Lift);
    }
}

#[test]
fn the_rows_of_any_two_laps_add_up_to_their_difference() {
    for (feed, circuit, seed, _) in PLACES {
        let mistake = Mistake { car: 0, lap: LAP, corner: 5, what: MistakeKind::LiftsAgain(0.3) };
        let [usual, worse] =
            [&[][..], &[mistake]].map(|mistakes| simulated_laps(feed, circuit, seed, mistakes));
        let (usual, worse) = (lap(&usual), lap(&worse));
        for (lap, reference) in [(usual, worse), (worse, usual), (usual, usual)] {
            let (ledger, comparison) = ledger(lap, reference);
            let behind_s = lap.columns().seconds() - reference.columns().seconds();
            let loss_s = ledger.loss_s().expect("a loss");
            assert!((loss_s - behind_s).abs() < 5e-4, "{feed:?}: {loss_s} of {behind_s}");
            for row in &ledger.rows {
                let lost_s: f64 = row.parts.iter().map(PartLoss::whole_s).sum();
                assert!((lost_s - row.loss_s.expect("a loss")).abs() < 1e-9, "{row:?}");
            }
            let ends_m = ledger.rows.windows(2).map(|pair| pair[1].from_m - pair[0].to_m);
            assert!(ends_m.map(f64::abs).fold(0.0, f64::max) < 1e-9);
            let ends = (ledger.rows.first().map(|row| row.from_m), ledger.rows.last().map(|row| row.to_m));
            assert_eq!(ends, (Some(0.0), Some(comparison.length_m)));
            if std::ptr::eq(lap, reference) {
                assert!(ledger.rows.iter().all(|row| row.parts.is_empty()), "{ledger:?}");
            }
        }
    }
}

#[test]
fn laps_that_differ_by_the_noise_of_their_positions_alone_differ_by_no_part() {
    for (feed, circuit, seed, _) in PLACES {
        let usual = simulated_laps(feed, circuit, seed, &[]);
        let usual = lap(&usual);
        let mut chance = Random::new(seed);
        let axes = Axis::ALL.map(|axis| Channel::Position.along(axis));
        let mut again = usual.again();
        again.columns = changed(&usual.columns, |_, slot, value| {
            let noise_m = if axes.contains(&slot) { 0.1 * chance.bell() } else { 0.0 };
            value + noise_m as f32
        });
        let again = again.only(|clock_s| (clock_s * 60.0) as u32 % 37 != 5, |_| true);
        let (ledger, _) = ledger(&again, usual);
        for part in ledger.rows.iter().flat_map(|row| &row.parts) {
            assert!(part.whole_s().abs() < 0.01, "{feed:?}, {circuit}: {ledger:?}");
        }
    }
}
