//! The protocols of games. One folder per protocol: layout (bytes), decode (bytes → model), names (numbers → words).
//!
//! Below them, `capture` reads files of captured packets. Above them are [`feed`], the table of all protocols, [`settings`],
//! which a driver makes for them, and [`wire`], the messages that carry their packets from relay to page.
#![forbid(unsafe_code)]

mod anonymise;
mod assetto_corsa;
pub mod capture;
mod decode;
pub mod feed;
mod field;
mod flat_fields;
mod game_files;
mod lap_stamp;
mod named_tracks;
mod odometer;
mod pause_detector;
mod reject;
mod ride;
mod seal;
mod session_clock;
mod session_mark;
pub mod settings;
mod talk;
pub mod wire;

#[macro_use]
mod layout;
#[macro_use]
pub mod table;

pub mod ac_lua;
pub mod ac_remote;
pub mod ac_server;
pub mod ac_telemetry_tool;
pub mod dirt_rally;
pub mod ea_wrc;
pub mod f1;
pub mod forza;
pub mod gran_turismo;
pub mod imported_laps;
pub mod neighbours;

pub use ac_server::Command as ServerCommand;
pub use anonymise::{Anonymise, OtherCars};
pub use decode::Decode;
pub use field::{Described, Value};
pub use flat_fields::flat_fields;
pub use game_files::{FilesPlan, FilesRequest, GameChannel, GameFiles, GamePacket, GameStructure};
pub use gran_turismo::listed_path;
pub use layout::{ShortText, Text, Vec3};
pub use reject::Rejected;
pub use seal::Seals;
pub use talk::{Outgoing, Outlook, Talk, TalkOptions, TalkStatus, Via};
