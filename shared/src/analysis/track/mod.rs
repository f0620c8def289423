//! Tracks as they are known again: by their shape, whatever game, driver or start line, with the names people give them.

mod book;
mod fingerprint;
mod requests;

pub use book::{CornerEdit, KnownTrack, TrackBook};
pub use fingerprint::{Answer, Fingerprint};
pub use requests::{CornerRequest, TrackName};
