//! Measures the errors of the analysis on circuits and seeds not used in its development, and writes the table of
//! `docs/compare-errors.md`.

use trailbrake_shared::analysis::{Corner, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::Channel;
use trailbrake_shared::sim::circuit::{Circuit, CornerGroup, corner_groups};
use trailbrake_shared::sim::truth::BrakingNote;
use trailbrake_shared::sim::{Options, PEDAL_ON};

use super::simulated::{SimulatedLap, Simulation, plan_of, simulate_at};

const FEEDS: [(Feed, &str); 4] = [
    (Feed::F1, "F1 2018"),
    (Feed::GranTurismo, "Gran Turismo"),
    (Feed::AcRemote, "AC remote"),
    (Feed::AcTelemetryTool, "Telemetry Tool"),
];
/// Each run has its own seed, counted up: one run per circuit of the catalogue, then invented circuits numbered by
/// their seed.
const FIRST_SEED: u64 = 81_001;
const RUNS: u64 = 9;
/// Packets a second.
const RATES: [u32; 2] = [60, 20];
const NOISE_M: f64 = 0.1;
const LOSES: f64 = 0.02;
const SECONDS: u32 = 300;

/// The errors over several laps.
#[derive(Default)]
struct Off {
    laps: usize,
    delta_s: f64,
    delta_squares: f64,
    deltas: usize,
    brakings: usize,
    /// Reported brake points where nobody braked.
    unpressed: usize,
    brake_m: f64,
    brake_squares: f64,
    /// The most metres between two samples at a brake point.
    sample_m: f64,
    corners: usize,
    /// Corners that may also count as one more.
    open: usize,
    missed: usize,
    invented: usize,
}

impl Off {
    fn look(&mut self, lap: &SimulatedLap, reference: &SimulatedLap, circuit: &Circuit, context: &str) {
        let comparison = compare(&lap.columns(), &reference.columns()).expect("a comparison");
        self.laps += 1;
        let [placed, _] = &comparison.placed;
        let end_s = f64::from(lap.known.truth.time_ms) / 1e3;
        for tenth in 1..(end_s * 10.0) as u32 - 1 {
            let seconds = f64::from(tenth) / 10.0;
            let place = placed.place_at(seconds).expect("a place");
            if comparison.placed.iter().any(|placed| placed.is_aside(place)) {
                continue;
            }
            let known = seconds - reference.known.time_at(lap.known.place_at(seconds));
            let off = (comparison.at(place).expect("a delta") - known).abs();
            self.delta_s = self.delta_s.max(off);
            self.delta_squares += off * off;
            self.deltas += 1;
        }
        let official = i64::from(lap.known.truth.time_ms) - i64::from(reference.known.truth.time_ms);
        let end = comparison.delta.last().expect("an end").1;
        assert!((end - official as f64 / 1e3).abs() < 1e-9, "{context}: {end} is not {official} ms");

        let middle_m = |place: f64| lap.known.place_at(placed.clock_at(place).expect("a clock"));
        let is = |found: &Corner, known: &CornerGroup| {
            let apex_m = middle_m(found.apex_m);
            found.left == Some(known.left())
                && (known.entry_m() - 20.0..known.exit_m() + 20.0).contains(&apex_m)
        };
        for on_m in comparison.tables[0].rows.iter().filter_map(|row| row.brake_on_m.map(middle_m)) {
            let at_s = lap.known.time_at(on_m);
            let near_s = between_samples_s(lap, at_s).max(0.05);
            let mut near = lap.known.did.iter().filter(|did| (did.seconds - at_s).abs() <= near_s);
            self.unpressed += usize::from(!near.any(|did| did.brake >= PEDAL_ON));
        }
        let counted = corner_groups(circuit);
        for counted in &counted {
            let [least, most] = counted.count;
            self.corners += least;
            self.open += most - least;
            let found: Vec<usize> = (0..comparison.corners.len())
                .filter(|index| is(&comparison.corners[*index], counted))
                .collect();
            self.missed += least.saturating_sub(found.len());
            self.invented += found.len().saturating_sub(most);
            // If several brakings count as one corner, it is ambiguous which belongs to it.
            let [known] = counted.corners.as_slice() else { continue };
            let note =
                lap.known.truth.corners.iter().find(|note| note.corner == known.number).expect("a note");
            // A touch of the brake that is over at once does not count as braking.
            let long = |braking: &BrakingNote| braking.release_m - braking.on_m > 0.2 * braking.on_speed_ms;
            let braking = note.braking.filter(|braking| braking.peak > 2.0 * PEDAL_ON && long(braking));
            // A lost packet may decide which of two brakings is the harder one.
            let Some(braking) = braking.filter(|_| note.other_brakings == 0) else { continue };
            let [index] = found.as_slice() else { continue };
            let row = &comparison.tables[0].rows[*index];
            let Some(on_m) = row.brake_on_m.map(middle_m) else {
                panic!("{context}: no braking for {known:?}")
            };
            let off_m = (on_m - braking.on_m).abs();
            // The error is at most the gap between samples; a lost one doubles it.
            let around = [on_m, braking.on_m].map(|metres| between_samples_s(lap, lap.known.time_at(metres)));
            let sample_m = braking.on_speed_ms * around[0].max(around[1]);
            assert!(off_m < sample_m.max(3.0), "{context}: {on_m} is not {} for {known:?}", braking.on_m);
            self.brakings += 1;
            self.brake_m = self.brake_m.max(off_m);
            self.brake_squares += off_m * off_m;
            self.sample_m = self.sample_m.max(sample_m);
        }
        let of_none = |found: &&Corner| !counted.iter().any(|known| is(found, known));
        self.invented += comparison.corners.iter().filter(of_none).count();
    }
}

/// The time between the pedal samples around a time of the lap.
fn between_samples_s(lap: &SimulatedLap, seconds: f64) -> f64 {
    let columns = lap.columns();
    let sampled = (0..columns.len()).filter(|row| columns.sent(Channel::Brake.slot(), *row).is_some());
    let clocks: Vec<f64> = sampled.map(|row| columns.clock_s()[row]).collect();
    let after = clocks.partition_point(|clock| *clock < seconds).clamp(1, clocks.len() - 1);
    clocks[after] - clocks[after - 1]
}

/// The table rows of a game, one for each rate.
fn rows(feed: Feed, name: &str) -> [String; 2] {
    let mut offs = RATES.map(|_| Off::default());
    for (circuit, seed) in (0..).zip(FIRST_SEED..FIRST_SEED + RUNS) {
        let plan = plan_of(circuit, seed);
        let options = Options { cars: 2, player: 0, circuit, plan, seed, again: false, ..Options::default() };
        let hz = RATES[0];
        let simulation = Simulation { feed, options, seconds: SECONDS, hz, noise_m: NOISE_M, loses: LOSES };
        let (at_rates, circuit) = simulate_at(&simulation, RATES);
        for ((laps, hz), off) in at_rates.iter().zip(RATES).zip(&mut offs) {
            let context = format!("{name} at {hz} Hz, seed {seed}");
            let [first, others @ ..] = laps.as_slice() else { panic!("{context}: no laps") };
            assert!(!others.is_empty(), "{context}: one lap");
            for lap in others {
                off.look(lap, first, &circuit, &context);
            }
        }
    }
    let [often, seldom] = RATES;
    [row(name, often, &offs[0]), row(name, seldom, &offs[1])]
}

fn row(name: &str, hz: u32, off: &Off) -> String {
    let within_s = if hz == 60 { 0.010 } else { 0.025 };
    assert!(off.delta_s < within_s, "{name} at {hz} Hz: {} s", off.delta_s);
    let (missed, invented) = (off.missed, off.invented);
    assert!(
        missed + invented + off.unpressed == 0,
        "{name} at {hz} Hz: {missed} missed and {invented} invented of {} corners, {} brakings invented",
        off.corners,
        off.unpressed
    );
    let root = |squares: f64, count: usize| (squares / count.max(1) as f64).sqrt();
    format!(
        "| {name} | {hz} | {} | {:.1} | {:.1} | {} | {} | {:.2} | {:.2} | {:.2} | {} | {} | {} | {} |\n",
        off.laps,
        root(off.delta_squares, off.deltas) * 1e3,
        off.delta_s * 1e3,
        off.brakings,
        off.unpressed,
        root(off.brake_squares, off.brakings),
        off.brake_m,
        off.sample_m,
        off.corners,
        off.open,
        off.missed,
        off.invented,
    )
}

const HEAD: &str = "\
# How accurate the comparison is

Written by the test `analysis::errors`, from laps of the simulator: three circuits of the demo and six random ones, with noise of 0.1 m
(standard deviation) on every coordinate and 2 % of the packets lost. The seeds are nine consecutive numbers that were fixed
beforehand. The comparison was tuned on 205 other sessions, on the demo's circuits and 160 other random ones, with 34 000 corners.

The simulator knows the truth: when each car passed each metre of the track's centre line, where the pedal passed a tenth of its
travel, and the corners. The delta is checked every tenth of a second. A braking is checked once in each corner, and wherever more than a
fifth of the pedal was used for longer than 0.2 s. Every braking that is found is checked, too: the pedal must have passed a tenth of
its travel there.

A corner is where the centre line turns by more than 11.5° to one side. Random circuits have corners from 30° to 150°, of radii between
24 and 300 m, and straights from 25 m on. Some straights bend by 2° to 7° at 500 m and more, and these bends are no corners. Two bends
to the same side with a short straight between them count by the racing line, which the simulator knows: as two corners where it bends
less than 45 % between them of what it does in the wider one, as one corner where it always bends more than 75 %. In between, one and
two are both right (*left open*).

| game | Hz | laps | delta, rms ms | worst ms | brakings | never pressed | brake point, rms m | worst m | between two samples there, m | corners | left open | missed | invented |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
";

#[test]
fn errors_are_small_and_the_table_of_them_is_up_to_date() {
    let mut table = HEAD.to_owned();
    for (feed, name) in FEEDS {
        table.extend(rows(feed, name));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/compare-errors.md");
    if std::env::var_os("TRAILBRAKE_WRITE_TABLES").is_some() {
        std::fs::write(path, &table).expect("a table");
    }
    let stored = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(stored, table, "TRAILBRAKE_WRITE_TABLES=1 writes it again");
}
