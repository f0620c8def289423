//! Fuzzes [`trailbrake_fuzz::datagram_size`].
#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trailbrake_fuzz::datagram_size(bytes));
