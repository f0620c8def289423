//! Fuzzes [`trailbrake_fuzz::capture`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::capture);
