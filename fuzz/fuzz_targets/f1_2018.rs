//! Fuzzes [`trailbrake_fuzz::f1_2018`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::f1_2018(bytes));
