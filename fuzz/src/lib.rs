//! Fuzz targets: every entry point for outside data receives arbitrary bytes, and none may panic.
//!
//! `cargo xtask fuzz NAME` searches for bytes that panic, starting from `corpus/NAME`. What it finds is put there, and an
//! ordinary test passes it to the same function again.
#![forbid(unsafe_code)]

mod ac_lua;
mod ac_remote;
mod ac_server;
mod ac_telemetry_tool;
mod capture;
mod csv;
mod datagram;
mod dirt_rally;
mod ea_wrc;
mod f1;
mod facts;
mod forza;
mod fragment;
mod frames;
mod gran_turismo;
mod hostile_laps;
mod http;
mod ibt;
mod imported_laps;
mod mapped_table;
mod motec;
mod options_file;
mod recognise;
mod recorder;
mod recording;
mod relay;
mod repair;
mod settings;
mod single_file;
mod talkers;
mod team;
mod wire;

pub use ac_lua::ac_lua;
pub use ac_remote::{ac_game, ac_remote};
pub use ac_server::ac_server;
pub use ac_telemetry_tool::ac_telemetry_tool;
pub use capture::capture;
pub use csv::csv;
pub use datagram::{datagram, datagram_size, sender};
pub use dirt_rally::dirt_rally;
pub use ea_wrc::ea_wrc;
pub use f1::f1;
pub use facts::{copies, facts};
pub use forza::forza;
pub use fragment::fragment;
pub use frames::frames;
pub use gran_turismo::{console, gran_turismo};
pub use hostile_laps::hostile_laps;
pub use http::http;
pub use ibt::ibt;
pub use imported_laps::imported_laps;
pub use mapped_table::mapped_table;
pub use motec::motec;
pub use options_file::options_file;
pub use recognise::recognise;
pub use recorder::recorder;
pub use recording::{recording_block, recording_file, recording_journal};
pub use repair::repair;
pub use settings::settings;
pub use single_file::single_file;
pub use talkers::talkers;
pub use team::{invitation, team_messages};
pub use wire::wire;

/// A folder for the files of a target. Tests pass inputs to one target from several threads, so each thread has its own.
#[expect(clippy::expect_used, reason = "a target can't be tried without a folder")]
fn own_folder(name: &str) -> std::path::PathBuf {
    let thread =
        format!("{:?}", std::thread::current().id()).replace(|letter: char| !letter.is_ascii_digit(), "");
    let folder = std::env::temp_dir().join(format!("trailbrake-{name}-{}-{thread}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A function that takes bytes from outside.
pub type FrontDoor = fn(&[u8]);

/// All fuzz targets. The name is also that of the program and of the corpus.
pub const TARGETS: &[(&str, FrontDoor)] = &[
    ("ac_game", ac_game),
    ("ac_lua", ac_lua),
    ("ac_remote", ac_remote),
    ("ac_server", ac_server),
    ("ac_telemetry_tool", ac_telemetry_tool),
    ("capture", capture),
    ("console", console),
    ("copies", copies),
    ("csv", csv),
    ("datagram", datagram),
    ("datagram_size", datagram_size),
    ("dirt_rally", dirt_rally),
    ("ea_wrc", ea_wrc),
    ("f1", f1),
    ("facts", facts),
    ("forza", forza),
    ("fragment", fragment),
    ("frames", frames),
    ("gran_turismo", gran_turismo),
    ("hostile_laps", hostile_laps),
    ("http", http),
    ("ibt", ibt),
    ("imported_laps", imported_laps),
    ("invitation", invitation),
    ("mapped_table", mapped_table),
    ("motec", motec),
    ("options_file", options_file),
    ("recognise", recognise),
    ("recorder", recorder),
    ("recording_block", recording_block),
    ("recording_file", recording_file),
    ("recording_journal", recording_journal),
    ("repair", repair),
    ("sender", sender),
    ("settings", settings),
    ("single_file", single_file),
    ("talkers", talkers),
    ("team_messages", team_messages),
    ("wire", wire),
];
