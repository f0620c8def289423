//! Fuzzes [`trailbrake_fuzz::csv`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::csv);
