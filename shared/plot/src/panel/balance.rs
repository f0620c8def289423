//! The balance panel: front minus rear slip in each part of each corner.

use trailbrake_analysis::balance::{Balance, Feet, Mean, balance};
use trailbrake_analysis::{CornerBalance, Unavailable};

use super::{Cell, Content, LapRange, Laps, Table, corner_stretch};
use crate::figure::corner_balance_figure;

pub(super) fn panel(laps: &Laps<'_>, _: &str) -> Result<Content, Unavailable> {
    let (lap, reference) = laps.both(&balance)?;
    // Measures of different kinds cannot be compared.
    let reference = reference.filter(|other| other.measured_by == lap.measured_by);
    let shown = laps.units.shown(lap.measured_by.unit());
    let mut content = Content {
        notes: vec![format!(
            "Front minus rear slip, {}. Positive is understeer. From {}.",
            shown.suffix,
            lap.measured_by.label().to_lowercase()
        )],
        ..Content::default()
    };
    let decimals = shown.decimals.max(2);
    let cell = |mean: Option<Mean>| Cell::number(mean.map(|mean| shown.value(mean.understeer)), decimals);
    let corners = &laps.comparison.corners;
    let both = [Some(&lap), reference.as_ref()];
    if corners.is_empty() {
        let mut table = Table::beside("Balance", reference.is_some());
        for (feet, name) in
            Feet::ALL.into_iter().zip(["On the brakes", "On neither pedal", "On the throttle"])
        {
            let during = |balance: &Balance| cell(balance.during(feet));
            table.row(name, both.into_iter().flatten().map(during).collect());
        }
        content.tables.push(table);
        content.notes.push("Corners are unknown, so pedal phases stand for corner phases.".to_owned());
        return Ok(content);
    }
    let named = ["lap", "reference"].into_iter().zip(&laps.comparison.placed);
    for ((name, placed), balance) in named.zip(both) {
        let Some(balance) = balance else { continue };
        let parts = CornerBalance::of(balance, placed, corners);
        let mut figure = corner_balance_figure(balance.measured_by, &parts, &laps.units);
        figure.title = format!("Balance of the {name}");
        content.figures.push(figure);
        let mut table = Table::new(&format!("Balance of the {name}"), &[name, "entry", "middle", "exit"]);
        for (corner, corner_balance) in corners.iter().zip(&parts) {
            let LapRange { from_m, to_m, at_m } = corner_stretch(corner);
            let cells = corner_balance.parts().map(cell).into();
            table.leading(&corner.short_title(), LapRange { from_m, to_m, at_m }, cells);
        }
        content.tables.push(table);
    }
    Ok(content)
}
