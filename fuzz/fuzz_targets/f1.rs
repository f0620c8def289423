//! Fuzzes [`trailbrake_fuzz::f1`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::f1(bytes));
