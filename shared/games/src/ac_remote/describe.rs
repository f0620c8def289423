//! Describes a datagram as named fields, for people and scripts.

use super::packet::Packet;
use crate::{Described, Rejected};

/// All fields of a datagram by name, as sent.
pub fn describe(datagram: &[u8]) -> Result<Described, Rejected> {
    let packet = Packet::read(datagram)?;
    Ok(Described { packet: packet.kind().name(), fields: packet.value() })
}
