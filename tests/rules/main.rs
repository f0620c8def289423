//! Enforces ARCHITECTURE.md's rules by reading manifests and imports.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test says what it expects by panicking when it does not hold"
)]

mod contrast;
mod crates;
mod dependencies;
mod documents;
mod feeds;
mod layers;

mod purity;
mod security;
mod tokens;
mod tree;
mod words;
