//! Fuzzes [`trailbrake_fuzz::facts`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::facts);
