//! Fuzzes [`trailbrake_fuzz::hostile_laps`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::hostile_laps(bytes));
