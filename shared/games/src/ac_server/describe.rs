//! Describes a message as named fields, for people and scripts.

use super::message::ParsedMessage;
use crate::{Described, Rejected};

/// All fields of a message by name, as sent.
pub fn describe(datagram: &[u8]) -> Result<Described, Rejected> {
    let ParsedMessage { message, .. } = ParsedMessage::read(datagram)?;
    Ok(Described { packet: message.name(), fields: message.value() })
}
