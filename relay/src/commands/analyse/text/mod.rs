//! The report for people: the JSON as lists and aligned tables, with units.

mod cell;
mod fields;
mod table;

use std::io::{self, Write};

use serde_json::{Map, Value};
use trailbrake_shared::model::Channel;
use trailbrake_shared::units::Unit;

use cell::{Cell, heading};
use fields::{ONLY_DRAWN, has_inside, place};
use table::Table;

/// Prints a report.
pub(super) fn write(report: &Value, out: &mut dyn Write) -> io::Result<()> {
    section("", report, None, 0, out)
}

/// A named value and everything inside it.
fn section(
    name: &str,
    value: &Value,
    unit: Option<Unit>,
    depth: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let indent = "  ".repeat(depth);
    match value {
        _ if ONLY_DRAWN.contains(&name) => Ok(()),
        Value::Object(fields) => match fields.get("unavailable") {
            Some(why) => {
                writeln!(out, "{indent}{}: not available, {}", heading(name), Cell::of("", why, None))
            }
            None if !fields.is_empty() && fields.values().all(has_inside) && name == "between" => {
                writeln!(out, "{indent}{}", heading(name))?;
                let row = |(id, statistics): (&String, &Value)| {
                    let mut row = statistics.clone();
                    row.as_object_mut()
                        .map(|cells| cells.insert("kind".to_owned(), Value::from(id.replace('_', " "))));
                    row
                };
                let rows: Vec<Value> = fields.iter().map(row).collect();
                Table::of(&rows, None).map_or(Ok(()), |table| table.write(depth + 1, out))
            }
            None => {
                let inner = if name.is_empty() { depth } else { depth + 1 };
                if !name.is_empty() {
                    writeln!(out, "{indent}{}", heading(name))?;
                }
                within(fields, unit, inner, out)
            }
        },
        Value::Array(items) if items.iter().any(Value::is_object) => {
            writeln!(out, "{indent}{}", heading(name))?;
            if let Some(table) = Table::of(items, unit) {
                return table.write(depth + 1, out);
            }
            for (nth, item) in (1..).zip(items) {
                let Some(mut fields) = item.as_object().cloned() else { continue };
                // In `stints`, each object is a `stint`, named by its number.
                let number =
                    name.strip_suffix('s').and_then(|one| Some(format!("{one} {}", fields.remove(one)?)));
                let channel = channel_of(&fields).map(|channel| channel.label().to_owned());
                writeln!(out, "{indent}  {}", channel.or(number).unwrap_or_else(|| format!("{nth}.")))?;
                within(&fields, unit, depth + 2, out)?;
            }
            Ok(())
        }
        value => writeln!(out, "{indent}{}: {}", heading(name), Cell::of(name, value, unit)),
    }
}

/// The fields of an object: plain values first, one per line, then nested ones.
fn within(
    fields: &Map<String, Value>,
    unit: Option<Unit>,
    depth: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let unit = unit_of(fields).or(unit);
    let is_drawn = |name: &&String| ONLY_DRAWN.contains(&name.as_str());
    let known = |name: &&String| {
        !is_drawn(name) && (!matches!(name.as_str(), "channel" | "unit") || unit_of(fields).is_none())
    };
    let mut names: Vec<&String> = fields.keys().filter(known).collect();
    names.sort_by_key(|name| place(name));
    let is_plain = |value: &Value| !has_inside(value);
    let plain =
        names.iter().filter_map(|name| Some((*name, fields.get(*name).filter(|value| is_plain(value))?)));
    let plain: Vec<(String, Cell)> =
        plain.map(|(name, value)| (heading(name), Cell::of(name, value, unit))).collect();
    let width = plain.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    for (name, cell) in &plain {
        writeln!(out, "{}{name:<width$}  {cell}", "  ".repeat(depth))?;
    }
    for name in names {
        if let Some(value) = fields.get(name).filter(|value| !is_plain(value)) {
            section(name, value, unit, depth, out)?;
        }
    }
    Ok(())
}

/// The channel an object is about.
fn channel_of(fields: &Map<String, Value>) -> Option<Channel> {
    Channel::from_id(fields.get("channel")?.as_str()?)
}

/// The unit of an object's numbers: its channel's, or its `unit` field.
fn unit_of(fields: &Map<String, Value>) -> Option<Unit> {
    let unit_field = fields.get("unit").and_then(Value::as_str);
    let angles = || unit_field.filter(|symbol| Unit::Radians.symbol() == Some(symbol)).map(|_| Unit::Radians);
    channel_of(fields).map(Channel::unit).or_else(angles)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_report_reads_from_above() {
        let report = json!({
            "game": "F1 2018",
            "driver": "A. Driver",
            "session": {
                "ideal": { "time_ms": 77_210, "best_lap_behind_ms": 105 },
                "fuel": { "unavailable": "the game does not send: Fuel" },
                "wheels": [{ "channel": "tyre_pressure", "unit": "Pa", "wheels": [
                    { "wheel": "FL", "median": 156_493.0 }, { "wheel": "FR", "median": 153_851.0 },
                ] }],
            },
            "lap": {
                "grip": { "usage": 0.71234, "hardest": { "braking_g": 4.2, "left_g": null } },
                "events": [
                    { "kind": "lock-up", "at": { "lap_s": 1.0, "distance_m": 49.2 }, "lasts_s": 0.817, "size_share": 0.649 },
                    { "kind": "shift-up", "at": { "lap_s": 12.5 }, "gears": [7, 8], "size_rpm": 11_892.0 },
                ],
                "bars": (0..30).collect::<Vec<_>>(),
            },
        });
        let mut out = Vec::new();
        write(&report, &mut out).expect("text");
        let expected = "\
driver  A. Driver
game    F1 2018
session
  fuel: not available, the game does not send: Fuel
  ideal
    time             1:17.210
    best lap behind  0.105 s
  wheels
    Tyre pressure
      wheels
        wheel    median
        FL     1.56 bar
        FR     1.54 bar
lap
  events
              distance       lap  gears    lasts       size
    lock-up     49.2 m   1.000 s         0.817 s       65 %
    shift-up            12.500 s  7, 8            11892 rpm
  grip
    usage  71 %
    hardest
      braking  4.20 g
      left     -
";
        let text = String::from_utf8(out).expect("text");
        assert_eq!(text, expected, "\n{text}");
    }
}
