//! Corners are the same wherever the start line lies, even in the middle of a bend.

use trailbrake_shared::analysis::{Corner, PlacedLap, ReferenceLine, find_corners};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::Options;
use trailbrake_shared::sim::circuit::{CornerGroup, corner_groups};

use super::shifted_lines::ShiftedLap;
use super::simulated::{SimulatedLap, Simulation, plan_of, simulate};

const SENT: [(Feed, u32); 4] =
    [(Feed::F1, 60), (Feed::GranTurismo, 20), (Feed::AcRemote, 20), (Feed::AcTelemetryTool, 60)];
/// The first of the runs' seeds: the circuits of the catalogue, then invented ones. Nothing was tuned with them.
const FIRST_SEED: u64 = 92_001;
const RUNS: u64 = 12;
/// Start lines within a corner, as fractions of the path from its entry to its exit.
const SHARES: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];

/// The results for start lines in bends.
#[derive(Default)]
struct LineErrors {
    lines: usize,
    corners: usize,
    wrong: Vec<String>,
}

impl LineErrors {
    /// Compares the corners of a lap that begins in a bend with the truth.
    fn look(&mut self, lap: &ShiftedLap, counted: &[CornerGroup], context: &str) {
        let columns = lap.lap.columns();
        let line = ReferenceLine::learn(&columns).expect("a line");
        assert!(line.is_closed(), "{context}");
        let placed = PlacedLap::on_line(&columns, &line, None).expect("placed");
        let corners = find_corners(&line);
        for (number, corner) in (1..).zip(&corners) {
            assert_eq!(corner.number, number, "{context}");
            let places = [0.0, corner.entry_m, corner.apex_m, corner.exit_m, line.length_m()];
            assert!(places.is_sorted(), "{context}: {corner:?}");
        }
        for (one, next) in corners.iter().zip(corners.iter().skip(1)) {
            assert!(one.exit_m <= next.entry_m + 1e-6, "{context}: {one:?} and {next:?}");
        }
        let is = |found: &Corner, known: &CornerGroup| {
            let apex_m = lap.place_at(placed.clock_at(found.apex_m).expect("a clock"));
            found.left == Some(known.left())
                && (known.entry_m() - 20.0..known.exit_m() + 20.0).contains(&apex_m)
        };
        self.lines += 1;
        for known in counted {
            let [least, most] = known.count;
            self.corners += least;
            let found = corners.iter().filter(|corner| is(corner, known)).count();
            if !(least..=most).contains(&found) {
                self.wrong.push(format!("{context}: {found} for {:?}", known.corners));
            }
        }
        let of_none = |found: &&Corner| !counted.iter().any(|known| is(found, known));
        self.wrong.extend(corners.iter().filter(of_none).map(|corner| format!("{context}: {corner:?}")));
    }
}

/// Two consecutive laps without excursions.
fn pair(laps: &[SimulatedLap]) -> Option<&[SimulatedLap]> {
    laps.windows(2).find(|pair| pair.iter().all(|lap| lap.known.truth.excursions.is_empty()))
}

#[test]
fn a_bend_in_which_the_line_lies_is_one_corner_and_the_others_are_what_they_were() {
    let mut found = LineErrors::default();
    for (circuit, seed) in (0..).zip(FIRST_SEED..FIRST_SEED + RUNS) {
        let plan = plan_of(circuit, seed);
        let options = Options { cars: 1, player: 0, circuit, plan, seed, again: false, ..Options::default() };
        let (feed, hz) = SENT[circuit % SENT.len()];
        let simulation = Simulation { feed, options, seconds: 420, hz, noise_m: 0.1, loses: 0.02 };
        let (laps, circuit) = simulate(&simulation);
        let laps = pair(&laps).unwrap_or_else(|| panic!("{feed:?} {seed}: no two laps"));
        let counted = corner_groups(&circuit);
        for corner in &circuit.corners {
            for share in SHARES {
                let at_m = corner.entry_m + share * (corner.exit_m - corner.entry_m);
                let lap = ShiftedLap::new(laps, at_m);
                found.look(&lap, &counted, &format!("{feed:?} at {hz} Hz, seed {seed}, from {at_m:.0} m"));
            }
        }
    }
    let LineErrors { lines, corners, wrong } = found;
    eprintln!("{lines} lines in bends, {corners} corners, {} wrong", wrong.len());
    // Noise of 0.1 m decides about bends at the threshold between one corner and two.
    assert!(lines > 500 && wrong.len() * 1_000 < corners, "{} of {corners} corners: {wrong:#?}", wrong.len());
}
