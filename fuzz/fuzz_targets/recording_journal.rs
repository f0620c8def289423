//! Fuzzes [`trailbrake_fuzz::recording_journal`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::recording_journal);
