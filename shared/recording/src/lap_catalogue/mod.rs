//! The catalogue of laps: which there are, which is best and which belong together.
//!
//! The laps of a live session, a recording or a decoded file become a [`LapCatalogue`]. The command line, the library,
//! the page and the report all choose laps through it, so they cannot disagree.
//!
//! - [`LapCatalogue::select`], [`LapCatalogue::pick`]: laps by a [`LapQuery`].
//! - [`LapCatalogue::best_reference`]: the reference for a lap.
//! - [`LapCatalogue::stint`]: the other counted laps of its stint.
//! - [`LapCatalogue::listed`]: rows for a list of laps, with those of which only the game's report is known.

mod entry;
mod query;
mod reference;

use std::collections::BTreeSet;
use std::sync::Arc;

use trailbrake_games::feed::Feed;
use trailbrake_model::Car;
use trailbrake_session::{
    Archive, LapHistory, LapId, LapRow, ReportedLap, Session, SessionSummary, car_words,
};

use crate::{Facts, Info, LapTable, Recording, track_title};

pub use entry::{LapEntry, SessionEntry};
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
        let summary = live.summary();
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

    /// All laps that match. "Best" is the best of each driver in each session.
    pub fn select(&self, query: &LapQuery) -> Vec<&LapEntry> {
        query::select(&self.laps, query)
    }

    /// One lap that matches. Without a choice: the best lap of the last session that has one, else the last lap.
    ///
    /// A number can match several laps, in several sessions and after a restart. Timed laps come first, then later
    /// ones. If `beside` is given, laps of its session come first, then timed ones, then other laps before itself, then
    /// those of its run.
    pub fn pick(&self, query: &LapQuery, beside: Option<&LapEntry>) -> Result<&LapEntry, NoSuchLap> {
        let found = query::pick(&self.laps, query, beside);
        found.ok_or_else(|| query::why_none(&self.laps, &self.reported, query))
    }

    /// The best reference for a lap, optionally of one car only. Never the lap itself.
    pub fn best_reference(&self, of: &LapEntry, car: Option<Car>) -> Option<(&LapEntry, Nearness)> {
        reference::best_reference(&self.laps, of, car)
    }

    /// The other counted laps of a lap's stint, in driving order. Of a stint longer than [`MOST_STINT_LAPS`] the nearest.
    pub fn stint(&self, of: &LapEntry) -> Vec<&LapEntry> {
        reference::stint(&self.laps, of)
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
