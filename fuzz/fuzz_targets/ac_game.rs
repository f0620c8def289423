//! Fuzzes [`trailbrake_fuzz::ac_game`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::ac_game(bytes));
