//! Recognises tracks by their shape, whatever the game, driver or start line, and keeps the names people give them.

mod book;
mod fingerprint;
mod requests;
mod stretch;

pub use book::{CornerEdit, KnownTrack, TrackBook};
pub use fingerprint::{Answer, Fingerprint};
pub use requests::{CornerRequest, TrackName, TrackShape};
pub use stretch::Stretch;
