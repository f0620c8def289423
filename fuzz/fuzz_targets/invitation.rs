//! Fuzzes [`trailbrake_fuzz::invitation`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::invitation(bytes));
