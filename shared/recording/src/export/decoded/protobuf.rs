//! Encodes Protocol Buffers messages, and the description that readers need to decode them.

use crate::records::bytes::put_number;

/// Wire types.
const VARINT: u64 = 0;
const EIGHT_BYTES: u64 = 1;
const LENGTH: u64 = 2;
const FOUR_BYTES: u64 = 5;

fn put_key(out: &mut Vec<u8>, field: u64, wire: u64) {
    put_number(out, field << 3 | wire);
}

pub(super) fn put_whole(out: &mut Vec<u8>, field: u64, value: u64) {
    put_key(out, field, VARINT);
    put_number(out, value);
}

pub(super) fn put_double(out: &mut Vec<u8>, field: u64, value: f64) {
    put_key(out, field, EIGHT_BYTES);
    out.extend(value.to_le_bytes());
}

pub(super) fn put_float(out: &mut Vec<u8>, field: u64, value: f32) {
    put_key(out, field, FOUR_BYTES);
    out.extend(value.to_le_bytes());
}

/// Appends text or a nested message.
pub(super) fn put_bytes(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    put_key(out, field, LENGTH);
    put_number(out, bytes.len() as u64);
    out.extend(bytes);
}

/// The type of a field.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Double,
    Float,
    Whole,
    /// The message of this name in the same package.
    Message(&'static str),
}

impl Kind {
    /// The type's number in `descriptor.proto`.
    fn number(self) -> u64 {
        match self {
            Self::Double => 1,
            Self::Float => 2,
            Self::Message(_) => 11,
            Self::Whole => 13,
        }
    }
}

/// A message type: its name, and its fields with their numbers.
pub(super) struct MessageKind {
    pub(super) name: &'static str,
    pub(super) fields: Vec<(&'static str, u64, Kind)>,
}

/// Encodes a `FileDescriptorSet` (`descriptor.proto`). Every field is optional, so a missing value does not read as 0.
pub(super) fn describe(package: &str, kinds: &[MessageKind]) -> Vec<u8> {
    let mut file = Vec::new();
    put_bytes(&mut file, 1, format!("{package}.proto").as_bytes());
    put_bytes(&mut file, 2, package.as_bytes());
    kinds.iter().for_each(|kind| put_bytes(&mut file, 4, &kind.describe(package)));
    put_bytes(&mut file, 12, b"proto3");
    let mut set = Vec::new();
    put_bytes(&mut set, 1, &file);
    set
}

impl MessageKind {
    fn describe(&self, package: &str) -> Vec<u8> {
        const OPTIONAL: u64 = 1;
        let mut out = Vec::new();
        put_bytes(&mut out, 1, self.name.as_bytes());
        for (place, (name, number, kind)) in (0..).zip(&self.fields) {
            let mut field = Vec::new();
            put_bytes(&mut field, 1, name.as_bytes());
            put_whole(&mut field, 3, *number);
            put_whole(&mut field, 4, OPTIONAL);
            put_whole(&mut field, 5, kind.number());
            if let Kind::Message(name) = kind {
                put_bytes(&mut field, 6, format!(".{package}.{name}").as_bytes());
            }
            // proto3 marks an optional field with a oneof that holds only this field.
            put_whole(&mut field, 9, place);
            put_whole(&mut field, 17, 1);
            put_bytes(&mut out, 2, &field);
        }
        for (name, ..) in &self.fields {
            let mut choice = Vec::new();
            put_bytes(&mut choice, 1, format!("_{name}").as_bytes());
            put_bytes(&mut out, 8, &choice);
        }
        out
    }
}
