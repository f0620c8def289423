//! Tests teams from outside: the program, and every `nats-server` that `TRAILBRAKE_NATS_SERVERS` names.
#![cfg(feature = "team")]
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects by panicking when it does not hold"
)]

mod client;
mod hub;
mod program;
mod rights;
