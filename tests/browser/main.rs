//! The real program in a real browser: UDP packets in, numbers on the page out.
//!
//! `cargo xtask test` sets the paths of the program, Chromium and its driver. A plain `cargo test` ignores these tests.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test says what it expects by panicking when it does not hold"
)]

mod ac_server;
mod accessibility;
mod analyse;
mod analyse_address;
mod analyse_copy;
mod analyse_feeds;
mod analyse_fits;
mod analyse_keyboard;
mod analyse_laps;
mod analyse_map;
mod analyse_marks;
mod analyse_names;
mod analyse_notes;
mod analyse_panels;
mod analyse_pointer;
mod analyse_report;
mod analyse_steps;
mod analyse_tables;
mod assetto_corsa;
mod coach;
mod coaching;
mod connections;
mod crowded;
mod demo;
mod driver_settings;
mod earlier_laps;
mod firefox;
mod first_start;
mod first_thirty_seconds;
mod game;
mod gran_turismo;
mod hostile;
mod join_team;
mod keyboard;
mod lap_agreement;
mod late_join;
mod library;
mod live_ahead;
mod live_glance;
mod live_map;
mod live_panels;
mod live_report;
mod long;
mod memory;
mod other_files;
mod overlay;
mod parts;
mod rally;
mod recording_links;
mod remote;
mod repair;
mod replay;
mod restart;
mod screen;
mod server_page;
mod settings;
mod share;
mod simulated_game;
mod sleep;
#[cfg(unix)]
mod soak;
mod sounds;
mod tablet;
mod tasks;
mod team;
mod underway;
mod viewer;

use trailbrake_tests::{PATIENCE, chromium, program, recorded};
