//! Fuzzes [`trailbrake_fuzz::ac_telemetry_tool`].
#![forbid(unsafe_code)]
#![cfg_attr(fuzzing, no_main)]

trailbrake_fuzz::program!(trailbrake_fuzz::ac_telemetry_tool);
