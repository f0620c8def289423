//! Fuzzes [`trailbrake_fuzz::imported_laps`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::imported_laps);
