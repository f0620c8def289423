//! MoTeC logs: `.ld` holds the channels, and the `.ldx` next to it the lap beacons.
//!
//! The maker has not published the format; `docs/motec.md` documents what is written and read here.

mod laps;
mod layout;
mod ldx;
mod names;
mod read;
mod write;

pub use laps::{NoLap, import, laps_of};
pub use ldx::{LapDetail, Ldx};
pub(crate) use names::{NamedUnit, channel_called, unit_called, units_of};
pub use read::{LdChannel, LdFile, NotLd, read_ld};
pub use write::{Log, write};
#[cfg(test)]
mod tests;
