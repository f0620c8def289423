//! Fuzzes [`trailbrake_fuzz::single_file`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::single_file);
