//! Fuzzes [`trailbrake_fuzz::settings`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::settings(bytes));
