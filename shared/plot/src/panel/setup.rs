//! The setup panel: the settings of both cars, and the rules and aids that both laps were driven with.

use trailbrake_analysis::{Unavailable, setup_settings};

use trailbrake_model::Rule;

use super::{Cell, Content, Laps, Row, Table};
use crate::session_table::SessionTable;

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
    let other_rules = laps.reference.as_ref().map_or(&[][..], |lap| &lap.context.rules);
    let tables = [Some(table), rules(&laps.main.context.rules, other_rules)].into_iter().flatten().collect();
    Ok(Content { tables, notes: vec![note], ..Content::default() })
}

/// The rules and aids of the lap and, if they are known, of its reference. `None` without any.
fn rules(own: &[Rule], other: &[Rule]) -> Option<Table> {
    if own.is_empty() {
        return None;
    }
    let mut table = Table::beside(SessionTable::Rules.title(), !other.is_empty());
    for Rule { rule, setting } in own {
        let mut cells = vec![Cell::Words(setting.clone())];
        let of_other = other.iter().find(|other| other.rule == *rule).map(|other| &other.setting);
        if !other.is_empty() {
            cells.push(of_other.map_or(Cell::Nothing, |setting| Cell::Words(setting.clone())));
        }
        let marked = of_other.is_some_and(|other| other != setting);
        table.rows.push(Row { name: rule.clone(), cells, stretch: None, marked });
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aids_that_differ_are_marked() {
        let rule = |rule: &str, setting: &str| Rule { rule: rule.into(), setting: setting.into() };
        let own = [rule("Traction control", "Full"), rule("ABS", "On"), rule("Rules", "On")];
        let other = [rule("ABS", "On"), rule("Traction control", "Off")];
        let table = rules(&own, &other).expect("a table");
        let cells: Vec<_> = table.rows.iter().map(|row| (row.cells[1].words(), row.marked)).collect();
        let expected = [("Off", true), ("On", false), ("–", false)];
        assert_eq!(cells, expected.map(|(words, marked)| (words.to_owned(), marked)));
        assert_eq!(rules(&own, &[]).map(|table| table.heads.len()), Some(2));
        assert!(rules(&[], &other).is_none());
    }
}
