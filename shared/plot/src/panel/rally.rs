//! The splits panel: splits at every tenth of the lap, surfaces, jumps, the handbrake, and the runs of a stage.

use trailbrake_analysis::lap_events::{Kind, LapEvents, of_stages};
use trailbrake_analysis::rally::{EvenSplit, surfaces, times};
use trailbrake_analysis::{PlacedLap, Unavailable};
use trailbrake_model::EventKind;

use super::{Cell, Content, LapRange, Laps, PanelLap, Table};
use crate::figure::splits_beside;

/// One split for each tenth of the lap.
const SPLITS: usize = 10;

pub(super) fn panel(laps: &Laps<'_>, _: &str) -> Result<Content, Unavailable> {
    let [own, other] = laps.comparison.placed.each_ref().map(splits);
    if own.is_empty() {
        return Err(Unavailable::TooLittle("a lap received from its start"));
    }
    let other = if laps.reference.is_some() { other } else { Vec::new() };
    let mut content = Content { figures: vec![splits_beside(&own, &other)], ..Content::default() };
    content.tables.push(split_table(laps, &own, &other));
    if laps.stage {
        content.tables.push(runs(laps));
    }
    let lap = events(&laps.main);
    let reference = laps.reference.as_ref().map(events);
    let mut table = Table::beside("Jumps and handbrake", reference.is_some());
    for (kind, often, long) in
        [(Kind::Jump, "Jumps", "Airborne, s"), (Kind::Handbrake, "Handbrake", "Handbrake, s")]
    {
        let both = [Some(&lap), reference.as_ref()].map(|of_lap| times(of_lap?, kind));
        if let Some((_, why)) = lap.unavailable.iter().find(|(unavailable, _)| *unavailable == kind) {
            content.notes.push(format!("{often}: not available, {why}."));
            continue;
        }
        table.numbers(often, 0, &both.map(|times| times.map(|times| times.times as f64)));
        table.numbers(long, 2, &both.map(|times| times.map(|times| times.seconds)));
    }
    if !table.rows.is_empty() {
        content.tables.push(table);
    }
    content.tables.extend(jumps(laps, &lap));
    match surfaces(&laps.main.columns) {
        Ok(wheels) => {
            let mut table = Table::new("Surfaces, % of the time", &["% of the time", "FL", "FR", "RL", "RR"]);
            let mut names: Vec<&str> = Vec::new();
            for (name, _) in wheels.iter().flat_map(|wheel| &wheel.shares) {
                if !names.contains(name) {
                    names.push(name);
                }
            }
            for name in names {
                let share = |wheel: usize| {
                    let shares = &wheels.get(wheel)?.shares;
                    shares.iter().find(|(other, _)| *other == name).map(|(_, share)| share * 100.0)
                };
                table.numbers(name, 1, &[0, 1, 2, 3].map(|wheel| Some(share(wheel).unwrap_or_default())));
            }
            content.tables.push(table);
        }
        Err(why) => content.notes.push(format!("Surfaces: not available, {why}.")),
    }
    Ok(content)
}

/// The lap clock at every tenth of the lap.
fn splits(placed: &PlacedLap) -> Vec<EvenSplit> {
    let mut splits = Vec::new();
    let mut before_s = 0.0;
    for part in 1..=SPLITS {
        let share = part as f64 / SPLITS as f64;
        let Some(clock_s) = placed.clock_at(share * placed.length_m) else { return splits };
        splits.push(EvenSplit { share, clock_s, part_s: clock_s - before_s });
        before_s = clock_s;
    }
    splits
}

fn split_table(laps: &Laps<'_>, own: &[EvenSplit], other: &[EvenSplit]) -> Table {
    let heads: &[&str] = if other.is_empty() { &["", "lap"] } else { &["s", "lap", "reference", "gap"] };
    let mut table = Table::new("Splits, s", heads);
    for (place, split) in own.iter().enumerate() {
        let mut cells = vec![Cell::Number(split.clock_s, 3)];
        if let Some(other) = other.get(place) {
            cells.extend([Cell::Number(other.clock_s, 3), Cell::Number(split.clock_s - other.clock_s, 3)]);
        }
        let to_m = split.share * laps.comparison.length_m;
        let from_m = to_m - laps.comparison.length_m / SPLITS as f64;
        let stretch = LapRange { from_m, to_m, at_m: to_m };
        table.leading(&format!("{:.0} %", split.share * 100.0), stretch, cells);
    }
    table
}

/// Every run of the stage, with its time behind the best.
fn runs(laps: &Laps<'_>) -> Table {
    let mut table = Table::new("Runs, s", &["s", "time", "gap to best"]);
    let best = laps.driven.iter().filter_map(|lap| lap.counts()).min();
    for lap in laps.driven {
        let time = lap.time.map(|time| time.seconds());
        let behind = time.zip(best).map(|(time, best)| time - best.seconds());
        table.numbers(&format!("run {}", lap.number), 3, &[time, behind]);
    }
    table
}

fn events(lap: &PanelLap<'_>) -> LapEvents {
    let events: Vec<(f64, &EventKind)> = lap.context.events.iter().map(|(at, kind)| (*at, kind)).collect();
    of_stages(&lap.columns, &events)
}

/// Every jump, by where it began.
fn jumps(laps: &Laps<'_>, lap_events: &LapEvents) -> Option<Table> {
    let mut table = Table::new("Jumps", &["jump at", "s", "m"]);
    let [placed, _] = &laps.comparison.placed;
    for jump in lap_events.found.iter().filter(|found| found.kind == Kind::Jump) {
        let Some(from_m) = placed.place_at(jump.at.lap_s) else { continue };
        let to_m = placed.place_at(jump.at.lap_s + jump.lasts_s).unwrap_or(from_m);
        let cells = vec![Cell::Number(jump.lasts_s, 2), Cell::number(jump.size.map(f64::from), 1)];
        table.leading(&format!("{from_m:.0} m"), LapRange { from_m, to_m, at_m: from_m }, cells);
    }
    (!table.rows.is_empty()).then_some(table)
}
