//! Fuzzes [`trailbrake_fuzz::dirt_rally`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::dirt_rally);
