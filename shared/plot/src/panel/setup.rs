//! The setup panel: the settings of both cars.

use trailbrake_analysis::{Unavailable, setup_settings};

use super::{Content, Laps, Table};

pub(super) fn panel(laps: &Laps<'_>, _: &str) -> Result<Content, Unavailable> {
    let unavailable = Unavailable::NotReported("the car's setup");
    let own = laps.main.context.setup.as_deref().ok_or(unavailable)?;
    let other = laps.reference.as_ref().and_then(|lap| lap.context.setup.as_deref());
    let mut table = Table::beside("Setup", other.is_some());
    let mut differ = 0;
    for setting in setup_settings(own, other.unwrap_or(own)) {
        let name = match setting.unit {
            "" => setting.setting.to_owned(),
            unit => format!("{}, {unit}", setting.setting),
        };
        // The games' screens show no more decimals.
        let decimals = if setting.one.fract() == 0.0 && setting.other.fract() == 0.0 { 0 } else { 2 };
        table.numbers(&name, decimals, &[Some(setting.one.into()), Some(setting.other.into())]);
        if let Some(row) = table.rows.last_mut() {
            row.marked = setting.differs();
            differ += usize::from(row.marked);
        }
    }
    let note = match (other.is_some(), differ) {
        (false, _) => "No reference with a setup.".to_owned(),
        (true, 0) => "Both laps were driven with the same setup.".to_owned(),
        (true, 1) => "One setting differs.".to_owned(),
        (true, count) => format!("{count} settings differ."),
    };
    Ok(Content { tables: vec![table], notes: vec![note], ..Content::default() })
}
