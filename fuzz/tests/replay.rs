//! Passes all findings of fuzzing to their targets again.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test says what it expects by panicking when it does not hold"
)]

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use trailbrake_fuzz::TARGETS;
use trailbrake_shared::feed::FEEDS;

fn here(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(relative)
}

/// The names of a folder's entries, without extensions.
fn stems(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(here(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    entries.map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn every_corpus_is_taken() {
    for (name, front_door) in TARGETS {
        let mut taken = 0;
        for entry in fs::read_dir(here("corpus").join(name)).unwrap() {
            let path = entry.unwrap().path();
            // Printed first, so that the file's name is known if this one panics.
            eprintln!("{}", path.display());
            front_door(&fs::read(&path).unwrap());
            taken += 1;
        }
        assert!(taken > 0, "the corpus of {name} is empty");
    }
}

/// What searches found: for each target an archive of the inputs that reach most.
#[test]
fn what_was_found_is_taken() {
    let mut archives = 0;
    for entry in fs::read_dir(here("found")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().strip_suffix(".tar.gz").unwrap();
        let (_, front_door) = TARGETS.iter().find(|(target, _)| *target == name).unwrap();
        let mut taken = 0;
        let mut archive = tar::Archive::new(GzDecoder::new(fs::File::open(&path).unwrap()));
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            eprintln!("{name}: {}", entry.path().unwrap().display());
            let mut input = Vec::new();
            entry.read_to_end(&mut input).unwrap();
            front_door(&input);
            taken += 1;
        }
        assert!(taken > 0, "the archive of {name} is empty");
        archives += 1;
    }
    assert!(archives > 0);
}

#[test]
fn every_front_door_takes_nothing_and_noise() {
    for (name, front_door) in TARGETS {
        for len in [0, 1, 2, 3, 4, 21, 22, 264, 296, 1341, 2048] {
            for byte in [0x00, 0x01, 0x7f, 0xff] {
                eprintln!("{name}: {len} times {byte:#04x}");
                front_door(&vec![byte; len]);
            }
        }
    }
}

#[test]
fn each_row_of_the_table_has_its_program_and_its_corpus() {
    let names: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names.len(), TARGETS.len(), "a name stands twice");
    assert_eq!(stems("fuzz_targets"), names);
    assert_eq!(stems("corpus"), names);

    let manifest = fs::read_to_string(here("Cargo.toml")).unwrap();
    let programs: BTreeSet<String> = manifest
        .lines()
        .filter_map(|line| line.strip_prefix("path = \"fuzz_targets/")?.strip_suffix(".rs\""))
        .map(str::to_owned)
        .collect();
    assert_eq!(programs, names);
}

/// Noise rarely gets past recognition, so each feed has a target that writes what its recogniser checks.
#[test]
fn every_feed_that_is_decoded_has_a_target_of_its_own() {
    for row in FEEDS.iter().filter(|row| row.codec.is_some()) {
        let mut names = row.ids().map(|id| id.replace('-', "_"));
        assert!(names.any(|name| TARGETS.iter().any(|(target, _)| *target == name)), "{}", row.id);
    }
}
