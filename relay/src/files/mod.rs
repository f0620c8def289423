//! Opens any file as packets or laps: recordings, captures, bare payloads, telemetry of iRacing, MoTeC logs
//! and tables of laps.

mod capture;
mod counting_file;
mod decode;
mod item;
mod lap_file;
mod laps_file;
mod packet_split;
mod packets;
mod payloads;
mod recording;

pub(crate) use decode::decoded;
pub(crate) use item::{FileItem, Reception};
pub(crate) use lap_file::{LapFile, OpenedLap};
pub(crate) use packet_split::PacketSplit;
pub(crate) use packets::{Packets, open};
pub(crate) use recording::step;
