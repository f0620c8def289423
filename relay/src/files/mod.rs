//! Opens any file as packets or laps: recordings, captures, bare payloads, MoTeC logs and tables of laps.

mod capture;
mod counted_file;
mod cutting;
mod decode;
mod found;
mod lap_file;
mod laps_file;
mod packets;
mod payloads;
mod recording;

pub(crate) use cutting::Cutting;
pub(crate) use decode::decoded;
pub(crate) use found::{Came, Found};
pub(crate) use lap_file::{LapFile, OpenedLap};
pub(crate) use packets::{Packets, open};
pub(crate) use recording::step;
