//! Fuzzes [`trailbrake_fuzz::ea_wrc`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::ea_wrc(bytes));
