//! The core as a whole: datagrams in, and what is known of the session out.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test says what it expects by panicking when it does not hold"
)]

mod truth;
