//! Fuzzes [`trailbrake_fuzz::mapped_table`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::mapped_table(bytes));
