//! A report for people: names and numbers, one below the other, what belongs together set in.

use std::io::{self, Write};

use serde_json::Value;

/// Lists of numbers that are longer than this stand in the JSON and in figures.
const LONGEST_LIST: usize = 24;

/// Prints a report.
pub(super) fn write(report: &Value, out: &mut dyn Write) -> io::Result<()> {
    within(report, 0, out)
}

fn within(value: &Value, depth: usize, out: &mut dyn Write) -> io::Result<()> {
    let Value::Object(fields) = value else { return Ok(()) };
    for (name, value) in fields {
        let (indent, name) = ("  ".repeat(depth), name.replace('_', " "));
        match value {
            Value::Object(inner) if flat(value).is_none() => {
                let unit = inner.get("untold").map(|why| format!(": {}", scalar(why))).unwrap_or_default();
                writeln!(out, "{indent}{name}{unit}")?;
                if unit.is_empty() {
                    within(value, depth + 1, out)?;
                }
            }
            Value::Array(items) if items.iter().any(Value::is_object) => {
                writeln!(out, "{indent}{name}")?;
                for one in items {
                    match item(one) {
                        Some(line) => writeln!(out, "{indent}  {line}")?,
                        None => {
                            writeln!(out, "{indent}  -")?;
                            within(one, depth + 2, out)?;
                        }
                    }
                }
            }
            Value::Array(items) if items.len() > LONGEST_LIST => {
                writeln!(out, "{indent}{name}: {} numbers", items.len())?;
            }
            other => writeln!(out, "{indent}{name}: {}", flat(other).unwrap_or_else(|| scalar(other)))?,
        }
    }
    Ok(())
}

/// Something without anything inside it, in one line; an object of such things too.
fn flat(value: &Value) -> Option<String> {
    const MOST_FIELDS: usize = 7;
    match value {
        Value::Object(fields) => {
            if fields.len() > MOST_FIELDS || fields.contains_key("untold") {
                return None;
            }
            let field = |(name, value): (&String, &Value)| match value {
                Value::Object(_) => None,
                Value::Array(items) if items.len() > LONGEST_LIST => None,
                value => Some(format!("{} {}", name.replace('_', " "), flat(value)?)),
            };
            fields.iter().map(field).collect::<Option<Vec<_>>>().map(|fields| fields.join(", "))
        }
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => None,
        value => Some(scalar(value)),
    }
}

/// One of many in one line, with what is inside it in brackets.
fn item(value: &Value) -> Option<String> {
    let Value::Object(fields) = value else { return flat(value) };
    let field = |(name, value): (&String, &Value)| match value {
        Value::Object(_) => Some(format!("{} ({})", name.replace('_', " "), flat(value)?)),
        Value::Array(items) if items.len() > LONGEST_LIST => None,
        value => Some(format!("{} {}", name.replace('_', " "), flat(value)?)),
    };
    fields.iter().map(field).collect::<Option<Vec<_>>>().map(|fields| fields.join(", "))
}

fn scalar(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::Number(number) => {
            number.as_f64().filter(|_| number.is_f64()).map_or_else(|| number.to_string(), short)
        }
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(scalar).collect::<Vec<_>>().join(" "),
        Value::Object(_) => String::new(),
    }
}

/// A number with the digits that one reads: four that count, and no more than three behind the point.
fn short(number: f64) -> String {
    let digits = match number.abs() {
        size if size >= 1000.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 10.0 => 2,
        _ => 3,
    };
    format!("{number:.digits$}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_report_reads_from_above() {
        let report = json!({
            "game": "F1 2018",
            "grip": { "usage": 0.71234, "hardest": { "braking_g": 4.2, "left_g": null } },
            "fuel": { "untold": "the game does not send: Fuel" },
            "happenings": [{ "kind": "lock-up", "at": { "lap_s": 1.0 } }, { "kind": "jump", "lasts_s": 0.5 }],
            "bars": (0..30).collect::<Vec<_>>(),
        });
        let mut out = Vec::new();
        write(&report, &mut out).expect("text");
        let expected = "\
bars: 30 numbers
fuel: the game does not send: Fuel
game: F1 2018
grip
  hardest: braking g 4.200, left g -
  usage: 0.712
happenings
  at (lap s 1.000), kind lock-up
  kind jump, lasts s 0.500
";
        assert_eq!(String::from_utf8(out).expect("text"), expected);
    }
}
