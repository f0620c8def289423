//! Fuzzes [`trailbrake_fuzz::options_file`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::options_file(bytes));
