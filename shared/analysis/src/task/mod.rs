//! Coaching tasks: what a driver tries in one corner, whether a lap hit it, and whether it paid off.
//!
//! ```text
//!  TaskTarget + CornerPass  ->  MarkedPass   one lap: hit, near or miss
//!  passes before the task   ->  CornerLaps   the baseline
//!  passes with the task     ->  TaskLaps     k of n laps hit
//!  CornerLaps + TaskLaps    ->  Verdict      paid off; no gain; not hit; not enough laps
//! ```
//!
//! All laps are measured on one reference's axis, and the corner's time is taken between the same two places of it.

mod interval;
mod laps;
mod mark;
mod measure;
mod pass;
mod proposal;
mod section;
mod target;
mod verdict;

pub use interval::Change;
pub use laps::{CornerLaps, LapMean, TaskLaps};
pub use mark::{MarkedPass, TaskMark};
pub use measure::TaskMeasure;
pub use pass::{CornerPass, PassValue};
pub use proposal::TaskProposal;
pub use section::{CornerSection, TaskCorner};
pub use target::{Aim, TaskTarget};
pub use verdict::{Outcome, Verdict};
