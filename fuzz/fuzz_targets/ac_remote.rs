//! Fuzzes [`trailbrake_fuzz::ac_remote`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::ac_remote(bytes));
