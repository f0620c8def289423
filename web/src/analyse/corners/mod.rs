//! The corners: what the laps did in each of them, and what to fix first.

mod advice;
mod card;
mod lines;
mod over_laps;
mod parts;
mod table;
mod waterfall;

pub(super) use advice::Advice;
pub(super) use lines::csv;
pub(super) use table::CornerTable;
