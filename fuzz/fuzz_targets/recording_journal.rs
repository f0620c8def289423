//! Fuzzes [`trailbrake_fuzz::recording_journal`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::recording_journal(bytes));
