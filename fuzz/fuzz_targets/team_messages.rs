//! Fuzzes [`trailbrake_fuzz::team_messages`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::team_messages(bytes));
