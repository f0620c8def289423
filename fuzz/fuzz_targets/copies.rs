//! Fuzzes [`trailbrake_fuzz::copies`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::copies(bytes));
