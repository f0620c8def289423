//! Fuzzes [`trailbrake_fuzz::wire`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::wire(bytes));
