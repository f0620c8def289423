//! Fuzzes [`trailbrake_fuzz::ac_game`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::ac_game);
