//! Fuzzes [`trailbrake_fuzz::motec`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::motec);
