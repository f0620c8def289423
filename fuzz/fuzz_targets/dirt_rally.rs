//! Fuzzes [`trailbrake_fuzz::dirt_rally`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::dirt_rally(bytes));
