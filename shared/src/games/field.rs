//! A packet's fields with their names, for reading by people and scripts.

use serde::{Serialize, Serializer, ser::SerializeMap};

/// A field's value as it stands in the packet, before any conversion.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A whole number that may be negative.
    Signed(i64),
    /// A whole number.
    Unsigned(u64),
    /// A single-precision number.
    Float(f32),
    /// A double-precision number.
    Double(f64),
    /// Text.
    Text(String),
    /// Values of one kind in a row.
    List(Vec<Value>),
    /// Named values, in the packet's order.
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

/// Numbers that JSON has no words for (NaN, infinities) become null.
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

/// A packet with its kind and all its fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Described {
    /// The kind of packet.
    pub packet: &'static str,
    /// Its fields, named and nested as in the protocol's description.
    pub fields: Value,
}
