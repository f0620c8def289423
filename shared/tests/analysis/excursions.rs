//! Detected excursions, compared with what the simulated driver did.

use trailbrake_shared::analysis::{Excursion, ExcursionKind, PlacedLap, ReferenceLine};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::{Axis, Channel};
use trailbrake_shared::sim::truth::ExcursionNote;
use trailbrake_shared::sim::{Options, Request};

use super::simulated::{SimulatedLap, Simulation, changed, simulate_at};
use crate::circuit_feeds::CIRCUIT_FEEDS;

/// Packets a second.
const RATES: [u32; 2] = [60, 20];
/// Cars at least this far from the line must be detected, and cars nearer than `UNSEEN_M` must not, in metres.
const SEEN_M: f64 = 10.5;
const UNSEEN_M: f64 = 7.5;
/// A cut shortens the path by at least this, a detour by at most `NO_CUT_M`, in metres.
const CUT_M: f64 = 8.0;
const NO_CUT_M: f64 = 2.0;

/// The laps at each rate.
fn simulated_laps(
    feed: Feed,
    circuit: usize,
    seed: u64,
    requests: Vec<(f64, Request)>,
) -> [Vec<SimulatedLap>; 2] {
    let options = Options { cars: 1, player: 0, circuit, seed, again: false, requests, ..Options::default() };
    let hz = RATES[0];
    let simulation = Simulation { feed, options, seconds: 320, hz, noise_m: 0.1, loses: 0.02 };
    simulate_at(&simulation, RATES).0
}

/// The expected kind of an excursion; `None` if it is too close to the limits.
fn expected(note: &ExcursionNote) -> Option<ExcursionKind> {
    match note {
        note if note.spun => Some(ExcursionKind::Spin),
        note if note.furthest_m < SEEN_M => None,
        note if note.left_out_m > CUT_M => Some(ExcursionKind::Cut),
        note if note.left_out_m < NO_CUT_M => Some(ExcursionKind::Detour),
        _ => None,
    }
}

/// Compares every lap's excursions with the truth; returns how many have the kind.
fn check(laps: &[SimulatedLap], kind: ExcursionKind, context: &str) -> usize {
    let clean = laps.iter().find(|lap| lap.known.truth.excursions.is_empty()).expect("a clean lap");
    let line = ReferenceLine::learn(&clean.columns()).expect("a line");
    let mut count = 0;
    for lap in laps {
        let placed = PlacedLap::on_line(&lap.columns(), &line, None).expect("placed");
        let middle_m =
            |place: f64| lap.known.place_at(placed.clock_at(place.min(line.length_m())).expect("a clock"));
        let detected: Vec<Excursion> = placed
            .excursions
            .iter()
            .map(|excursion| Excursion {
                from_m: middle_m(excursion.from_m),
                to_m: middle_m(excursion.to_m),
                ..*excursion
            })
            .collect();
        let known = &lap.known.truth.excursions;
        let meet = |excursion: &Excursion, note: &ExcursionNote| {
            excursion.from_m < note.to_m + 60.0 && excursion.to_m > note.from_m - 60.0
        };
        for note in known {
            let Some(expected) = expected(note) else { continue };
            let found = detected.iter().find(|excursion| excursion.kind == expected && meet(excursion, note));
            let Some(found) = found else {
                panic!(
                    "{context}, lap {}: {expected:?} missed: {note:?} of {known:?}, found {detected:?}",
                    lap.lap.number
                )
            };
            // The true middle lies in the detected range, whose ends depend on the distance from the line.
            let middle = (note.from_m + note.to_m) / 2.0;
            assert!(
                (found.from_m - 5.0..found.to_m + 5.0).contains(&middle),
                "{context}: {found:?} is not {note:?}"
            );
            assert!(
                found.from_m > note.from_m - 60.0 && found.to_m < note.to_m + 90.0,
                "{context}: {found:?} {note:?}"
            );
            count += usize::from(expected == kind);
        }
        for excursion in &detected {
            let real =
                known.iter().any(|note| (note.spun || note.furthest_m > UNSEEN_M) && meet(excursion, note));
            assert!(real, "{context}, lap {}: invented {excursion:?}, known {known:?}", lap.lap.number);
        }
    }
    count
}

fn requested(kind: ExcursionKind) -> Request {
    match kind {
        ExcursionKind::Spin => Request::Spin { car: 0 },
        ExcursionKind::Cut => Request::Cut { car: 0 },
        _ => Request::RunWide { car: 0 },
    }
}

#[test]
fn spins_cuts_and_detours_are_flagged_where_they_were_driven_and_nowhere_else() {
    for feed in CIRCUIT_FEEDS {
        for kind in [ExcursionKind::Spin, ExcursionKind::Cut, ExcursionKind::Detour] {
            let mut counts = [0; 2];
            for (circuit, seed) in [(0, 91), (1, 92), (2, 93)] {
                let requests = vec![(125.0, requested(kind)), (215.0, requested(kind))];
                let at_rates = simulated_laps(feed, circuit, seed, requests);
                for ((laps, hz), count) in at_rates.iter().zip(RATES).zip(&mut counts) {
                    let context = format!("{feed:?} at {hz} Hz, {kind:?}, circuit {circuit}");
                    *count += check(laps, kind, &context);
                }
            }
            eprintln!("{feed:?} at {RATES:?} Hz, {kind:?}: {counts:?}");
            assert!(counts.iter().all(|count| *count >= 3), "{feed:?}, {kind:?}: only {counts:?}");
        }
    }
}

#[test]
fn a_lap_that_begins_turned_around_spins_from_where_it_begins() {
    let [laps, _] = simulated_laps(Feed::F1, 0, 94, Vec::new());
    let lap = &laps[1];
    let line = ReferenceLine::learn(&lap.columns()).expect("a line");
    let nose = Axis::ALL.map(|axis| Channel::Forward.along(axis));
    let columns = changed(
        &lap.columns,
        |row, slot, value| if row < 30 && nose.contains(&slot) { -value } else { value },
    );
    let turned = SimulatedLap { columns, ..lap.again() };
    let placed = PlacedLap::on_line(&turned.columns(), &line, None).expect("placed");
    let [spin] = placed.excursions.as_slice() else { panic!("{:?}", placed.excursions) };
    assert_eq!(spin.kind, ExcursionKind::Spin);
    assert!((-5.0..10.0).contains(&spin.from_m) && (10.0..100.0).contains(&spin.to_m), "{spin:?}");
}
