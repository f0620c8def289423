//! Fuzzes [`trailbrake_fuzz::recording_block`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::recording_block);
