//! A bench of causes: mistakes that the simulated driver makes, one in each run, with seeds that nothing was tuned on. How
//! much of their price is found under their name, and what they are called. A few seeds run in the tests; `cargo xtask why`
//! runs many and writes `docs/why-errors.md`.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;

use trailbrake_shared::analysis::compare;
use trailbrake_shared::analysis::ledger::{Cause, LedgerRow, Part};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::circuit::{CIRCUITS, Circuit};
use trailbrake_shared::sim::random::Random;
use trailbrake_shared::sim::{Finish, Mistake, MistakeKind, Options, Start};

use super::simulated::{SimulatedLap, Simulation, noisy, plan_of, simulate};

/// The variable with the number of seeds.
const VARIABLE: &str = "TRAILBRAKE_WHY_SEEDS";
const FIRST_SEED: u64 = 8_200_001;
/// The number of seeds in the tests: one of each kind of mistake.
const FEW: u64 = KINDS.len() as u64;
const LAP: u32 = 1;
/// A smaller loss is not judged: chance is as large, seconds.
const LEAST_S: f64 = 0.02;
/// An error is small, fair or large: at most so many seconds, or this share of the loss.
const BOUNDS: [(f64, f64); 3] = [(0.010, 0.15), (0.020, 0.20), (0.040, 0.35)];
/// A named cause that costs less is not counted as wrong, seconds.
const NAMED_S: f64 = 0.02;
/// A cause that costs less in truth is overstated where it is said to cost that much, seconds.
const LITTLE_S: f64 = 0.01;
/// A stage's corner is braked for where the pedal is pressed this far, within so many metres before it.
const BRAKES: f64 = 0.3;
const BRAKING_M: f64 = 150.0;
/// This part of the mistakes is also made on stages, and at a server.
const OTHERS_SHARE: u64 = 3;

/// Games that send sixty times a second, with pedals.
const FAST: [Feed; 3] = [Feed::F1, Feed::GranTurismo, Feed::AcTelemetryTool];
/// Stages instead of laps, on gravel.
const RALLY: [Feed; 1] = [Feed::DirtRally];
/// Ten samples a second and no pedals.
const SERVER: [Feed; 1] = [Feed::AcServer];

/// A kind of mistake: its name, how it is drawn, the parts that hold its price, and the causes that are its name.
struct Kind {
    name: &'static str,
    draw: fn(&mut Random) -> Vec<MistakeKind>,
    parts: &'static [Part],
    causes: &'static [Part],
}

const KINDS: [Kind; 13] = [
    Kind {
        name: "brakes 5 to 25 m early",
        draw: |chance| vec![MistakeKind::BrakesEarly(chance.between(5.0, 25.0))],
        parts: &[Part::BrakePoint, Part::Throttle, Part::Release, Part::MinimumSpeed],
        causes: &[Part::BrakePoint],
    },
    Kind {
        name: "brakes 4 to 12 m late",
        draw: |chance| vec![MistakeKind::BrakesLate(chance.between(4.0, 12.0))],
        parts: &[Part::BrakePoint, Part::Line, Part::Release, Part::MinimumSpeed, Part::Throttle],
        causes: &[Part::BrakePoint],
    },
    Kind {
        name: "brakes with 55 to 90 %",
        draw: |chance| vec![MistakeKind::BrakesSoftly(chance.between(0.55, 0.9))],
        parts: &[Part::Braking, Part::BuildUp, Part::BrakePoint, Part::Release],
        causes: &[Part::Braking, Part::BuildUp],
    },
    Kind {
        name: "builds up in 0.2 to 0.6 s",
        draw: |chance| vec![MistakeKind::BuildsUpSlowly(chance.between(0.2, 0.6))],
        parts: &[Part::Braking, Part::BuildUp, Part::BrakePoint, Part::Release],
        causes: &[Part::Braking, Part::BuildUp],
    },
    Kind {
        name: "releases 5 to 20 m early",
        draw: |chance| vec![MistakeKind::ReleasesEarly(chance.between(5.0, 20.0))],
        parts: &[Part::BrakePoint, Part::Release, Part::MinimumSpeed, Part::Line],
        causes: &[Part::Release, Part::BrakePoint],
    },
    Kind {
        name: "lifts 30 to 90 m early",
        draw: |chance| vec![MistakeKind::LiftsEarly(chance.between(30.0, 90.0))],
        parts: &[Part::Lift, Part::BrakePoint],
        causes: &[Part::Lift],
    },
    Kind {
        name: "corners at 92 to 98 %",
        draw: |chance| vec![MistakeKind::DrivesSlowly(chance.between(0.92, 0.98))],
        parts: &[Part::MinimumSpeed, Part::Line, Part::Throttle, Part::Release],
        causes: &[Part::MinimumSpeed],
    },
    Kind {
        name: "drives 1 to 3.5 m wide",
        draw: |chance| vec![MistakeKind::DrivesWide(chance.between(1.0, 3.5))],
        parts: &[Part::Line, Part::MinimumSpeed, Part::Throttle, Part::Release],
        causes: &[Part::Line],
    },
    Kind {
        name: "throttle 5 to 25 m late",
        draw: |chance| vec![MistakeKind::WaitsWithThrottle(chance.between(5.0, 25.0))],
        parts: &[Part::Throttle],
        causes: &[Part::Throttle],
    },
    Kind {
        name: "throttle at 40 to 80 %",
        draw: |chance| vec![MistakeKind::HalfThrottle(chance.between(0.4, 0.8))],
        parts: &[Part::Throttle],
        causes: &[Part::Throttle],
    },
    Kind {
        name: "lifts again for 0.15 to 0.5 s",
        draw: |chance| vec![MistakeKind::LiftsAgain(chance.between(0.15, 0.5))],
        parts: &[Part::SecondLift, Part::Throttle],
        causes: &[Part::SecondLift],
    },
    Kind {
        name: "one or two gears too high",
        draw: |chance| vec![MistakeKind::HighGear(if chance.unit() < 0.5 { 1 } else { 2 })],
        parts: &[Part::Gears],
        causes: &[Part::Gears],
    },
    Kind {
        name: "brakes with 60 to 85 % and 5 to 15 m early",
        draw: |chance| {
            let (share, early_m) = (chance.between(0.6, 0.85), chance.between(5.0, 15.0));
            vec![MistakeKind::BrakesSoftly(share), MistakeKind::BrakesEarly(early_m)]
        },
        parts: &[
            Part::Braking,
            Part::BuildUp,
            Part::BrakePoint,
            Part::Release,
            Part::Throttle,
            Part::MinimumSpeed,
        ],
        causes: &[Part::Braking, Part::BuildUp],
    },
];

/// What was found of a mistake.
struct Finding {
    /// What the simulator knows that it cost, seconds.
    lost_s: f64,
    /// What the corner and what is behind it lost, seconds.
    loss_s: f64,
    /// What stands under the parts of the mistake, seconds.
    named_s: f64,
    cause: Option<Part>,
    /// What is said to be lost by that cause, seconds.
    cost_s: f64,
    /// Causes named in corners before the mistake, where the laps are the same but for the noise.
    invented: usize,
    /// Corners before the mistake.
    alike: usize,
}

/// A lap of a run. Until a mistake, all laps of a seed are driven alike; they are received with noise of their own.
fn drive(feed: Feed, circuit: usize, seed: u64, mistakes: Vec<Mistake>) -> Option<(SimulatedLap, Circuit)> {
    let mut chance = Random::new(seed ^ if mistakes.is_empty() { 0x0DD } else { 0xE7E });
    let is_rally = feed == Feed::DirtRally;
    let start = if is_rally { Start::Stage(Finish::Completed) } else { Start::default() };
    let plan = plan_of(circuit, seed).filter(|_| !is_rally);
    let options = Options {
        cars: 1,
        player: 0,
        circuit,
        plan,
        start,
        seed,
        again: false,
        mistakes,
        ..Options::default()
    };
    // The server says only once that a lap has ended.
    let loses = if feed == Feed::AcServer { 0.0 } else { 0.02 };
    let seconds = if is_rally { 300 } else { 170 };
    let simulation = Simulation { feed, options, seconds, hz: 60, noise_m: 0.0, loses };
    let (laps, circuit) = simulate(&simulation);
    let mut lap = laps.into_iter().find(|lap| u32::from(lap.lap.number) == LAP)?;
    lap.columns = noisy(&lap.columns, 0.1, &mut chance);
    Some((lap, circuit))
}

/// The corners for which a lap braked: their numbers, and where it was slowest, metres.
fn braked(lap: &SimulatedLap, circuit: &Circuit) -> Vec<(u8, f64)> {
    let notes = &lap.known.truth.corners;
    if !notes.is_empty() {
        let braked = notes.iter().filter(|note| note.braking.is_some());
        return braked.map(|note| (note.corner, note.min_speed_m)).collect();
    }
    // Of a stage, only what the driver did is known.
    let within =
        |from_m: f64, to_m: f64| lap.known.did.iter().filter(move |did| (from_m..to_m).contains(&did.metres));
    let braked = circuit.corners.iter().filter_map(|corner| {
        let braked = within(corner.entry_m - BRAKING_M, corner.apex_m).any(|did| did.brake > BRAKES);
        let slowest = within(corner.entry_m, corner.exit_m).min_by(|a, b| a.speed_ms.total_cmp(&b.speed_ms));
        Some((corner.number, slowest.filter(|_| braked)?.metres))
    });
    braked.collect()
}

/// Plants one mistake in a run. `None` if there is no lap, or the driver does not brake for any corner.
fn plant(feeds: &[Feed], seed: u64) -> Option<(usize, Finding)> {
    let mut chance = Random::new(seed);
    let which = (seed % KINDS.len() as u64) as usize;
    let kind = KINDS.get(which)?;
    let feed = *feeds.get((seed / KINDS.len() as u64) as usize % feeds.len())?;
    let circuit = (chance.unit() * (CIRCUITS.len() + 3) as f64) as usize;
    let (usual, track) = drive(feed, circuit, seed, Vec::new())?;
    let braked = braked(&usual, &track);
    let (corner, slowest_m) = *braked.get((chance.unit() * braked.len() as f64) as usize)?;
    let mistakes =
        (kind.draw)(&mut chance).into_iter().map(|what| Mistake { car: 0, lap: LAP, corner, what });
    let (worse, _) = drive(feed, circuit, seed, mistakes.collect())?;
    let comparison = compare(&worse.columns(), &usual.columns()).expect("a comparison");
    let [_, placed] = &comparison.placed;
    let apex_m = placed.place_at(usual.known.time_at(slowest_m))?;
    let rows = &comparison.ledger.rows;
    let own = rows.iter().position(|row| row.place.corner.is_some() && row.to_m > apex_m)?;
    let braked = comparison.tables[1].rows.iter().zip(&comparison.corners);
    let row = rows.get(own)?;
    let braked_m = braked.filter_map(|(row, _)| row.lift_m.or(row.brake_on_m)).find(|on_m| *on_m > row.to_m);
    // Without pedals, up to the next corner.
    let next_m = || rows.iter().skip(own + 1).find(|row| row.place.corner.is_some()).map(|row| row.from_m);
    let end_m = braked_m.or_else(next_m)?;
    let middle_m = usual.known.place_at(placed.clock_at(end_m)?);
    let lost_s = worse.known.time_at(middle_m) - usual.known.time_at(middle_m);
    let behind: Vec<&LedgerRow> = rows.iter().skip(own).take_while(|row| row.from_m < end_m - 1.0).collect();
    let before = rows.iter().take(own.saturating_sub(1)).filter(|row| row.place.corner.is_some());
    let named = |row: &LedgerRow| Cause::of(row).is_some_and(|cause| cause.cost_s >= NAMED_S);
    // Where a driver is not yet at full throttle at the end of the corner's row, the next row has the rest.
    let cause = behind.iter().find_map(|row| Cause::of(row));
    let finding = Finding {
        lost_s,
        loss_s: behind.iter().map(|row| row.loss_s).sum::<Option<f64>>()?,
        named_s: behind.iter().flat_map(|row| kind.parts.iter().map(|part| row.part_s(*part))).sum(),
        cause: cause.map(|cause| cause.part),
        cost_s: cause.map_or(0.0, |cause| cause.cost_s),
        invented: before.clone().filter(|row| named(row)).count(),
        alike: before.count(),
    };
    Some((which, finding))
}

/// The findings of some seeds, by kind. All cores are used.
fn plant_all(feeds: &[Feed], seeds: u64) -> BTreeMap<usize, Vec<Finding>> {
    let found: Mutex<BTreeMap<u64, (usize, Finding)>> = Mutex::default();
    let next = Mutex::new(0..seeds);
    let take = || next.lock().expect("no panic").next();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(seed) = take() {
                    if let Some(finding) = plant(feeds, FIRST_SEED + seed) {
                        found.lock().expect("no panic").insert(seed, finding);
                    }
                }
            });
        }
    });
    let mut kinds: BTreeMap<usize, Vec<Finding>> = BTreeMap::new();
    for (which, finding) in found.into_inner().expect("no panic").into_values() {
        kinds.entry(which).or_default().push(finding);
    }
    kinds
}

/// Whether a figure is within each of the bounds.
fn within(found_s: f64, lost_s: f64) -> [bool; 3] {
    BOUNDS.map(|(least_s, share)| (found_s - lost_s).abs() <= (share * lost_s.abs()).max(least_s))
}

/// The share of findings within each of the bounds, per cent.
fn shares(findings: &[&Finding], found_s: fn(&Finding) -> f64) -> [f64; 3] {
    let mut counts = [0_u32; 3];
    for finding in findings {
        for (count, is_within) in counts.iter_mut().zip(within(found_s(finding), finding.lost_s)) {
            *count += u32::from(is_within);
        }
    }
    counts.map(|count| 100.0 * f64::from(count) / findings.len().max(1) as f64)
}

/// The causes that were named, the most frequent first: `brake point 91 %, release 5 %`.
fn named(findings: &[&Finding]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in findings {
        *counts.entry(finding.cause.map_or("nothing", Part::label)).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(label, count)| (std::cmp::Reverse(*count), *label));
    let words = counts.iter().map(|(label, count)| format!("{label} {}", percent(*count, findings.len())));
    words.collect::<Vec<_>>().join(", ")
}

fn percent(count: usize, of: usize) -> String {
    format!("{:.0} %", 100.0 * count as f64 / of.max(1) as f64)
}

/// The median loss, seconds.
fn usual_s(findings: &[&Finding]) -> f64 {
    let mut lost_s: Vec<f64> = findings.iter().map(|finding| finding.lost_s).collect();
    lost_s.sort_by(f64::total_cmp);
    lost_s.get(lost_s.len() / 2).copied().unwrap_or_default()
}

fn row(kind: &Kind, findings: &[&Finding]) -> String {
    let usual_s = usual_s(findings);
    let cells = |shares: [f64; 3]| shares.map(|share| format!("{share:.0}")).join(" / ");
    let right =
        findings.iter().filter(|finding| finding.cause.is_some_and(|cause| kind.causes.contains(&cause)));
    format!(
        "| {} | {} | {usual_s:.3} | {} | {} | {} | {} |\n",
        kind.name,
        findings.len(),
        cells(shares(findings, |finding| finding.loss_s)),
        cells(shares(findings, |finding| finding.named_s)),
        percent(right.count(), findings.len()),
        named(findings),
    )
}

const HEAD: &str = "\
# How well causes are found

Written by `cargo xtask why`. The simulator's driver makes one mistake in one corner of a lap that is otherwise the same, in F1 2018, Gran Turismo and
Assetto Corsa's Telemetry Tool at 60 Hz, on three circuits of the demo and random ones, with noise of 0.1 m (standard deviation) on every
coordinate and 2 % of the packets lost, differently in both laps. The seeds are consecutive numbers that nothing was tuned on. Mistakes that cost less than
0.02 s are not counted.

- **loss**: what the corner and the rows behind it lose, up to the next braking, beside what the simulator knows;
- **parts**: what stands under the parts of the mistake in these rows, beside the same. Parts that force each other are one sum: a driver who brakes early is
  also slower at the slowest place and later on the throttle.

Both are given as the share of mistakes whose error is at most 10 ms or 15 % / 20 ms or 20 % / 40 ms or 35 %, in per cent. **Right** says how often
the cause that is named first is the mistake; the last column is all that was named.

| mistake | mistakes | lost, s | loss | parts | right | named |
|---|---|---|---|---|---|---|
";

/// The table of rally stages.
const RALLY_HEAD: &str = "
## Rally

The same mistakes on stages of DiRT Rally, each driven once with the mistake and once without it.

| mistake | mistakes | lost, s | loss | parts | right | named |
|---|---|---|---|---|---|---|
";

/// The last table: the same mistakes by a server that sends no pedals.
const SERVER_HEAD: &str = "
## Assetto Corsa's server

The same mistakes as the game's server sends them: ten times a second, positions and speeds, and no pedals. Their corner and the rows behind
it lose what the simulator knows within 40 ms or 30 % in the share of mistakes given; where nothing is said of pedals, it is named as what the
speed shows.

| mistake | mistakes | lost, s | loss | named |
|---|---|---|---|---|
";
/// The bound of an error there: seconds, or this share of the loss.
const SERVER_BOUND: (f64, f64) = (0.040, 0.30);

/// All findings, by kind, and those that are judged.
struct Findings(BTreeMap<usize, Vec<Finding>>);

impl Findings {
    fn judged(&self, which: usize) -> Vec<&Finding> {
        let findings = self.0.get(&which).into_iter().flatten();
        findings.filter(|finding| finding.lost_s >= LEAST_S).collect()
    }

    fn all_judged(&self) -> Vec<&Finding> {
        self.0.keys().flat_map(|which| self.judged(*which)).collect()
    }

    /// How many of the judged have a cause that is the mistake.
    fn right(&self) -> usize {
        let is_right = |which: usize, finding: &Finding| {
            finding
                .cause
                .is_some_and(|cause| KINDS.get(which).is_some_and(|kind| kind.causes.contains(&cause)))
        };
        let of =
            |which: &usize| self.judged(*which).iter().filter(|finding| is_right(*which, finding)).count();
        self.0.keys().map(of).sum()
    }

    /// Corners before the mistakes, and causes that were named there.
    fn invented(&self) -> (usize, usize) {
        let all = self.0.values().flatten();
        all.fold((0, 0), |(alike, invented), one| (alike + one.alike, invented + one.invented))
    }

    /// Causes that are said to cost much, and those of them that cost little in truth.
    fn overstated(&self) -> (usize, usize) {
        let named = || self.0.values().flatten().filter(|one| one.cause.is_some() && one.cost_s >= NAMED_S);
        (named().count(), named().filter(|one| one.lost_s < LITTLE_S).count())
    }
}

/// A table of games with pedals.
fn table(head: &str, found: &Findings) -> String {
    let mut table = head.to_owned();
    for (which, kind) in KINDS.iter().enumerate() {
        let judged = found.judged(which);
        if !judged.is_empty() {
            table.push_str(&row(kind, &judged));
        }
    }
    let judged = found.all_judged();
    let cells = |found_s: fn(&Finding) -> f64| {
        shares(&judged, found_s).map(|share| format!("{share:.0}")).join(" / ")
    };
    let (alike, invented) = found.invented();
    let (named, overstated) = found.overstated();
    table.push_str(&format!(
        "| **all** | {} | | {} | {} | {} | |\n\n\
         In {alike} corners before the mistakes, where both laps are driven alike, a cause of {NAMED_S} s or more was named {invented} times.\n\
         Of {named} causes of {NAMED_S} s or more in the corners of mistakes, {overstated} cost less than {LITTLE_S} s in truth.\n",
        judged.len(),
        cells(|finding| finding.loss_s),
        cells(|finding| finding.named_s),
        percent(found.right(), judged.len()),
    ));
    table
}

/// The share of findings whose loss is within the server's bound, per cent.
fn server_share(findings: &[&Finding]) -> f64 {
    let (least_s, share) = SERVER_BOUND;
    let is_within =
        |one: &&&Finding| (one.loss_s - one.lost_s).abs() <= (share * one.lost_s.abs()).max(least_s);
    100.0 * findings.iter().filter(is_within).count() as f64 / findings.len().max(1) as f64
}

fn server_table(found: &Findings) -> String {
    let mut table = SERVER_HEAD.to_owned();
    let row = |name: &str, findings: &[&Finding]| {
        let (lost_s, share, named) = (usual_s(findings), server_share(findings), named(findings));
        format!("| {name} | {} | {lost_s:.3} | {share:.0} | {named} |\n", findings.len())
    };
    for (which, kind) in KINDS.iter().enumerate() {
        table.push_str(&row(kind.name, &found.judged(which)));
    }
    let judged = found.all_judged();
    table.push_str(&format!("| **all** | {} | | {:.0} | |\n", judged.len(), server_share(&judged)));
    table
}

#[test]
fn mistakes_are_found_with_their_price_and_their_name() {
    let asked = std::env::var(VARIABLE).ok().map(|seeds| seeds.parse::<u64>().expect("a number"));
    let found = Findings(plant_all(&FAST, asked.unwrap_or(FEW)));
    let mut written = table(HEAD, &found);
    if let Some(seeds) = asked {
        let on_stages = Findings(plant_all(&RALLY, seeds / OTHERS_SHARE));
        written.push_str(&table(RALLY_HEAD, &on_stages));
        let at_server = Findings(plant_all(&SERVER, seeds / OTHERS_SHARE));
        written.push_str(&server_table(&at_server));
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/why-errors.md"), &written)
            .expect("a table");
    }
    let judged = found.all_judged();
    let [.., within] = shares(&judged, |finding| finding.named_s);
    let (alike, invented) = found.invented();
    assert!(judged.len() >= 8 && within >= 80.0, "{written}");
    assert!(found.right() * 5 >= judged.len() * 3 && invented * 100 <= alike, "{written}");
}
