//! Real captures, which lie outside the repository, in the folder that `TRAILBRAKE_CAPTURES` names.
#![forbid(unsafe_code)]
#![allow(clippy::expect_used, reason = "a tool for tests: it says what it expects by panicking")]

use std::io::Read;
use std::path::{Path, PathBuf};

/// Where a file or a folder of captures is.
pub fn path(name: &str) -> PathBuf {
    let folder = std::env::var_os("TRAILBRAKE_CAPTURES");
    Path::new(&folder.expect("TRAILBRAKE_CAPTURES must name the folder with real captures")).join(name)
}

/// The bytes of a captured file, unpacked where it is compressed.
pub fn read(name: &str) -> Vec<u8> {
    let bytes = std::fs::read(path(name)).expect("the file");
    if !name.ends_with(".gz") {
        return bytes;
    }
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut unpacked).expect("gzip");
    unpacked
}
