//! A session as it is now: the one place that live telemetry, replays, demos and tests all arrive at.

mod against;
mod archive;
mod beside;
mod besides;
mod car;
mod log;
mod outline;
mod receiver;
mod signals;
mod state;
mod timing;
mod traces;

pub use against::{Against, FinishedDelta, ReferenceLap};
pub use archive::{Archive, ArchivedSession, ArchivedSource};
pub use besides::Besides;
pub use car::{CarState, Latest};
pub use log::{LogEntry, LogKind};
pub use outline::{Outline, OutlinePoint};
pub use receiver::{Origin, Receiver, Rejections, Source};
pub use signals::SignalTimes;
pub use state::{Bests, Session};
pub use timing::{Gap, TimingRow, short_name};
pub use traces::{Retention, Traces};
