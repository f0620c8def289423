//! Fuzzes [`trailbrake_fuzz::gran_turismo`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::gran_turismo(bytes));
