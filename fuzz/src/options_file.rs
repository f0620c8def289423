//! The options file, as somebody wrote it.
#![expect(clippy::expect_used, reason = "bringing the program down is how a target reports what it found")]

use std::fs;

use trailbrake_relay::commands::read_settings;

use crate::own_folder;

/// A whole file. It is read, or refused with a reason.
pub fn options_file(bytes: &[u8]) {
    let file = own_folder("options").join("options.toml");
    fs::write(&file, bytes).expect("a file");
    if let Err(reason) = read_settings(["trailbrake", &format!("--config={}", file.display())]) {
        assert!(!format!("{reason:#}").is_empty(), "a refusal has a reason");
    }
}
