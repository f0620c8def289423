//! Tests the relay from outside, through real sockets on ports that the system chooses.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says what it expects by panicking when it does not hold"
)]

mod access;
mod bests;
mod captures;
mod changes;
mod compare;
mod console;
mod copies;
mod decoded_captures;
#[cfg(target_os = "linux")]
mod disk;
mod faults;
mod files;
mod forward;
mod imports;
mod inspect;
#[cfg(unix)]
mod interrupts;
mod iracing;
mod kills;
mod lap_agreement;
mod lap_selection;
mod library;
mod library_repair;
mod listed_tracks;
mod live;
mod load;
mod lua_app;
mod noise;
mod notes;
mod other_tables;
mod page;
mod ports;
mod program;
mod race;
mod recorded;
mod recording;
mod refusals;
mod remote;
mod repair;
mod replay;
mod report;
mod room;
mod running;
mod sample;
mod seats;
mod server;
mod settings;
mod tasks;
#[cfg(unix)]
mod tracks;
mod watch;
