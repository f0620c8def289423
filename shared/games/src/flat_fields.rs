//! Flattens a described packet into a row for each number and text.

use super::Value;

/// Every number and text with its path, such as `cars.3.speed`.
pub fn flat_fields(value: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    walk(String::new(), value, &mut found);
    found
}

/// The fields that are not zero or empty.
#[cfg(test)]
pub(crate) fn written(value: &Value) -> Vec<(String, Value)> {
    let mut found = flat_fields(value);
    found.retain(|(_, value)| match value {
        Value::Signed(0) | Value::Unsigned(0) => false,
        Value::Float(number) => *number != 0.0,
        Value::Text(text) => !text.is_empty(),
        _ => true,
    });
    found
}

fn walk(path: String, value: &Value, found: &mut Vec<(String, Value)>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Record(fields) => fields.iter().for_each(|(name, value)| walk(below(name), value, found)),
        Value::List(items) => {
            items.iter().enumerate().for_each(|(index, value)| walk(below(&index.to_string()), value, found));
        }
        other => found.push((path, other.clone())),
    }
}
