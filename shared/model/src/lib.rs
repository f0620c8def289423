//! The common model of all games: samples of channels, lap progress, events and facts.
#![forbid(unsafe_code)]

mod channel;
mod columns;
mod event;
pub mod letters;
mod moment;
pub mod number;
mod participant;
mod progress;
mod race_event;
mod results;
mod server;
mod session;
mod session_kind;
mod signal;
mod sink;
mod surface;
pub mod time;
mod track;
pub mod units;
mod vehicle;
mod weather;

pub use channel::{Axis, Channel, Drawing, Scope, Slot, Wheel};
pub use columns::{Columns, Line};
pub use event::{Collision, Event, EventKind};
pub use moment::{Car, Moment};
pub use participant::{NamedId, Participant, Presence};
pub use progress::{
    DriverStatus, LapProgress, LapRemarks, MOST_SECTORS, PitStatus, ResultStatus, SectorTimes,
};
pub use race_event::RaceEvent;
pub use results::{
    CarResult, Forecast, LobbyPlayer, PastLap, PastLaps, Rival, RivalLap, Rule, TyreSet, TyreStint,
};
pub use server::ServerInfo;
pub use session::{
    CarSetup, Fact, Flag, MarshalZone, PitWindow, Recognised, SafetyCar, SessionInfo, Track, TrackZone,
    ZoneUse,
};
pub use session_kind::SessionKind;
pub use signal::{Argument, Signal};
pub use sink::{OF_EVERY_CAR, Sample, Sink, is_of_every_car};
pub use surface::Surface;
pub use track::{Bounds, StartLine, TrackPrint};
pub use vehicle::{Power, Vehicle};
pub use weather::Weather;
