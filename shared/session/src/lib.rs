//! The state of a session. Live telemetry, replays, demos and tests all feed it.
//!
//! [`sounds`] is what a driver hears of it.
#![forbid(unsafe_code)]

mod archive;
mod beside;
mod bests;
mod brake_points;
mod car;
mod cars;
mod choices;
mod delta_target;
mod fuel;
mod history;
mod lap_context;
mod live_comparison;
mod live_corners;
mod live_task;
mod locator;
mod log;
mod look_ahead;
mod outline;
mod player_cars;
mod recall;
mod recalled_session;
mod receiver;
mod reference_lap;
mod reported;
mod reported_lap;
mod seats;
mod signals;
pub mod sounds;
mod source;
mod state;
mod summary;
mod theoretical_lap;
mod timing;
mod traces;
mod traffic;

pub use archive::{Archive, ArchivedSessions};
pub use bests::Bests;
pub use brake_points::BrakePoint;
pub use car::{CarState, Latest};
pub use delta_target::DeltaTarget;
pub use history::LapHistory;
pub use lap_context::LapContext;
pub use live_comparison::{FinishedDelta, LiveComparison};
pub use live_corners::{LiveCorners, NextCorner};
pub use live_task::{FollowedTask, LiveTask, TaskResult};
pub use log::{LogEntry, LogKind};
pub use look_ahead::{Ghost, ReferenceWindow};
pub use outline::{Outline, OutlinePoint};
pub use recalled_session::RecalledSession;
pub use receiver::Receiver;
pub use reference_lap::ReferenceLap;
pub use reported::Reported;
pub use reported_lap::ReportedLap;
pub use seats::Seat;
pub use signals::SignalTimes;
pub use source::{Origin, Rejections, Source};
pub use state::Session;
pub use summary::{LapId, LapRow, SessionEvent, SessionSummary, car_words};
pub use timing::{Gap, Rank, RankedSector, TimingRow, initials, short_name};
pub use traces::{Retention, Traces};
pub use traffic::{CloseCar, TrafficLog};
