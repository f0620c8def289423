//! Field order of a report, and the fields that are not printed.

use serde_json::Value;

/// Fields that are only in the JSON and in figures.
pub(super) const ONLY_DRAWN: &[&str] = &["bars", "envelope"];
/// The first fields, in this order; the rest follows by name.
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

/// The sort key of a field name.
pub(super) fn place(name: &str) -> (usize, String) {
    let first = FIRST.iter().position(|known| *known == name);
    (first.unwrap_or(FIRST.len()), name.to_owned())
}
