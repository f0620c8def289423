//! Fuzzes [`trailbrake_fuzz::ibt`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::ibt(bytes));
