//! Fuzzes [`trailbrake_fuzz::gran_turismo`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::gran_turismo);
