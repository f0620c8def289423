//! The content of a packet: its kind, its fields by name, and its bytes.

use std::fmt::Write as _;
use std::net::SocketAddr;

use trailbrake_shared::feed;
use trailbrake_shared::games::{Value, flat_fields};
use trailbrake_shared::time::Micros;

use crate::telemetry::KeptPacket;
use crate::text::words::sentence;

/// The maximum number of shown fields. A packet of all cars may have thousands.
pub(super) const MOST_FIELDS: usize = 1500;
/// The maximum number of shown bytes.
const MOST_BYTES: usize = 4096;
/// The number of bytes in a line.
const LINE: usize = 16;

/// A packet in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PacketLine {
    pub(super) serial: u64,
    pub(super) at: Micros,
    pub(super) sender: SocketAddr,
    /// The packet's size in bytes.
    pub(super) size: usize,
    /// The packet's kind, or why it is not recognised.
    pub(super) kind: String,
}

impl PacketLine {
    /// The line of a packet.
    pub(super) fn of(packet: &KeptPacket) -> Self {
        let kind = match feed::recognise(&packet.bytes) {
            Ok(recognised) => recognised.packet.to_owned(),
            Err(reason) => sentence(&reason.to_string()),
        };
        Self { serial: packet.serial, at: packet.at, sender: packet.sender, size: packet.bytes.len(), kind }
    }
}

/// A packet's fields with their values, or why they can't be read.
pub(super) fn fields(packet: &[u8]) -> Result<Vec<(String, String)>, String> {
    let described = feed::recognise(packet).and_then(|recognised| recognised.feed.describe()(packet));
    match described {
        Ok(described) => Ok(flat_fields(&described.fields)
            .into_iter()
            .map(|(name, value)| (name, printed(&value)))
            .collect()),
        Err(reason) => Err(sentence(&reason.to_string())),
    }
}

fn printed(value: &Value) -> String {
    match value {
        Value::Signed(number) => number.to_string(),
        Value::Unsigned(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Double(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        // `flat_fields` leaves no lists and records.
        Value::List(_) | Value::Record(_) => String::new(),
    }
}

/// Bytes in lines: offset, hexadecimal digits, and printable ASCII characters.
pub(super) fn hex_dump(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (line, row) in bytes.chunks(LINE).take(MOST_BYTES / LINE).enumerate() {
        let _ = write!(text, "{:04x} ", line * LINE);
        for column in 0..LINE {
            let gap = if column == LINE / 2 { " " } else { "" };
            let _ = match row.get(column) {
                Some(byte) => write!(text, "{gap} {byte:02x}"),
                None => write!(text, "{gap}   "),
            };
        }
        text.push_str("  ");
        text.extend(row.iter().map(|byte| match byte {
            b' '..=b'~' => char::from(*byte),
            _ => '.',
        }));
        text.push('\n');
    }
    if let Some(more) = bytes.len().checked_sub(MOST_BYTES).filter(|more| *more > 0) {
        let _ = writeln!(text, "{more} more bytes");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_stand_in_lines_with_their_letters() {
        let dump = hex_dump(b"\xe2\x07\x01\x03 SSTA and more");
        assert_eq!(
            dump,
            "0000  e2 07 01 03 20 53 53 54  41 20 61 6e 64 20 6d 6f  .... SSTA and mo\n\
             0010  72 65                                             re\n"
        );
        assert!(hex_dump(&[0; MOST_BYTES + 3]).ends_with("\n3 more bytes\n"));
        assert_eq!(hex_dump(&[]), "");
    }

    #[test]
    fn a_packet_has_its_fields_or_a_reason() {
        let mut event = vec![0xe2, 0x07, 1, 3];
        event.resize(21, 0);
        event.extend_from_slice(b"SSTA");
        let fields = fields(&event).expect("fields");
        assert!(fields.contains(&("header.packet_format".into(), "2018".into())), "{fields:?}");
        assert!(fields.iter().any(|(_, value)| value == "SSTA"), "{fields:?}");
        let reason = super::fields(&[0xca, 0xfe]).expect_err("a reason");
        assert!(reason.starts_with("Unknown packet (2 bytes"), "{reason}");
    }
}
