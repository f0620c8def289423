//! Results as JSON.

use serde::Serialize;
use serde_json::{Value, json};
use trailbrake_shared::analysis::Unavailable;
use trailbrake_shared::model::Channel;

/// A result, or why it is unavailable.
pub(super) fn value_or_reason<T: Serialize>(result: Result<T, Unavailable>) -> Value {
    match result {
        Ok(value) => serde_json::to_value(value).unwrap_or_default(),
        Err(reason) => json!({ "unavailable": reason }),
    }
}

/// Adds the unit of each channel that a value names.
pub(super) fn with_units(mut value: Value) -> Value {
    match &mut value {
        Value::Array(items) => items.iter_mut().for_each(|item| *item = with_units(item.take())),
        Value::Object(fields) => {
            let channel = fields.get("channel").and_then(Value::as_str).and_then(Channel::from_id);
            if let Some(channel) = channel {
                fields.insert("unit".to_owned(), json!(channel.unit().symbol()));
            }
        }
        _ => {}
    }
    value
}
