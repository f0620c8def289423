//! What the numbers of laps say: where time is lost, where braking begins, what the car and its driver do.
//!
//! What a game does not send can't be told, and [`Untold`] says so: there is never a zero in its place.

mod axis;
pub mod balance;
mod braking;
mod coasting;
mod combo;
mod compare;
mod consistency;
mod corner;
pub mod dampers;
mod delta;
mod fuel;
mod grip;
pub mod happenings;
mod heard;
mod ideal;
mod lap;
mod names;
pub mod progress;
pub mod rally;
pub mod robust;
mod rows;
mod setup;
mod stretch;
mod track;
pub mod tyres;
mod untold;

pub use axis::{Aside, AsideKind, Follower, Frame, Method, NoLine, Placed, Pose, ReferenceLine, Unheard};
pub use braking::{BrakeWatch, BrakingZone, SAME_ZONE_M, later};
pub use coasting::coasts;
pub use combo::Combo;
pub use compare::{
    Area, Cause, ComparedLap, Comparing, Comparison, CornerLoss, LapComparison, MiniSector, NoComparison,
    Part, Stint, StraightLoss, TheoreticalBest, Thing, Turned, things,
};
pub use consistency::{Consistency, Spread, consistency};
pub use corner::{
    BrakeSource, Braking, Corner, CornerBalance, CornerRow, CornerTable, complexes, find_brakings,
    find_corners, slow_corners,
};
pub use delta::{NoDelta, Reference};
pub use fuel::{FuelUse, LapEnergy, LapFuel, energy, fuel, fuel_after};
pub use grip::{Envelope, Grip, Hardest, Push, grip, usage_between};
pub use heard::{Heard, Hole, heard};
pub use ideal::{
    BestPart, BestSector, IdealParts, IdealSectors, MINI_SECTORS, RollingLap, TimedLap, ideal_of_sectors,
    rolling_best,
};
pub use lap::LapColumns;
pub use rows::{Place, Row};
pub use setup::{SettingDifference, setup_differences, setup_settings};
pub use stretch::{Between, StretchStatistics, stretch, sum_unit};
pub use track::{Answer, CornerEdit, CornerWish, Fingerprint, KnownTrack, TrackBook, TrackName};
pub use untold::Untold;
