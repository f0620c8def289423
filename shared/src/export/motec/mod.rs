//! MoTeC's logged data: `.ld` holds the channels, and `.ldx` beside it where the laps end.
//!
//! The maker has not published the format; what is written and read here is laid down in `docs/motec.md`.

mod laps;
mod layout;
mod ldx;
mod names;
mod read;
mod write;

pub use laps::{NoLap, import, laps_of};
pub use ldx::{LapDetail, Ldx};
pub use read::{LdChannel, LdFile, NotLd, read_ld};
pub use write::{Log, write};
#[cfg(test)]
mod tests;
