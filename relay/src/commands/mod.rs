//! What the program does: a module for each subcommand.

pub mod analyse;
pub mod banner;
pub mod bests;
pub mod browser;
mod client;
pub mod compare;
pub mod decode;
pub mod export;
pub mod import;
pub mod laps;
pub mod options;
pub mod repair;
pub mod replay;
pub mod report;
pub mod server;
pub mod tracks;
pub mod watch;
