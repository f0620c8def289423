//! Fuzzes [`trailbrake_fuzz::datagram`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::datagram);
