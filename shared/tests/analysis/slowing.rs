//! Brake points inferred from deceleration, for games that send no pedal, compared with the simulated driver's.

use trailbrake_shared::analysis::{BrakeSource, compare, find_brakings};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::Channel;
use trailbrake_shared::sim::{Options, PEDAL_ON};

use super::simulated::{SimulatedLap, Simulation, plan_of, simulate};

const SENT: [(Feed, u32); 4] =
    [(Feed::F1, 60), (Feed::GranTurismo, 20), (Feed::AcRemote, 60), (Feed::AcTelemetryTool, 20)];
const FIRST_SEED: u64 = 94_001;
const RUNS: u64 = 8;
/// A weaker braking is hardly more than a lift, and may be missed: fraction of the pedal.
const HARD: f64 = 0.4;
/// The allowed error of a brake point in metres, RMS and at most.
const ROOT_M: f64 = 3.5;
const MOST_M: f64 = 10.5;
/// Without pedal input for this long before and after, nobody braked, in seconds.
const NEAR_S: f64 = 0.5;

/// The lap as a game without a brake channel would send it.
fn without_brake(lap: &SimulatedLap) -> SimulatedLap {
    lap.only(|_| true, |channel| channel != Channel::Brake)
}

#[test]
fn without_a_brake_pedal_brakings_begin_where_the_car_slows() {
    let (mut offs, mut missed, mut invented_ones) = (Vec::new(), Vec::new(), Vec::new());
    for (nth, seed) in (0..).zip(FIRST_SEED..FIRST_SEED + RUNS) {
        let plan = plan_of(nth, seed);
        let options =
            Options { cars: 1, player: 0, circuit: nth, plan, seed, again: false, ..Options::default() };
        let (feed, hz) = SENT[nth % SENT.len()];
        let (laps, _) = simulate(&Simulation { feed, options, seconds: 300, hz, noise_m: 0.1, loses: 0.02 });
        let [first, others @ ..] = &laps[..] else { panic!("{feed:?}: no laps") };
        let first = without_brake(first);
        for whole in others.iter().filter(|lap| lap.known.truth.excursions.is_empty()) {
            let lap = without_brake(whole);
            let columns = whole.columns();
            let pedal = columns.values(Channel::Brake.slot()).expect("a pedal");
            let context = format!("{feed:?} at {hz} Hz, seed {seed}, lap {}", lap.lap.number);
            let compared = compare(&lap.columns(), &first.columns()).expect("a comparison");
            let [placed, _] = &compared.placed;
            let [table, _] = &compared.tables;
            assert_eq!(table.brake_source, Some(BrakeSource::Slowing), "{context}");
            assert!(table.rows.iter().all(|row| row.peak.is_none()), "{context}: a pedal that was not sent");
            let middle_m = |place: f64| lap.known.place_at(placed.clock_at(place).expect("a clock"));
            let (_, brakings) = find_brakings(&lap.columns(), placed).expect("brakings");
            let found_m: Vec<f64> =
                brakings.iter().filter_map(|braking| braking.on_m).map(middle_m).collect();
            let braked = || lap.known.truth.corners.iter().filter_map(|note| Some((note, note.braking?)));
            for (note, braking) in braked() {
                // If a corner has several brakings, it is ambiguous which belongs to it.
                let long = braking.release_m - braking.on_m > 0.3 * braking.on_speed_ms;
                if braking.peak < HARD || !long || note.other_brakings > 0 {
                    continue;
                }
                let nearest = found_m.iter().map(|on_m| on_m - braking.on_m);
                match nearest.min_by(|one, other| one.abs().total_cmp(&other.abs())) {
                    Some(off_m) if off_m.abs() < 60.0 => offs.push(off_m),
                    _ => missed.push(format!("{context}: {braking:?}")),
                }
            }
            for on_m in &found_m {
                // The pedal channel has every touch, including those for a corner that was braked for harder elsewhere.
                let clock = lap.known.time_at(*on_m);
                let near =
                    columns.clock_s().iter().zip(&pedal).filter(|(at, _)| (*at - clock).abs() < NEAR_S);
                if near.into_iter().all(|(_, pedal)| *pedal < PEDAL_ON) {
                    invented_ones.push(format!("{context}: {on_m:.0} m"));
                }
            }
        }
    }
    let root_m = (offs.iter().map(|off| off * off).sum::<f64>() / offs.len() as f64).sqrt();
    let most_m = offs.iter().fold(0.0_f64, |most, off| most.max(off.abs()));
    let mean_m = offs.iter().sum::<f64>() / offs.len() as f64;
    eprintln!("{} brakings: mean {mean_m:.2}, rms {root_m:.2} m, at most {most_m:.2} m", offs.len());
    assert!(missed.is_empty(), "{} missed: {missed:#?}", missed.len());
    assert!(invented_ones.is_empty(), "{} invented: {invented_ones:#?}", invented_ones.len());
    assert!(offs.len() > 60 && root_m < ROOT_M && most_m < MOST_M, "{} {root_m} {most_m}", offs.len());
}

#[test]
fn speeds_ten_times_a_second_make_no_brake_points() {
    let options =
        Options { cars: 1, player: 0, circuit: 0, seed: FIRST_SEED, again: false, ..Options::default() };
    let feed = Feed::AcTelemetryTool;
    let (laps, _) = simulate(&Simulation { feed, options, seconds: 300, hz: 10, noise_m: 0.1, loses: 0.02 });
    let [first, others @ ..] = &laps[..] else { panic!("no laps") };
    let first = without_brake(first);
    assert!(!others.is_empty());
    for lap in others.iter().map(without_brake) {
        let compared = compare(&lap.columns(), &first.columns()).expect("a comparison");
        let [table, _] = &compared.tables;
        assert_eq!(table.brake_source, None);
        assert!(table.rows.iter().all(|row| row.brake_on_m.is_none()), "{table:?}");
    }
}
