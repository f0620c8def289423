//! Tests teams from outside: the program, and every `nats-server` that `TRAILBRAKE_NATS_SERVERS` names.
#![cfg(feature = "team")]
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says what it expects by panicking when it does not hold"
)]

mod all_rigs;
mod archive;
mod chaos;
mod client;
mod cluster;
mod facts;
mod faults;
mod forged;
mod guide;
mod http;
mod https;
mod hub;
mod line;
mod links;
mod load;
mod page;
mod program;
mod proxy;
mod recorded;
mod rig;
mod rights;
mod room;
mod sharing;
mod words;
