//! Writes laps and packets in other programs' formats, and imports laps from them.

mod about;
pub mod csv;
mod date;
pub mod decoded;
mod exported_lap;
mod imported;
pub mod motec;
pub mod pcapng;
mod resample;
pub mod single_file;

pub use about::About;
pub use exported_lap::ExportedLap;
pub use imported::{ImportedLap, ImportedLaps, LapPackets, TakePacket};
