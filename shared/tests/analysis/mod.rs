//! What the analysis finds in laps of simulated games, against what the simulator knows of them.

mod captures;
mod driver_actions;
mod errors;
mod excursions;
mod live;
mod missing_ranges;
mod partial;
mod planted_mistakes;
mod power;
mod rows;
mod shifted_lines;
pub(crate) mod simulated;
mod single_differences;
mod slowing;
mod stability;
mod start_line_shift;
mod stint;
mod swap;
mod truncated_recordings;
