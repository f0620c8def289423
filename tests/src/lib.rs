//! Shared by the browser tests and the page's benchmark: the program under test, and Chromium.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test says what it expects by panicking when it does not hold"
)]

pub mod bench_page;
pub mod chromium;
pub mod figures;
pub mod firefox;
mod processes;
pub mod program;
pub mod recorded;
pub mod web_host;

use std::path::PathBuf;
use std::time::Duration;

/// The longest that a test waits for a state. Every wait ends with the state itself, so that a busy machine only takes
/// longer.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// The file that an environment variable names.
pub fn named_file(variable: &str) -> PathBuf {
    let file = std::env::var_os(variable);
    file.unwrap_or_else(|| panic!("{variable} is not set: run cargo xtask test")).into()
}
