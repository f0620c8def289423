//! MoTeC's logged data: `.ld` holds the channels, and `.ldx` beside it where the laps end.
//!
//! The maker has not published the format; what is written and read here is laid down in `docs/motec.md`.

mod layout;
mod ldx;
mod names;
mod read;
mod reference;
mod write;

pub use ldx::{Beacons, read_ldx};
pub use read::{LdChannel, LdFile, NotLd, read_ld};
pub use reference::{ImportedLap, NoLap, laps_of};
pub use write::{Log, write};
#[cfg(test)]
mod tests;
