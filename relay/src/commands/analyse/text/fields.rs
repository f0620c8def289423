//! The fields of a report: which are printed, and in which order.

use serde_json::Value;

/// What is no sentence of a report: it stands in the JSON and in figures.
pub(super) const ONLY_DRAWN: &[&str] = &["bars", "envelope"];
/// What is told first, in this order; the rest follows by its name.
const FIRST: &[&str] = &[
    "driver", "game", "track", "session", "lap", "number", "laps", "stint", "kind", "wheel", "share", "from",
    "at", "time_ms", "time_s", "best_s", "median_s", "channel", "unit", "entry", "middle", "exit", "first",
    "last", "low", "median", "high",
];

pub(super) fn has_inside(value: &Value) -> bool {
    match value {
        Value::Object(_) => true,
        Value::Array(items) => items.iter().any(Value::is_object),
        _ => false,
    }
}

/// Where a name stands among its neighbours.
pub(super) fn place(name: &str) -> (usize, String) {
    let first = FIRST.iter().position(|known| *known == name);
    (first.unwrap_or(FIRST.len()), name.to_owned())
}
