//! Fuzzes [`trailbrake_fuzz::copies`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::copies);
