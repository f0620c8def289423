//! The consistency panel: the spread of lap times and brake points over a stint.

use trailbrake_analysis::{Comparison, Spread, Unavailable, consistency, statistics};

use super::{Cell, Content, Laps, Table, corner_stretch};
use crate::figure::consistency_figure;

pub(super) fn panel(laps: &Laps<'_>, _: &str) -> Result<Content, Unavailable> {
    let spreads = consistency(laps.driven)?;
    let mut table = Table::new("Lap times, s", &["s", "best", "median", "std dev", "range"]);
    let mut row = |name: &str, spread: &Spread| {
        let Spread { best_s, median_s, deviation_s, range_s, .. } = *spread;
        table.numbers(name, 3, &[best_s, median_s, deviation_s, range_s].map(Some));
    };
    let one = laps.lap_word();
    row(one, &spreads.lap);
    for (place, sector) in spreads.sectors.iter().enumerate() {
        if let Some(sector) = sector {
            row(&format!("S{}", place + 1), sector);
        }
    }
    let mut notes = vec![laps.made_from(laps.driven.len())];
    notes.extend(spreads.notes.iter().cloned());
    let mut tables = vec![table];
    match braking(laps) {
        Some(table) => {
            tables.push(table);
            notes.push("Brake points: all compared laps except the reference.".to_owned());
        }
        None => notes
            .push("Brake points need two laps of the stint that brake, besides the reference.".to_owned()),
    }
    let mut figure = consistency_figure(laps.driven, &spreads);
    one.clone_into(&mut figure.x.label);
    Ok(Content { figures: vec![figure], tables, notes, ..Content::default() })
}

/// The median brake point of each corner over the stint, and its deviation.
fn braking(laps: &Laps<'_>) -> Option<Table> {
    let corners = &laps.comparison.corners;
    let mut table = Table::new("Braking", &["brake point, m", "laps", "before the apex", "± m"]);
    for (place, corner) in corners.iter().enumerate() {
        let before = |lap: &Comparison| {
            let alike = lap.corners.len() == corners.len();
            lap.tables.first().filter(|_| alike)?.rows.get(place)?.before_apex_m
        };
        let mut places = Vec::new();
        for lap in laps.besides {
            places.extend(before(lap));
        }
        if places.len() < 2 {
            continue;
        }
        let count = places.len() as f64;
        let mean = places.iter().sum::<f64>() / count;
        let squares: f64 = places.iter().map(|place| (place - mean).powi(2)).sum();
        let spread = (squares / (count - 1.0)).sqrt();
        let cells = vec![
            Cell::Number(count, 0),
            Cell::number(statistics::median(&places), 1),
            Cell::Number(spread, 1),
        ];
        table.leading(&corner.short_title(), corner_stretch(corner), cells);
    }
    (!table.rows.is_empty()).then_some(table)
}
