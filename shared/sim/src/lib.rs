//! Point-mass drivers on synthetic circuits and stages: the demo, and the ground truth for tests.
#![forbid(unsafe_code)]

mod ac_lua;
pub mod ac_remote;
pub mod ac_server;
pub mod ac_telemetry_tool;
pub mod car;
pub mod circuit;
pub mod demo;
mod demos;
pub mod dirt_rally;
mod driver;
pub mod ea_wrc;
mod emitter;
mod f1;
pub mod forza;
pub mod gran_turismo;
mod host;
mod pace;
pub mod race;
pub mod random;
mod ring;
pub mod state;
pub mod truth;

pub use demo::Demo;
pub use demos::{DEFAULT_DEMO, DEMOS, DemoGame, SPOKEN, host};
pub use driver::{Entry, PEDAL_ON};
pub use host::Host;
pub use race::{Balance, Finish, Mistake, MistakeKind, Options, PlantedTask, Race, Request, Start};
pub use truth::Truth;
