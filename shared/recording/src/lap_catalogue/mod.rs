//! The catalogue of laps: which there are, which is best and which belong together.
//!
//! The laps of a live session, a recording or a decoded file become a [`LapCatalogue`]. The command line, the library,
//! the page and the report all choose laps through it, so they cannot disagree.
//!
//! - [`LapCatalogue::select`], [`LapCatalogue::pick`]: laps by a [`LapQuery`].
//! - [`LapCatalogue::best_reference`]: the reference for a lap.
//! - [`LapCatalogue::stint`]: the other counted laps of its stint.
//! - [`LapCatalogue::listed`]: rows for a list of laps, with those of which only the game's report is known.

mod query;
mod reference;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use trailbrake_analysis::Combo;
use trailbrake_analysis::laps::{Lap, LapFlag};
use trailbrake_games::feed::Feed;
use trailbrake_model::time::Micros;
use trailbrake_model::{Car, Columns};
use trailbrake_session::{
    Archive, LapHistory, LapId, LapRow, ReportedLap, Session, SessionSummary, car_words,
};

use crate::export::{About, ExportedLap};
use crate::{Facts, Info, LapTable, Recording, track_title};

pub use query::{Drivers, LapChoice, LapQuery, NoSuchLap};
pub use reference::{MOST_STINT_LAPS, Nearness};

/// All laps of a live session, a recording or a file, ordered by session, car and serial.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LapCatalogue {
    laps: Vec<LapEntry>,
    /// Laps of which only the game's report is known, ordered by session, car, run and number. They are in lists, but
    /// no query finds them.
    reported: Vec<LapEntry>,
}

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

/// The laps of one driver in one car of one session.
#[derive(Clone, Debug, PartialEq)]
pub struct Seat<'a> {
    /// Its first lap.
    pub first: &'a LapEntry,
    /// The number of laps.
    pub laps: usize,
}

impl LapCatalogue {
    /// The laps of a live session.
    pub fn of_session(live: &Session, feed: Feed) -> Self {
        let summary = SessionSummary::of(live);
        let track = title(&summary);
        let entry = Arc::new(SessionEntry { number: 0, feed: Some(feed), summary, track });
        let of_seat = |seat: trailbrake_session::Seat<'_>| {
            let (car, driver) = (seat.car, seat.name().map(str::to_owned));
            let model = car_words(seat.state.vehicle.as_deref(), seat.driver);
            let session = Arc::clone(&entry);
            let laps: Vec<LapEntry> = seat
                .laps()
                .map(|lap| LapEntry {
                    id: LapId { session: 0, car, serial: lap.serial },
                    lap: lap.clone(),
                    driver: driver.clone(),
                    model: model.clone(),
                    player: live.drove(car, lap),
                    received: None,
                    session: Arc::clone(&session),
                })
                .collect();
            laps
        };
        let laps = live.seats().flat_map(of_seat).collect();
        Self { laps, ..Self::default() }.with_reported(live.reported().laps.iter().copied())
    }

    /// The laps of a decoded file; the sessions of its senders are numbered in sequence.
    pub fn of_archive(archive: &Archive) -> Self {
        let (mut catalogue, mut before) = (Self::default(), 0);
        for source in archive.sources() {
            let history = source.session.history();
            catalogue.add_history(source.origin.feed, history, before);
            before += history.session_count();
        }
        catalogue
    }

    fn add_history(&mut self, feed: Feed, history: &LapHistory, before: u16) {
        let sessions: Vec<_> = (before..)
            .zip(history.sessions())
            .map(|(number, summary)| {
                let (summary, track) = (summary.clone(), title(summary));
                Arc::new(SessionEntry { number, feed: Some(feed), summary, track })
            })
            .collect();
        self.add_rows(&sessions, history.ended_rows());
        let numbered = |lap: ReportedLap| ReportedLap { session: before + lap.session, ..lap };
        *self = std::mem::take(self).with_reported(history.reported_laps().map(numbered));
    }

    /// The laps of a recording, from its lap table.
    pub fn of_recording(recording: &Recording) -> Self {
        Self::of_facts(recording.facts())
    }

    /// The laps of a recording, from its facts.
    pub fn of_facts(facts: &Facts) -> Self {
        let info: Option<Info> = facts.get().ok().flatten();
        let table: LapTable = facts.get().ok().flatten().unwrap_or_default();
        let last: SessionSummary = facts.get().ok().flatten().unwrap_or_default();
        let feed = info.and_then(|info| Feed::from_id(&info.feed));
        Self::of_table(feed, &last, &table, &|summary| track_title(facts, summary))
    }

    /// The laps of a lap table. A session without a summary there gets `last`, the recording's.
    pub fn of_table(
        feed: Option<Feed>,
        last: &SessionSummary,
        table: &LapTable,
        title: &dyn Fn(&SessionSummary) -> Option<String>,
    ) -> Self {
        let count = table.laps.iter().map(|row| row.session + 1).max().unwrap_or_default();
        let session = |number: u16| {
            let summary = table.sessions.get(usize::from(number)).unwrap_or(last).clone();
            let track = title(&summary);
            Arc::new(SessionEntry { number, feed, summary, track })
        };
        let sessions: Vec<_> = (0..count).map(session).collect();
        let mut catalogue = Self::default();
        catalogue.add_rows(&sessions, table.laps.iter().cloned());
        catalogue.with_reported(table.reported.iter().copied())
    }

    fn add_rows(&mut self, sessions: &[Arc<SessionEntry>], rows: impl Iterator<Item = LapRow>) {
        let entry = |mut row: LapRow| {
            let session = Arc::clone(sessions.get(usize::from(row.session))?);
            // Older recordings left it unexplained.
            row.lap.explain_missing_time();
            Some(LapEntry {
                id: LapId { session: session.number, ..row.id() },
                lap: row.lap,
                driver: row.driver,
                model: row.model,
                player: row.player,
                received: Some(row.from..=row.to),
                session,
            })
        };
        self.laps.extend(rows.filter_map(entry));
        self.laps.sort_by_key(|entry| entry.id);
    }

    /// The catalogue with laps that the game reports. Each belongs to the driver of the car's next lap, else of its last.
    fn with_reported(mut self, laps: impl Iterator<Item = ReportedLap>) -> Self {
        let mut reported = laps.peekable();
        if reported.peek().is_none() {
            return self;
        }
        let mut received: Vec<&LapEntry> = self.laps.iter().collect();
        received.sort_by_key(|entry| order(entry));
        let entry = |lap: ReportedLap| {
            let place = (lap.session, lap.car, lap.run, lap.number);
            let next = received.partition_point(|entry| order(entry) < place);
            let of_car = |entry: &&&LapEntry| (entry.id.session, entry.id.car) == (lap.session, lap.car);
            let around = [Some(next), next.checked_sub(1)].into_iter().flatten();
            let seat = around.filter_map(|place| received.get(place)).find(of_car)?;
            Some(LapEntry {
                id: LapId { serial: 0, ..seat.id },
                lap: lap.lap(),
                received: None,
                session: Arc::clone(&seat.session),
                driver: seat.driver.clone(),
                model: seat.model.clone(),
                player: seat.player,
            })
        };
        let reported: Vec<LapEntry> = reported.filter_map(entry).collect();
        self.reported.extend(reported);
        self.reported.sort_by_key(order);
        self
    }

    /// All laps of which only the game's report is known.
    pub fn reported(&self) -> &[LapEntry] {
        &self.reported
    }

    /// Rows for a list of laps: the laps with those among them of which only the game's report is known. The laps are
    /// all of one or more seats, in order.
    pub fn listed<'a>(&'a self, laps: impl IntoIterator<Item = &'a LapEntry>) -> Vec<&'a LapEntry> {
        let laps: Vec<&LapEntry> = laps.into_iter().collect();
        if self.reported.is_empty() {
            return laps;
        }
        let seat = |entry: &'a LapEntry| (entry.id.session, entry.id.car, entry.driver.as_deref());
        let seats: BTreeSet<_> = laps.iter().map(|entry| seat(entry)).collect();
        let mut reported = self.reported.iter().filter(|entry| seats.contains(&seat(entry))).peekable();
        let mut rows = Vec::new();
        for lap in &laps {
            while let Some(before) = reported.next_if(|before| order(before) < order(lap)) {
                rows.push(before);
            }
            rows.push(*lap);
        }
        rows.extend(reported);
        rows
    }

    /// Drops laps under way.
    pub fn finished(mut self) -> Self {
        self.laps.retain(|entry| entry.lap.ended_s.is_some());
        self
    }

    /// All laps.
    pub fn laps(&self) -> &[LapEntry] {
        &self.laps
    }

    /// The lap with this id.
    pub fn get(&self, id: LapId) -> Option<&LapEntry> {
        let place = self.laps.binary_search_by_key(&id, |entry| entry.id).ok()?;
        self.laps.get(place)
    }

    /// Excludes a lap from bests, references and statistics, or includes it again.
    pub fn exclude(&mut self, id: LapId, excluded: bool) {
        let Ok(place) = self.laps.binary_search_by_key(&id, |entry| entry.id) else { return };
        if let Some(entry) = self.laps.get_mut(place) {
            entry.lap.exclude(excluded);
        }
    }

    /// Renames the track of a session.
    pub fn name_track(&mut self, session: u16, name: &str) {
        let laps = self.laps.iter_mut().filter(|entry| entry.id.session == session);
        let mut renamed: Option<Arc<SessionEntry>> = None;
        for entry in laps {
            let session = renamed.get_or_insert_with(|| {
                let track = Some(name.to_owned());
                Arc::new(SessionEntry { track, ..SessionEntry::clone(&entry.session) })
            });
            entry.session = Arc::clone(session);
        }
    }

    /// The seats of each session: the player's first, the others by driver name.
    pub fn seats(&self) -> Vec<Seat<'_>> {
        let mut seats: Vec<Seat<'_>> = Vec::new();
        for entry in &self.laps {
            match seats.iter_mut().find(|seat| seat.first.is_of_seat(entry)) {
                Some(seat) => seat.laps += 1,
                None => seats.push(Seat { first: entry, laps: 1 }),
            }
        }
        seats.sort_by_key(|seat| {
            let entry = seat.first;
            (entry.id.session, !entry.is_players_seat(), entry.driver_words(), entry.id.car)
        });
        seats
    }

    /// The laps of the same driver, car and session as this one, which is included.
    pub fn seat_laps<'a>(&'a self, of: &LapEntry) -> impl DoubleEndedIterator<Item = &'a LapEntry> {
        self.laps.iter().filter(move |entry| entry.is_of_seat(of))
    }

    /// The run of a lap, counted from 1, where the car had more than one.
    pub fn run(&self, of: &LapEntry) -> Option<u32> {
        let several = self.seat_laps(of).any(|entry| entry.lap.run > 0);
        several.then(|| u32::from(of.lap.run) + 1)
    }
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

/// The place of a lap in a list.
fn order(entry: &LapEntry) -> (u16, Car, u16, u16) {
    (entry.id.session, entry.id.car, entry.lap.run, entry.lap.number)
}

/// The game's name for a track, else the driver's.
fn title(summary: &SessionSummary) -> Option<String> {
    track_title(&Facts::default(), summary)
}

#[cfg(test)]
mod tests;
