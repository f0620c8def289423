//! A packet's fields with their names, for people and scripts.

use serde::{Serialize, Serializer, ser::SerializeMap};

/// A field's value as sent, before any conversion.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A signed integer.
    Signed(i64),
    /// An unsigned integer.
    Unsigned(u64),
    /// A single-precision number.
    Float(f32),
    /// A double-precision number.
    Double(f64),
    /// Text.
    Text(String),
    /// Values of one kind, in order.
    List(Vec<Value>),
    /// Named values, in packet order.
    Record(Vec<(&'static str, Value)>),
}

impl Value {
    /// The value at a path such as `car.3.speed`.
    pub fn at(&self, path: &str) -> Option<&Self> {
        path.split('.').try_fold(self, |value, step| match value {
            Self::Record(fields) => fields.iter().find(|(name, _)| *name == step).map(|(_, value)| value),
            Self::List(items) => items.get(step.parse::<usize>().ok()?),
            _ => None,
        })
    }
}

/// NaN and infinities, which JSON cannot express, become null.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Signed(number) => serializer.serialize_i64(*number),
            Self::Unsigned(number) => serializer.serialize_u64(*number),
            Self::Float(number) if number.is_finite() => serializer.serialize_f32(*number),
            Self::Double(number) if number.is_finite() => serializer.serialize_f64(*number),
            Self::Float(_) | Self::Double(_) => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Record(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, value) in fields {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

/// A packet's kind and all its fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Described {
    /// The kind of packet.
    pub packet: &'static str,
    /// Its fields, named and nested as in the protocol's documentation.
    pub fields: Value,
}
