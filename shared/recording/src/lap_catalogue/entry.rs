//! A lap of the catalogue, and its session.

use std::ops::RangeInclusive;
use std::sync::Arc;

use trailbrake_analysis::Combo;
use trailbrake_analysis::laps::{Lap, LapFlag};
use trailbrake_games::feed::Feed;
use trailbrake_model::Columns;
use trailbrake_model::time::Micros;
use trailbrake_session::{Archive, LapId, LapRow, SessionSummary};

use crate::export::{About, ExportedLap};

/// One lap with everything known of it except its samples.
#[derive(Clone, Debug, PartialEq)]
pub struct LapEntry {
    /// Its id in this catalogue.
    pub id: LapId,
    /// The lap.
    pub lap: Lap,
    /// The driver's name, where the game sent one.
    pub driver: Option<String>,
    /// The car model as text, where the game sent it.
    pub model: Option<String>,
    /// Whether the player drove all of it, if they drove several cars in the session.
    pub player: Option<bool>,
    /// When its packets were received; `None` in a live session.
    pub received: Option<RangeInclusive<Micros>>,
    /// The session it was driven in.
    pub session: Arc<SessionEntry>,
}

/// A session with laps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionEntry {
    /// Its number among the sessions with laps, counted from 0.
    pub number: u16,
    /// The feed that reported it.
    pub feed: Option<Feed>,
    /// The latest facts that the game reported of it.
    pub summary: SessionSummary,
    /// The track's name.
    pub track: Option<String>,
}

impl LapEntry {
    /// Whether the player drove it, and did not just watch it in a replay.
    pub fn is_player(&self) -> bool {
        self.is_players_seat() && !self.lap.flags.has(LapFlag::Replay)
    }

    /// Whether only the game's report is known of it: it has no samples.
    pub fn is_reported(&self) -> bool {
        self.lap.flags.has(LapFlag::Reported)
    }

    /// Whether it is in the car that was then the player's, driven or watched in a replay.
    pub fn is_players_seat(&self) -> bool {
        self.player.unwrap_or(self.session.summary.player == Some(self.id.car))
    }

    /// The driver's name; the car's number without a name.
    pub fn driver_words(&self) -> String {
        self.driver.clone().unwrap_or_else(|| self.id.car.to_string())
    }

    /// Whether another lap is of the same driver, car and session.
    pub fn is_of_seat(&self, other: &Self) -> bool {
        (self.id.session, self.id.car) == (other.id.session, other.id.car) && self.driver == other.driver
    }

    /// Whether another lap is also of the same stint.
    pub fn is_of_stint(&self, other: &Self) -> bool {
        self.is_of_seat(other) && self.lap.stint == other.lap.stint
    }

    /// Whether its packets were being received at a moment. A lap ends where the next one begins.
    pub fn was_under_way(&self, at: Micros) -> bool {
        self.received.as_ref().is_some_and(|received| (*received.start()..*received.end()).contains(&at))
    }

    /// Its combination of game, track and car.
    pub fn combo(&self) -> Combo {
        let game = self.session.game().map(str::to_owned);
        Combo { game, track: self.session.layout().map(str::to_owned), car: self.model.clone() }
    }

    /// Its samples in the archive that the catalogue was made of; `None` if there are none.
    pub fn columns_in<'a>(&self, archive: &'a Archive) -> Option<&'a Columns> {
        let seat = archive.session(self.id.session)?.seat_of(self.id.car, self.id.serial)?;
        seat.state.traces.lap(self.id.serial).filter(|columns| !columns.is_empty())
    }

    /// The lap for an export.
    pub fn driven<'a>(&'a self, columns: &'a Columns) -> ExportedLap<'a> {
        let received = self.received.as_ref().map(|received| *received.start()).unwrap_or_default();
        ExportedLap { driver: self.driver_words(), car: self.id.car, lap: &self.lap, columns, received }
    }

    /// What an export says of the lap besides its channels.
    pub fn about(&self) -> About {
        let SessionEntry { summary, track, .. } = self.session.as_ref();
        About {
            game: self.session.game().unwrap_or_default().to_owned(),
            venue: track.clone().unwrap_or_default(),
            vehicle: self.model.clone().unwrap_or_default(),
            session: summary.info.as_ref().map(|info| info.kind.words()).unwrap_or_default(),
        }
    }

    /// Its row in the recording's lap table, by which its packets are found.
    pub fn row(&self) -> Option<LapRow> {
        let received = self.received.as_ref()?;
        Some(LapRow {
            session: self.id.session,
            car: self.id.car,
            driver: self.driver.clone(),
            model: self.model.clone(),
            player: self.player,
            from: *received.start(),
            to: *received.end(),
            lap: self.lap.clone(),
        })
    }

    /// When it began, where packets have a date.
    pub fn began(&self) -> Option<Micros> {
        /// Bare packets have no times and are given times from 1970 on. Earlier than 2000 is not a date.
        const FIRST_DATE: Micros = Micros(946_684_800_000_000);
        self.received.as_ref().map(|received| *received.start()).filter(|at| *at >= FIRST_DATE)
    }
}

impl SessionEntry {
    /// The game.
    pub fn game(&self) -> Option<&str> {
        self.summary.game.as_deref().or(self.feed.map(|feed| feed.info().game))
    }

    /// The track's name, on which laps are compared; `None` where it is that of a track of which the layout was not
    /// recognised.
    pub fn layout(&self) -> Option<&str> {
        let track = self.summary.track();
        let is_any_layout = track.is_some_and(|track| track.layout().is_none() && track.name == self.track);
        self.track.as_deref().filter(|_| !is_any_layout)
    }
}
