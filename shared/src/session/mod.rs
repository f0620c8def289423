//! A session as it is now: the one place that live telemetry, replays, demos and tests all arrive at.

mod against;
mod archive;
mod beside;
mod besides;
mod bests;
mod car;
mod choices;
mod history;
mod log;
mod outline;
mod recall;
mod receiver;
mod seats;
mod signals;
mod source;
mod state;
mod timing;
mod traces;

pub use against::{Against, FinishedDelta, ReferenceLap};
pub use archive::{Archive, ArchivedSessions};
pub use besides::Besides;
pub use bests::Bests;
pub use car::{CarState, Latest};
pub use history::{LapHistory, LapId, LapRow, SessionEvent, SessionSummary, car_words};
pub use log::{LogEntry, LogKind};
pub use outline::{Outline, OutlinePoint};
pub use recall::Recalled;
pub use receiver::Receiver;
pub use seats::Seat;
pub use signals::SignalTimes;
pub use source::{Origin, Rejections, Source};
pub use state::Session;
pub use timing::{Gap, TimingRow, short_name};
pub use traces::{Retention, Traces};
