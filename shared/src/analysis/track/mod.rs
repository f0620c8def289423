//! Tracks as they are known again: by their shape, whatever game, driver or start line, with the names people give them.

mod book;
mod fingerprint;
mod wish;

pub use book::{CornerEdit, KnownTrack, TrackBook};
pub use fingerprint::{Answer, Fingerprint};
pub use wish::{CornerWish, TrackName};
