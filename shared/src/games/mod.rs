//! One folder per protocol: layout (bytes), decode (bytes → model), names (numbers → words).

mod anonymise;
mod assetto_corsa;
mod decode;
mod field;
pub(crate) mod flat_fields;
mod odometer;
mod pause_detector;
mod reject;
mod seal;
mod talk;

#[macro_use]
mod layout;

pub mod ac_lua;
pub mod ac_remote;
pub mod ac_server;
pub mod ac_telemetry_tool;
pub mod dirt_rally;
pub mod f1_2018;
pub mod gran_turismo;
pub mod imported_laps;
pub mod neighbours;

pub use ac_server::Command as ServerCommand;
pub use anonymise::Anonymise;
pub use decode::Decode;
pub use field::{Described, Value};
pub use flat_fields::flat_fields;
pub use layout::{Fields, Text, Vec3};
pub use reject::Rejected;
pub use seal::Seals;
pub use talk::{Outgoing, Outlook, Talk, TalkOptions, TalkStatus, Via};
