//! Laps, and their analysis: where time is lost, where braking begins, and what car and driver do.
//!
//! [`laps`] finds where laps begin and end. Everything else analyses the columns of finished laps, or of one under way.
//!
//! A value that a game's data can't give is [`Unavailable`], with the reason; there is never a zero in its place.
#![forbid(unsafe_code)]

mod axis;
pub mod balance;
mod braking;
mod close_car;
mod coasting;
mod combo;
mod compare;
mod consistency;
mod corner;
mod coverage;
pub mod dampers;
mod delta;
mod fuel;
mod grip;
mod ideal;
mod lap;
pub mod lap_events;
pub mod laps;
pub mod ledger;
mod losses;
mod names;
pub mod progress;
pub mod rally;
mod rows;
mod section_statistics;
mod setup;
pub mod statistics;
pub mod task;
mod track;
pub mod tyres;
mod unavailable;

pub use axis::{
    Excursion, ExcursionKind, Follower, Frame, Method, MissingRange, NoLine, PlacedLap, Pose, ReferenceLine,
};
pub use braking::{BrakeWatch, BrakingZone, SAME_ZONE_M, later};
pub use close_car::CloseCar;
pub use coasting::coasts;
pub use combo::Combo;
pub use compare::{
    Advice, Area, ComparedLap, Comparing, Comparison, CornerReference, CornerResult, LapComparison,
    NoComparison, OwnLine, PlacedLaps, StartLineShift, Stint, TheoreticalBest, ThingsToFix, Usual, compare,
    compare_combos, named_parts,
};
pub use consistency::{Consistency, Spread, consistency};
pub use corner::{
    BrakeSource, Braking, Corner, CornerBalance, CornerRow, CornerTable, STEERING, Technique, complexes,
    find_brakings, find_corners, slow_corners,
};
pub use coverage::{Coverage, Hole, coverage};
pub use delta::{NoDelta, Reference};
pub use fuel::{FuelUse, LapEnergy, LapFuel, energy, fuel, fuel_after};
pub use grip::{Envelope, Grip, Hardest, Push, grip, grip_used, usage_between};
pub use ideal::{
    BestPart, BestSector, IdealParts, IdealSectors, MINI_SECTORS, RollingLap, TimedLap, ideal_of_sectors,
    rolling_best,
};
pub use lap::LapColumns;
pub use losses::{CornerLoss, MiniSector, Part, StraightLoss};
pub use rows::{Place, Row};
pub use section_statistics::{SectionBounds, SectionStatistics, section_statistics, sum_unit};
pub use setup::{SettingDifference, setup_differences, setup_settings};
pub use track::{
    Answer, CornerEdit, CornerRequest, Fingerprint, KnownTrack, Stretch, TrackBook, TrackName, TrackShape,
};
pub use unavailable::Unavailable;
