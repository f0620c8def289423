//! Fuzzes [`trailbrake_fuzz::f1_2018`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::f1_2018);
