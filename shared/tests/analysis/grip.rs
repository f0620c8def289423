//! Old tyres and rain take grip away all around, which is not the driver's doing.

use std::sync::Arc;

use trailbrake_shared::analysis::compare;
use trailbrake_shared::analysis::ledger::{Cause, Figure, Ledger, Part};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::laps::LapFlag;
use trailbrake_shared::sim::race::Sky;
use trailbrake_shared::sim::{Mistake, MistakeKind, Options};

use super::simulated::{SimulatedLap, Simulation, simulated_once};

/// Circuits with seeds, none of which anything was tuned on, and a corner that is braked for.
const PLACES: [(usize, u64, u8); 3] = [(0, 77_101, 5), (1, 77_102, 7), (2, 77_103, 3)];
const LAP: u16 = 2;

fn drive(options: Options) -> Arc<Vec<SimulatedLap>> {
    let options = Options { cars: 1, player: 0, again: false, ..options };
    simulated_once(&Simulation { feed: Feed::F1, options, seconds: 330, hz: 60, noise_m: 0.1, loses: 0.02 })
}

fn lap(laps: &[SimulatedLap]) -> &SimulatedLap {
    laps.iter().find(|lap| lap.lap.number == LAP).expect("the lap")
}

fn ledger(lap: &SimulatedLap, reference: &SimulatedLap) -> Ledger {
    let ledger = compare(&lap.columns(), &reference.columns()).expect("a comparison").ledger;
    for row in &ledger.rows {
        let parts_s: f64 = row.parts.iter().map(|part| part.whole_s()).sum();
        assert!((parts_s - row.loss_s.expect("a loss")).abs() < 1e-9, "{row:?}");
    }
    ledger
}

fn dearest(ledger: &Ledger) -> f64 {
    ledger.rows.iter().filter_map(Cause::of).map(|cause| cause.cost_s).fold(0.0, f64::max)
}

#[test]
fn old_tyres_cost_what_the_same_driver_loses_on_them() {
    let mut shares = Vec::new();
    for (circuit, seed, _) in PLACES {
        let usual = Options { circuit, seed, ..Options::default() };
        let fresh = drive(usual.clone());
        for tyre_wear in [30.0, 60.0] {
            let worn = drive(Options { tyre_wear, ..usual.clone() });
            for (own, best, sign) in [(&worn, &fresh, 1.0), (&fresh, &worn, -1.0)] {
                let ledger = ledger(lap(own), lap(best));
                let (lost_s, tyres_s) = (ledger.loss_s().expect("a loss"), ledger.part_s(Part::Tyres));
                let context = format!("circuit {circuit}, {tyre_wear} %: {tyres_s} of {lost_s} s");
                assert!(sign * lost_s > 0.6, "{context}");
                // Here and there the driver is also later on the throttle on them, which may be a mistake.
                assert!((0.5..1.05).contains(&(tyres_s / lost_s)), "{context}");
                shares.push(tyres_s / lost_s);
                // Nothing that is named as the driver's doing costs as much as a fifth of it.
                assert!(sign < 0.0 || dearest(&ledger) < 0.2 * lost_s, "{context}, {}", dearest(&ledger));
                let measured = ledger
                    .rows
                    .iter()
                    .flat_map(|row| &row.parts)
                    .find_map(|part| part.measured.filter(|_| part.part == Part::Tyres));
                let measured = measured.expect("a figure");
                assert_eq!(measured.figure, Figure::TyreWear, "{context}");
                let worn = sign * measured.more() - tyre_wear / 100.0;
                assert!(worn.abs() < 0.03, "{context}: {measured:?}");
            }
        }
    }
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    assert!(mean > 0.75, "{shares:.2?}");
}

#[test]
fn a_mistake_on_old_tyres_is_still_the_driver_s() {
    for (circuit, seed, corner) in PLACES {
        let usual = Options { circuit, seed, ..Options::default() };
        let fresh = drive(usual.clone());
        let what = MistakeKind::DrivesSlowly(0.93);
        let mistakes = vec![Mistake { car: 0, lap: u32::from(LAP), corner, what }];
        let worn = drive(Options { tyre_wear: 40.0, mistakes, ..usual });
        let ledger = ledger(lap(&worn), lap(&fresh));
        let causes = ledger.rows.iter().filter_map(|row| Some((row.place.corner, Cause::of(row)?)));
        let (at, first) = causes.max_by(|(_, a), (_, b)| a.cost_s.total_cmp(&b.cost_s)).expect("a cause");
        let context = format!("circuit {circuit}: {first:?} in {at:?}");
        assert_eq!((at, first.part), (Some(u16::from(corner)), Part::MinimumSpeed), "{context}");
    }
}

#[test]
fn rain_costs_grip_and_flags_the_lap() {
    for (circuit, seed, _) in PLACES {
        let usual = Options { circuit, seed, ..Options::default() };
        let dry = drive(usual.clone());
        let wet = drive(Options { sky: Sky::HeavyRain, ..usual });
        let (own, best) = (lap(&wet), lap(&dry));
        assert!(own.lap.flags.has(LapFlag::Rain) && !best.lap.flags.has(LapFlag::Rain));
        let ledger = ledger(own, best);
        // The driver also fetches other tyres.
        let lost_s = ledger.loss_s().expect("a loss") - ledger.part_s(Part::Excursion);
        let wet_s = ledger.part_s(Part::Wet);
        assert!((0.6..1.05).contains(&(wet_s / lost_s)), "circuit {circuit}: {wet_s} of {lost_s} s");
    }
}

#[test]
fn on_alike_tyres_a_driver_who_is_slower_everywhere_is_slower() {
    for (circuit, seed, _) in PLACES {
        let usual = Options { circuit, seed, ..Options::default() };
        let corners = lap(&drive(usual.clone())).known.truth.corners.len();
        let slow = |corner: usize| Mistake {
            car: 0,
            lap: u32::from(LAP),
            corner: corner as u8,
            what: MistakeKind::DrivesSlowly(0.97),
        };
        let slower = drive(Options { mistakes: (1..=corners).map(slow).collect(), ..usual.clone() });
        let ledger = ledger(lap(&slower), lap(&drive(usual)));
        assert!(ledger.loss_s().is_some_and(|lost_s| lost_s > 0.3), "{:?}", ledger.loss_s());
        assert_eq!((ledger.part_s(Part::Tyres), ledger.part_s(Part::Wet)), (0.0, 0.0));
    }
}
