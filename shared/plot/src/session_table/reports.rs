//! What the tables are made from, and the words that they share.

use trailbrake_games::feed::Feed;
use trailbrake_model::{Channel, SessionKind};
use trailbrake_session::Session;

use crate::panel::Cell;

/// A session, and what its tables are written with.
#[derive(Clone, Copy)]
pub(super) struct Reports<'a> {
    pub(super) session: &'a Session,
    pub(super) feed: Feed,
}

impl Reports<'_> {
    /// A number of a channel of choices in the game's words.
    pub(super) fn word(&self, channel: Channel, number: u8) -> Option<String> {
        self.feed.word(channel, number.into(), self.session.info())
    }

    /// A compound in the game's words.
    pub(super) fn compound(&self, compound: u8, of_season: u8) -> Option<String> {
        let season = self.word(Channel::TyreCompoundOfSeason, of_season);
        match (self.word(Channel::TyreCompound, compound), season) {
            (Some(compound), Some(season)) if season != compound => Some(format!("{compound} ({season})")),
            (compound, season) => compound.or(season),
        }
    }
}

/// Words; nothing without any.
pub(super) fn words(words: Option<&str>) -> Cell {
    words.filter(|words| !words.is_empty()).map_or(Cell::Nothing, |words| Cell::Words(words.to_owned()))
}

/// A kind of session in words; nothing if unknown.
pub(super) fn session_words(kind: SessionKind) -> Cell {
    words(Some(kind.words().as_str()))
}
