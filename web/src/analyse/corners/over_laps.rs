//! A corner's figures of technique over the laps of the stint.

use leptos::prelude::*;
use trailbrake_shared::analysis::{Comparison, CornerRow};
use trailbrake_shared::number::write_signed;
use trailbrake_shared::units::Units;

use super::lines::{LINES, Line};
use crate::analyse::ShownLaps;
use crate::text::figures::NONE;

/// The figures as text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LapFigures {
    columns: Vec<FigureColumn>,
    laps: Vec<LapRow>,
}

#[derive(Clone, Debug, PartialEq)]
struct FigureColumn {
    id: &'static str,
    heading: &'static str,
    title: &'static str,
    unit: &'static str,
}

#[derive(Clone, Debug, PartialEq)]
struct LapRow {
    name: String,
    /// The CSS class of the main lap and of the reference.
    class: &'static str,
    loss: String,
    figures: Vec<String>,
}

impl LapFigures {
    /// The figures of the corner with the index `place`, in all laps of the stint and the reference. `None` for fewer than
    /// three laps: two are in the card.
    pub(super) fn of(shown: &ShownLaps, place: usize, units: &Units) -> Option<Self> {
        let compared = &shown.lap_comparison;
        let comparison = &compared.comparison;
        let corner = comparison.corners.get(place)?;
        let same = |other: &&Comparison| other.corners.len() == comparison.corners.len();
        let lap_of = |which: usize| shown.laps.get(which).map(|lap| lap.loaded.lap.number);
        let loss_of = |of: &Comparison| of.ledger.corner(corner.number).and_then(|row| row.loss_s);
        // Number, class, loss and row of each lap.
        let mut laps = vec![(lap_of(0)?, "main", loss_of(comparison), row_of(comparison, 0, place)?)];
        for (other, number) in compared.others.iter().zip(&compared.numbers).filter(|(other, _)| same(other))
        {
            if let Some(row) = row_of(other, 0, place) {
                laps.push((*number, "", loss_of(other), row));
            }
        }
        laps.sort_by_key(|(number, ..)| *number);
        if let (true, Some(number), Some(row)) = (shown.compared, lap_of(1), row_of(comparison, 1, place)) {
            laps.push((number, "other", None, row));
        }
        if laps.len() < 3 {
            return None;
        }
        let is_known = |line: &&Line| laps.iter().any(|(.., row)| line.value.of(row).is_some());
        let lines: Vec<(&Line, &str)> =
            LINES.iter().filter(is_known).filter_map(|line| Some((line, line.column?))).collect();
        let column = |(line, heading): &(&Line, &'static str)| FigureColumn {
            id: line.id,
            heading,
            title: line.label,
            unit: units.shown(line.value.unit()).suffix,
        };
        let lap = |(number, class, loss_s, row): &(u16, &'static str, Option<f64>, &CornerRow)| {
            let written = |line: &Line| line.value.written(line.value.of(row), corner.apex_m, units);
            LapRow {
                name: if *class == "other" { format!("lap {number}, ref.") } else { format!("lap {number}") },
                class,
                loss: loss_s.map_or_else(|| NONE.to_owned(), |loss_s| write_signed(loss_s, 3)),
                figures: lines.iter().map(|(line, _)| written(line)).collect(),
            }
        };
        (!lines.is_empty()).then(|| Self {
            columns: lines.iter().map(column).collect(),
            laps: laps.iter().map(lap).collect(),
        })
    }
}

/// What one of the two laps of a comparison did in a corner.
fn row_of(comparison: &Comparison, which: usize, place: usize) -> Option<&CornerRow> {
    comparison.tables.get(which)?.rows.get(place)
}

/// The table of the figures: a row for each lap.
pub(super) fn over_laps(figures: LapFigures) -> impl IntoView {
    let LapFigures { columns, laps } = figures;
    let heading = |column: &FigureColumn| {
        let FigureColumn { id, heading, title, unit } = *column;
        view! { <th scope="col" title=title data-figure=id>{heading}<small>{unit}</small></th> }
    };
    let lap = |lap: LapRow| {
        let LapRow { name, class, loss, figures } = lap;
        view! {
            <tr class=class>
                <th scope="row">{name}</th>
                <td>{loss}</td>
                {figures.into_iter().map(|figure| view! { <td>{figure}</td> }).collect_view()}
            </tr>
        }
    };
    view! {
        <div class="scrolls" tabindex="0" role="group" aria-label="The corner over the laps of the stint">
            <table class="over-laps">
                <thead>
                    <tr>
                        <td></td>
                        <th scope="col">"Loss"<small>"s"</small></th>
                        {columns.iter().map(heading).collect_view()}
                    </tr>
                </thead>
                <tbody>{laps.into_iter().map(lap).collect_view()}</tbody>
            </table>
        </div>
    }
}
