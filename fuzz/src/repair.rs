//! A folder of recordings as a crash, a full disk or a stranger left it.
#![expect(clippy::expect_used, reason = "bringing the program down is how a target reports what it found")]

use std::ffi::OsString;
use std::fs;
use std::io::sink;

use clap::Parser as _;
use trailbrake_relay::commands::CommandLine;

use crate::own_folder;

/// The names that repair has to do with.
const NAMES: [&str; 6] = [
    "one.trailbrake.mcap",
    "one.trailbrake.mcap.part",
    "one.trailbrake.mcap.journal",
    "one.trailbrake.mcap.repaired",
    "two.trailbrake.mcap.part",
    "tracks.json",
];

/// The files of a folder. Three bytes precede each: its name, and its length, little-endian. Each recording is repaired; what
/// was repaired is repaired again, and then needs no repair.
pub fn repair(bytes: &[u8]) {
    let folder = own_folder("repair");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let mut rest = bytes;
    while let Some(([name, len_low, len_high], following)) = rest.split_first_chunk() {
        let len = usize::from(u16::from_le_bytes([*len_low, *len_high])).min(following.len());
        let (content, after) = following.split_at(len);
        let name = NAMES.get(usize::from(*name) % NAMES.len()).expect("one of the names");
        fs::write(folder.join(name), content).expect("a file");
        rest = after;
    }
    let listed = || {
        let entries = fs::read_dir(&folder).expect("the folder").flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    };
    let run = |path: &std::path::Path| {
        let words = [OsString::from("trailbrake"), "repair".into(), path.into()];
        let line = CommandLine::try_parse_from(words).expect("a command line");
        line.command.expect("a command").run(sink(), sink())
    };
    for path in listed().iter().filter(|path| path.to_string_lossy().contains(".trailbrake.mcap")) {
        if let Err(error) = run(path) {
            assert!(!format!("{error:#}").is_empty(), "a refusal has a reason");
        }
    }
    let whole = |path: &&std::path::PathBuf| path.to_string_lossy().ends_with(".trailbrake.mcap");
    for path in listed().iter().filter(whole) {
        let before = fs::read(path).expect("a file");
        if run(path).is_ok() {
            assert_eq!(fs::read(path).expect("the file"), before, "what is whole stays as it is");
        }
    }
}
