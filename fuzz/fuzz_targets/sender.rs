//! Fuzzes [`trailbrake_fuzz::sender`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::sender(bytes));
