//! Laps and packets in the formats of other programs, and laps from them.

mod about;
pub mod csv;
mod date;
pub mod decoded;
mod driven;
mod imported;
pub mod motec;
pub mod pcapng;
mod resample;

pub use about::About;
pub use driven::DrivenLap;
pub use imported::{ImportedLap, ImportedLaps};
