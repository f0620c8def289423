//! Files for the command's tests, and what it prints for them.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::run;
use crate::commands::{Command, CommandLine, Outcome};

/// A file that is deleted with the test.
pub(super) struct Scratch(pub(super) PathBuf);

impl Scratch {
    pub(super) fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("trailbrake-decode-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).expect("a file");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Printed lines for a file, and whether all of it was decoded.
pub(super) fn decode(file: &Path, options: &[&str]) -> (Vec<Json>, bool) {
    let (lines, understood, _) = decode_with_notes(file, options).expect("lines");
    (lines, understood)
}

/// Printed lines for a file, whether all of it was decoded, and the notes.
pub(super) fn decode_with_notes(file: &Path, options: &[&str]) -> anyhow::Result<(Vec<Json>, bool, String)> {
    let arguments = ["trailbrake", "decode"].iter().copied().chain(options.iter().copied());
    let arguments = arguments.map(std::ffi::OsString::from).chain([file.into()]);
    let line = <CommandLine as clap::Parser>::try_parse_from(arguments).expect("a command line");
    let Some(Command::Decode(request)) = line.command else { panic!("no decode command") };
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    let understood = run(&request, &mut out, &mut notes)? == Outcome::Done;
    let lines = String::from_utf8(out).expect("text");
    let lines = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    Ok((lines, understood, String::from_utf8(notes).expect("text")))
}
