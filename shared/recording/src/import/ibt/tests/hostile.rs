//! Files that nobody wrote in good faith, and damaged ones.

use proptest::prelude::*;

use super::super::*;
use super::*;

fn refused(bytes: &[u8]) -> String {
    read(bytes).expect_err("a reason").to_string()
}

/// A file with another number at an offset.
fn with(at: usize, number: i32) -> Vec<u8> {
    let mut bytes = driven().bytes();
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
    bytes
}

#[test]
fn a_dump_of_the_live_memory_is_refused_with_what_to_do() {
    let mut bytes = with(32, 3);
    bytes[28..32].copy_from_slice(&524_400_i32.to_le_bytes());
    assert!(refused(&bytes).contains("live memory and not a recording: press Alt+L"), "{}", refused(&bytes));
}

#[test]
fn numbers_that_can_not_be_true_are_named() {
    let huge = i32::MAX;
    for (at, number, words) in [
        (0, 3, "version 3"),
        (0, 77_777, "no telemetry file of iRacing"),
        (4, 9, "no telemetry file of iRacing"),
        (24, huge, "its number of channels"),
        (24, 10_000, "its number of channels"),
        (24, -1, "its number of channels"),
        (24, 4_000, "where its channels are listed"),
        (28, huge, "where its channels are listed"),
        (28, -144, "where its channels are listed"),
        (32, 0, "its number of buffers"),
        (36, 0, "the size of a sample"),
        (36, huge, "the size of a sample"),
        (36, 8, "lies outside the samples"),
        (52, huge, "where its samples begin"),
        (52, 12, "where its samples begin"),
        (144, 6, "\"SteeringWheelTorque_ST\""),
        (148, huge, "\"SteeringWheelTorque_ST\""),
        (148, -4, "\"SteeringWheelTorque_ST\""),
        (152, huge, "\"SteeringWheelTorque_ST\""),
        (152, 0, "\"SteeringWheelTorque_ST\""),
    ] {
        let reason = refused(&with(at, number));
        assert!(reason.contains(words), "{number} at {at}: {reason}");
    }
    // A text elsewhere, an unknown rate and a wrong count of samples cost nothing but names.
    for (at, number) in [(16, huge), (16, -5), (20, huge), (20, -5), (8, 0), (140, huge), (140, -9)] {
        assert_eq!(read(&with(at, number)).expect("laps").laps.len(), 5, "{number} at {at}");
    }
}

#[test]
fn what_is_cut_off_before_its_samples_or_without_them_is_refused() {
    let file = driven();
    let bytes = file.bytes();
    for len in [0, 1, 8, 143, 144, 300, file.samples_at() - 1] {
        assert!(refused(&bytes[..len]).contains("before its first sample"), "{len}");
    }
    assert!(refused(&bytes[..file.samples_at()]).contains("nobody drove"));
    assert!(refused(&bytes[..file.samples_at() + 30 * file.sample_size()]).contains("nobody drove"));
    for (name, kind) in [("Lap", Kind::Int), ("LapDist", Kind::Float)] {
        let mut file = driven();
        file.variables.iter_mut().for_each(|variable| {
            if variable.0 == name {
                *variable = ("Other", kind, 1);
            }
        });
        file.text = vec![0];
        assert!(refused(&file.bytes()).contains(&format!("no channel {name:?}")), "{name}");
    }
}

#[test]
fn ten_thousand_laps_of_a_moment_take_little_memory() {
    // Each sample is of another lap.
    let mut file = driven();
    for (nth, sample) in file.samples.iter_mut().enumerate() {
        sample[place("Lap")] = nth as f64;
        sample[place("SessionTime")] = nth as f64 * 10.0;
    }
    assert!(refused(&file.bytes()).contains("nobody drove"));
    // Each lap has two samples, seconds apart.
    for (nth, sample) in file.samples.iter_mut().enumerate() {
        sample[place("Lap")] = (nth / 2) as f64;
        sample[place("SessionTime")] = nth as f64 * 2.0;
    }
    let found = laps(&file);
    let bytes: usize = found.laps.iter().map(|lap| lap.columns.bytes()).sum();
    assert!(bytes < found.laps.len() * 8192, "{bytes} bytes for {} laps", found.laps.len());
}

/// What must hold of any file that is read.
fn check(file: &ImportedLaps) {
    for lap in &file.laps {
        assert!(lap.columns.seconds().is_sorted() && !lap.columns.is_empty());
        assert!(lap.began_s.is_finite());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        prop_assert!(read(&bytes).is_err());
        let marked = [&[2, 0, 0, 0, 1, 0, 0, 0][..], &bytes].concat();
        let _ = read(&marked);
    }

    #[test]
    fn changed_files_are_read_or_refused(changes in prop::collection::vec((0_usize..40_000, any::<u8>()), 1..40)) {
        let mut bytes = driven().bytes();
        for (at, byte) in changes {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        match read(&bytes) {
            Ok(file) => check(&file),
            Err(reason) => prop_assert!(!reason.to_string().is_empty()),
        }
    }

    #[test]
    fn any_numbers_in_samples_are_read(
        changes in prop::collection::vec((0_usize..4000, 0_usize..20, prop_oneof![
            any::<f64>(), Just(f64::NAN), Just(f64::INFINITY), -2.0..2.0, -1e6..1e6,
        ]), 1..200),
    ) {
        let mut file = driven();
        for (nth, variable, value) in changes {
            let (nth, variable) = (nth % file.samples.len(), variable % file.variables.len());
            file.samples[nth][variable] = value;
        }
        match read(&file.bytes()) {
            Ok(file) => check(&file),
            Err(reason) => prop_assert!(!reason.to_string().is_empty()),
        }
    }
}
