//! Telemetry files of iRacing. The game sends nothing over the network: while the driver records, it writes an `.ibt`
//! file with sixty samples a second of their own car.
//!
//! The laps are found here: a file has the lap's number, the place and the last lap's time in every sample.

mod channels;
mod lap_mark;
mod lap_splitter;
mod layout;
mod not_ibt;
mod reader;
mod session_text;

pub(super) use channels::{Convert, channels_called, within_half_turn};
pub use not_ibt::NotIbt;
pub use reader::{IbtReader, read};
#[cfg(test)]
mod tests;

/// Whether a file begins like one of these.
pub fn begins(head: &[u8]) -> bool {
    head.starts_with(&layout::MARK)
}
