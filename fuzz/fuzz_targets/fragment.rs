//! Fuzzes [`trailbrake_fuzz::fragment`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::fragment(bytes));
