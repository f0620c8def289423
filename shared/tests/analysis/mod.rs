//! What the analysis finds in laps of simulated games, against what the simulator knows of them.

mod captures;
mod driver_actions;
mod elsewhere;
mod errors;
mod excursions;
mod found;
mod live;
mod missing_ranges;
mod partial;
mod planted_mistakes;
mod power;
mod rows;
pub(crate) mod simulated;
mod slowing;
mod stability;
mod start_line_shift;
mod stint;
mod swap;
mod truncated_recordings;
