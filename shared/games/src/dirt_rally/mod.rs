//! DiRT Rally (2015) and DiRT Rally 2.0: one packet without a header, whose length depends on a setting.

mod decode;
pub mod layout;
mod names;
mod packet;
mod plausible;
mod sent_wheels;
mod stage;
mod timeline;

#[cfg(test)]
mod capture_tests;
#[cfg(test)]
mod listener;

pub use decode::Decoder;
pub use packet::{Kind, Packet, datagram_size, describe, recognise};

/// The games' name in messages.
pub const GAME: &str = "DiRT Rally";
/// The settings that make the game send all channels.
pub const ADVICE: &str =
    "set extradata=\"3\" in the <udp> line of hardware_settings_config.xml; <custom_udp> is not supported";
