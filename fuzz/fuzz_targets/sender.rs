//! Fuzzes [`trailbrake_fuzz::sender`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::sender);
