//! Fuzzes [`trailbrake_fuzz::fragment`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::fragment);
