//! Fuzzes [`trailbrake_fuzz::single_file`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::single_file(bytes));
