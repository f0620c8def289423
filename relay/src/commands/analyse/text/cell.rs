//! One value for people: in the unit its field name ends with, or in that of the channel the object is about.

use std::fmt;

use serde_json::Value;
use trailbrake_shared::model::Channel;
use trailbrake_shared::time::LapTime;
use trailbrake_shared::units::Unit;

/// Suffixes of field names, and their units.
const ENDINGS: &[(&str, Unit)] = &[
    ("_s", Unit::Seconds),
    ("_m", Unit::Metres),
    ("_g", Unit::G),
    ("_j", Unit::Joules),
    ("_rpm", Unit::Rpm),
    ("_share", Unit::Ratio),
];
/// Names with a unit of their own.
const PLAIN: &[(&str, Unit)] = &[
    ("seconds", Unit::Seconds),
    ("usage", Unit::Ratio),
    ("at_limit", Unit::Ratio),
    ("share", Unit::Ratio),
    ("from", Unit::Ratio),
    ("within_window", Unit::Ratio),
    ("bump_slow", Unit::Ratio),
    ("bump_fast", Unit::Ratio),
    ("rebound_slow", Unit::Ratio),
    ("rebound_fast", Unit::Ratio),
];
/// Fields in the unit of the object's channel.
const OF_CHANNEL: &[&str] =
    &["understeer", "median", "low", "high", "first", "last", "mean", "values", "per_lap", "left", "used"];
/// Fields with values small for their unit, printed with one more digit.
const FINE: &[&str] = &["per_lap", "used"];
/// Longer lists are only in the JSON.
const LONGEST_LIST: usize = 24;

/// A value as it is printed.
pub(super) struct Cell {
    text: String,
    /// Numbers are aligned to the right.
    pub(super) is_number: bool,
}

impl Cell {
    /// A cell without a value.
    pub(super) fn empty() -> Self {
        Self { text: String::new(), is_number: false }
    }

    /// A field's value, in an object that may have a unit.
    pub(super) fn of(name: &str, value: &Value, unit: Option<Unit>) -> Self {
        let is_number = value.is_number() || value.is_null();
        Self { text: text(name, value, unit), is_number }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// A field name as printed: without its unit, which follows the number.
pub(super) fn heading(name: &str) -> String {
    let ending =
        ENDINGS.iter().map(|(ending, _)| *ending).chain(["_ms"]).find(|ending| name.ends_with(ending));
    name.strip_suffix(ending.unwrap_or_default()).unwrap_or(name).replace(['_', '-'], " ")
}

fn text(name: &str, value: &Value, unit: Option<Unit>) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::String(id) if name == "measured_by" => {
            Channel::from_id(id).map_or_else(|| id.clone(), |channel| channel.label().to_owned())
        }
        Value::String(text) => text.clone(),
        Value::Number(number) => {
            number.as_f64().map_or_else(|| number.to_string(), |number| shown(name, number, unit))
        }
        Value::Array(items) if items.len() > LONGEST_LIST => format!("{} numbers", items.len()),
        Value::Array(items) if items.iter().all(Value::is_null) => {
            if items.is_empty() { "none" } else { "-" }.to_owned()
        }
        Value::Array(items) if items.iter().all(Value::is_array) => {
            let pairs: Vec<String> = items.iter().map(pair).collect();
            pairs.join(", ")
        }
        Value::Array(items) if matches!(items.as_slice(), [Value::Number(_), Value::String(_)]) => {
            pair(value)
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| text(name, item, unit)).collect();
            items.join(", ")
        }
        Value::Object(_) => String::new(),
    }
}

/// A name with its fraction, or a number with its unit.
fn pair(pair: &Value) -> String {
    match pair.as_array().map(Vec::as_slice) {
        Some([Value::String(name), Value::Number(share)]) => {
            format!("{name} {}", in_unit(share.as_f64().unwrap_or_default(), Unit::Ratio, 0))
        }
        Some([Value::Number(sum), Value::String(unit)]) => {
            format!("{:.3} {unit}", sum.as_f64().unwrap_or_default())
        }
        _ => pair.to_string(),
    }
}

fn shown(name: &str, number: f64, unit: Option<Unit>) -> String {
    if name == "time_ms" {
        return LapTime(number as u32).to_string();
    }
    if name.ends_with("_ms") {
        return in_unit(number / 1e3, Unit::Seconds, 0);
    }
    let known = PLAIN.iter().find(|(plain, _)| *plain == name);
    let known = known.or(ENDINGS.iter().find(|(ending, _)| name.ends_with(ending)));
    let of_channel = if OF_CHANNEL.contains(&name) { unit } else { None };
    match known.map(|(_, unit)| *unit).or(of_channel) {
        Some(unit) => in_unit(number, unit, FINE.contains(&name).into()),
        None if number.fract() == 0.0 => format!("{number:.0}"),
        None => format!("{number:.3}"),
    }
}

/// A number in its display unit, with `more` extra digits.
fn in_unit(number: f64, unit: Unit, more: usize) -> String {
    let shown = unit.shown();
    let text = format!("{:.*}", shown.decimals + more, shown.value(number));
    let is_nothing = !text.chars().any(|digit| ('1'..='9').contains(&digit));
    let text = if is_nothing { text.trim_start_matches('-') } else { &text };
    let space = if shown.suffix.is_empty() || shown.suffix == "°" { "" } else { " " };
    format!("{text}{space}{}", shown.suffix)
}
