//! Fuzzes [`trailbrake_fuzz::datagram`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::datagram(bytes));
