//! Forza Motorsport 7 and 2023, Forza Horizon 4, 5 and 6: one packet without a header, "Data Out", whose length says the
//! form.

#[cfg(test)]
mod capture_tests;
mod channels;
mod decode;
mod distance;
mod facts;
pub mod layout;
mod names;
mod packet;
mod race_point;
mod run;
mod timeline;

pub use decode::Decoder;
pub use packet::{Kind, datagram_size, describe, recognise};

/// The games' name in messages.
pub const GAME: &str = "Forza";
/// The setting that makes the game send everything.
pub const ADVICE: &str = "set the packet format of Data Out to Car Dash";
