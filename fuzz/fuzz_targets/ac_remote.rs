//! Fuzzes [`trailbrake_fuzz::ac_remote`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::ac_remote);
