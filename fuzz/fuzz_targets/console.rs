//! Fuzzes [`trailbrake_fuzz::console`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::console);
