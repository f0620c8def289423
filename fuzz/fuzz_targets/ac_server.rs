//! Fuzzes [`trailbrake_fuzz::ac_server`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::ac_server);
