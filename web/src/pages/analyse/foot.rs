//! The line at the bottom: where the cursor is, and what keys there are.

use crate::analyse::{Analyse, State};
use crate::dom::{Part, fill_id, part};
use crate::figures::number;
use crate::pages::analyse::things::corner_name;

/// Draws it.
pub(super) fn draw(analyse: &Analyse) {
    analyse.read(|state| fill_id("foot", parts(state)));
}

fn parts(state: &State) -> Vec<Part> {
    let Some(shown) = &state.shown else { return Vec::new() };
    let at = state.cursor_m();
    let place = at.map(|metres| format!("{} m", number(metres, 1))).unwrap_or_default();
    let corner = at.and_then(|metres| {
        let corners = shown.comparison.corners.iter();
        let corner = corners.clone().find(|corner| (corner.entry_m..=corner.exit_m).contains(&metres))?;
        let part = match metres {
            metres if metres < (corner.entry_m + corner.apex_m) / 2.0 => "entry",
            metres if metres <= (corner.exit_m + corner.apex_m) / 2.0 => "apex",
            _ => "exit",
        };
        Some(format!("{} · {part}", corner_name(shown, corner.number)))
    });
    let key = |keys: &[&str], words: &str| {
        let keys = keys.iter().map(|key| part("kbd", "").says(key)).collect();
        part("span", "hint").with_all(keys).says(words)
    };
    vec![
        part("span", "").set("data-figure", "cursor").says(&place),
        part("span", "").set("data-figure", "corner").says(&corner.unwrap_or_default()),
        part("span", "grow"),
        key(&["R"], "reference"),
        key(&["N", "P"], "lap"),
        key(&["[", "]"], "corner"),
        key(&["X"], "axis"),
        key(&["Ctrl K"], "commands"),
        key(&["?"], "keys"),
    ]
}
