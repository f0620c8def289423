//! Decodes a datagram into named fields, for people and scripts.

use super::packet::DecipheredPacket;
use crate::{Described, Rejected};

/// All fields of a datagram by name, with the values as sent once deciphered.
pub fn describe(datagram: &[u8]) -> Result<Described, Rejected> {
    let packet = DecipheredPacket::read(datagram)?;
    Ok(Described { packet: packet.kind.name(), fields: packet.parts()?.value() })
}
