//! Corners are the same from lap to lap, and across sessions, games and rates.

use trailbrake_shared::analysis::{Corner, PlacedLap, ReferenceLine, find_corners};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::Options;
use trailbrake_shared::sim::circuit::{CIRCUITS, Circuit, corner_groups};

use super::simulated::{SimulatedLap, Simulation, plan_of, simulate};

/// Games, rates and seeds: each a session of its own.
const SESSIONS: [(Feed, u32, u64); 4] = [
    (Feed::F1, 60, 7_101),
    (Feed::GranTurismo, 20, 7_102),
    (Feed::AcRemote, 60, 7_103),
    (Feed::AcTelemetryTool, 20, 7_104),
];
/// The allowed RMS deviation of a corner's places from their mean over all laps, in metres.
const APEX_M: f64 = 1.5;
const ENDS_M: f64 = 9.0;
/// The allowed maximum.
const MOST_APEX_M: f64 = 15.0;
const MOST_ENDS_M: f64 = 50.0;

/// A corner of a lap, with its places along the middle of the track.
#[derive(Debug)]
struct LapAnswer {
    number: u16,
    left: Option<bool>,
    places_m: [f64; 3],
}

fn answers(lap: &SimulatedLap) -> Vec<LapAnswer> {
    let line = ReferenceLine::learn(&lap.columns()).expect("a line");
    let placed = PlacedLap::on_line(&lap.columns(), &line, None).expect("placed");
    let middle_m = |place: f64| lap.known.place_at(placed.clock_at(place).expect("a clock"));
    let answer = |corner: &Corner| LapAnswer {
        number: corner.number,
        left: corner.left,
        places_m: [corner.entry_m, corner.apex_m, corner.exit_m].map(middle_m),
    };
    find_corners(&line).iter().map(answer).collect()
}

/// The corners of every lap without excursions on a circuit.
fn laps(circuit: usize, number: u64) -> (Circuit, Vec<Vec<LapAnswer>>) {
    let mut laps = Vec::new();
    let plan = plan_of(circuit, number);
    for (feed, hz, seed) in SESSIONS {
        let options = Options {
            cars: 1,
            player: 0,
            circuit,
            plan: plan.clone(),
            seed,
            again: false,
            ..Options::default()
        };
        let (driven, _) =
            simulate(&Simulation { feed, options, seconds: 260, hz, noise_m: 0.1, loses: 0.02 });
        laps.extend(driven.iter().filter(|lap| lap.known.truth.excursions.is_empty()).map(answers));
    }
    (Circuit::new(plan.as_ref().unwrap_or(&CIRCUITS[circuit.min(2)])), laps)
}

#[test]
fn corners_keep_numbers_sides_and_places_from_lap_to_lap_and_session_to_session() {
    let mut squares = [0.0; 3];
    let (mut most, mut count) = ([0.0_f64; 3], 0);
    for (circuit, number) in [(0, 0), (1, 0), (2, 0), (9, 7_201), (9, 7_202), (9, 7_203), (9, 7_204)] {
        let (known, laps) = laps(circuit, number);
        let open = corner_groups(&known).iter().any(|one| one.count[0] != one.count[1]);
        let [first, ..] = laps.as_slice() else { panic!("no laps") };
        assert!(laps.len() >= 8, "{} laps", laps.len());
        for lap in &laps {
            let same = lap.len() == first.len();
            assert!(same || open, "circuit {circuit} {number}: {} corners and {}", lap.len(), first.len());
        }
        // Most laps agree on whether places count as one corner or two; positions are compared only among those.
        let alike: Vec<&Vec<LapAnswer>> = laps.iter().filter(|lap| lap.len() == first.len()).collect();
        for index in 0..first.len() {
            let mean = [0, 1, 2].map(|place: usize| {
                alike.iter().map(|lap| lap[index].places_m[place]).sum::<f64>() / alike.len() as f64
            });
            for lap in &alike {
                let answer = &lap[index];
                assert_eq!((answer.number, answer.left), (first[index].number, first[index].left));
                for place in 0..3 {
                    let off = (answer.places_m[place] - mean[place]).abs();
                    squares[place] += off * off;
                    most[place] = most[place].max(off);
                }
                count += 1;
            }
        }
    }
    let rms = squares.map(|sum| (sum / f64::from(count)).sqrt());
    eprintln!("{count} corners: entry, apex, exit within {rms:.1?} m, at most {most:.1?} m");
    assert!(rms[1] < APEX_M && rms[0].max(rms[2]) < ENDS_M, "{rms:?}");
    assert!(most[1] < MOST_APEX_M && most[0].max(most[2]) < MOST_ENDS_M, "{most:?}");
}
