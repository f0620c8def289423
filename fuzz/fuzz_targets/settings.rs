//! Fuzzes [`trailbrake_fuzz::settings`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::settings);
