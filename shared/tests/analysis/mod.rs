//! Analysis results for laps of simulated games, compared with the simulator's truth.

mod beside_reference;
mod captures;
mod drawn_laps;
mod driver_actions;
mod errors;
mod excursions;
mod letters;
mod live;
mod live_corners;
mod missing_ranges;
mod partial;
mod planted_mistakes;
mod power;
mod resets;
mod rows;
mod shifted_lines;
pub(crate) mod simulated;
mod single_differences;
mod slowing;
mod stability;
mod start_line_shift;
mod starts;
mod stint;
mod swap;
mod tasks;
mod truncated_recordings;
mod verdicts;
