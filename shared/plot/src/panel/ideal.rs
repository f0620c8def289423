//! The ideal lap panel: theoretical bests, the rolling best, and where the lap could gain.

use trailbrake_analysis::laps::Lap;
use trailbrake_analysis::{
    BestPart, Corner, MiniSector, Reference, RollingLap, TimedLap, Unavailable, rolling_best,
};
use trailbrake_model::time::LapTime;

use super::{Cell, Content, LapRange, Laps, Table};
use crate::figure::gains_figure;

/// The number of mini-sectors listed.
const MOST_LISTED: usize = 8;
/// A smaller gain is not listed, seconds.
const LEAST_GAIN_S: f64 = 0.01;

pub(super) fn panel(laps: &Laps<'_>, _: &str) -> Result<Content, Unavailable> {
    let best = laps.theoretical_best;
    if best.sectors.is_none() && best.mini_sectors.is_none() {
        return Err(Unavailable::TooLittle("a lap that counts with its distance"));
    }
    let mut content = Content { tables: vec![ideal_laps(laps)], ..Content::default() };
    content.tables.extend(sectors(laps));
    let gains = gains(laps);
    if gains.iter().any(Option::is_some) {
        content.figures.push(gains_figure(laps.comparison, &gains));
    }
    content.tables.extend(largest_gains(laps, &gains));
    if let Some(lap) = rolling(laps).filter(|lap| lap.from > 0.0) {
        let from_m = lap.from * laps.comparison.length_m;
        content.notes.push(format!("The rolling best begins in lap {} at {from_m:.0} m.", lap.lap));
    }
    content.notes.push(laps.made_from(best.laps.len()));
    Ok(content)
}

/// The ideal laps with their times, and how far behind them this lap is.
fn ideal_laps(laps: &Laps<'_>) -> Table {
    let own = laps.lap.time;
    let mut table = Table::new("Ideal laps", &["", "time", "behind, s"]);
    let mut row = |name: &str, time: LapTime| {
        let behind_s = own.map(|own| own.minus(time) as f64 / 1e3);
        table.row(name, vec![Cell::Words(time.to_string()), Cell::number(behind_s, 3)]);
    };
    let best = laps.theoretical_best;
    if let Some(sectors) = &best.sectors {
        row("Best sectors", sectors.time);
    }
    if let Some(minis) = &best.mini_sectors {
        row("Best mini-sectors", in_milliseconds(minis.time_s));
    }
    if let Some(rolling) = rolling(laps) {
        row("Rolling best", in_milliseconds(rolling.time_s));
    }
    if let Some(time) = laps.driven.iter().filter_map(Lap::counts).min() {
        row(&format!("Best {}", laps.lap_word()), time);
    }
    table
}

/// The lap's sectors and the best ones.
fn sectors(laps: &Laps<'_>) -> Option<Table> {
    let best = laps.theoretical_best.sectors.as_ref()?;
    let word = laps.lap_word();
    let mut table =
        Table::new("Sectors", &["s", &format!("this {word}"), "best", &format!("in {word}"), "gain"]);
    for (place, sector) in best.sectors.iter().enumerate() {
        let own = laps.lap.sectors.get(place).copied().flatten();
        let gain_s = own.map(|own| own.minus(sector.time) as f64 / 1e3);
        let cells = vec![
            Cell::number(own.map(LapTime::seconds), 3),
            Cell::Number(sector.time.seconds(), 3),
            number(laps, sector.serial),
            Cell::number(gain_s, 3),
        ];
        table.row(&format!("S{}", place + 1), cells);
    }
    Some(table)
}

/// What the lap could gain in each mini-sector, in seconds.
fn gains(laps: &Laps<'_>) -> Vec<Option<f64>> {
    let Some(best) = &laps.theoretical_best.mini_sectors else { return Vec::new() };
    let gain = |(index, part): (usize, &BestPart)| {
        let [own_s, _] = laps.comparison.mini_sector_s(index)?;
        Some((own_s - part.time_s).max(0.0))
    };
    best.parts.iter().enumerate().map(gain).collect()
}

/// The mini-sectors with the largest gains, largest first.
fn largest_gains(laps: &Laps<'_>, gains: &[Option<f64>]) -> Option<Table> {
    let best = laps.theoretical_best.mini_sectors.as_ref()?;
    let word = laps.lap_word();
    let mut table = Table::new("Largest gains", &["place", "gain, s", &format!("best in {word}")]);
    let parts = laps.comparison.minis.iter().zip(&best.parts).zip(gains);
    let mut parts: Vec<_> =
        parts.filter_map(|((mini, part), gain)| Some(((*gain)?, mini, part.serial))).collect();
    parts.retain(|(gain_s, ..)| *gain_s >= LEAST_GAIN_S);
    parts.sort_by(|(one, ..), (other, ..)| other.total_cmp(one));
    for (gain_s, mini, serial) in parts.into_iter().take(MOST_LISTED) {
        let range =
            LapRange { from_m: mini.from_m, to_m: mini.to_m, at_m: f64::midpoint(mini.from_m, mini.to_m) };
        table.leading(&place(laps, mini), range, vec![Cell::Number(gain_s, 3), number(laps, serial)]);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// The corners that a mini-sector touches, or where it lies.
fn place(laps: &Laps<'_>, mini: &MiniSector) -> String {
    let corners = laps.comparison.corners.iter();
    let touched = corners.filter(|corner| corner.entry_m < mini.to_m && corner.exit_m > mini.from_m);
    let names: Vec<String> = touched.map(Corner::short_title).collect();
    let unit = if laps.comparison.in_metres { " m" } else { " ‰" };
    let range = format!("{:.0}–{:.0}{unit}", mini.from_m, mini.to_m);
    if names.is_empty() { range } else { format!("{range} · {}", names.join(", ")) }
}

/// The number of a lap.
fn number(laps: &Laps<'_>, serial: u32) -> Cell {
    let lap = laps.driven.iter().find(|lap| lap.serial == serial);
    lap.map_or(Cell::Nothing, |lap| Cell::Number(f64::from(lap.number), 0))
}

/// The rolling best of the laps that were read. The runs of a stage have none.
fn rolling(laps: &Laps<'_>) -> Option<RollingLap> {
    let counted = |number: u16| {
        let lap = laps.driven.iter().find(|lap| lap.number == number && lap.counts().is_some());
        lap.filter(|_| !laps.stage)
    };
    let read = laps.stint.iter().filter_map(|columns| Some((counted(columns.number)?, columns)));
    let curves: Vec<(&Lap, Reference)> =
        read.filter_map(|(lap, columns)| Some((lap, Reference::of_lap(columns)?))).collect();
    let timed: Vec<TimedLap<'_>> =
        curves.iter().map(|(lap, curve)| TimedLap { lap: lap.number, run: lap.run, curve }).collect();
    rolling_best(&timed).ok()
}

fn in_milliseconds(seconds: f64) -> LapTime {
    LapTime((seconds * 1e3).round() as u32)
}
