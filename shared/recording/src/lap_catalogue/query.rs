//! Lap queries: choosing laps from the catalogue.

use std::cmp::Reverse;
use std::str::FromStr;

use thiserror::Error;
use trailbrake_model::Car;
use trailbrake_session::LapId;

use super::LapEntry;

/// Which laps to choose. The default is all of the player's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LapQuery {
    /// The drivers.
    pub drivers: Drivers,
    /// Only this session, counted from 0.
    pub session: Option<u16>,
    /// Only this run of its session, counted from 0.
    pub run: Option<u16>,
    /// The chosen laps; all when empty.
    pub laps: Vec<LapChoice>,
    /// Laps to leave out.
    pub except: Vec<LapId>,
}

/// Whose laps to choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drivers {
    /// The player's; in sessions without a player everyone's.
    #[default]
    Player,
    /// One car's.
    Car(Car),
    /// Everyone's.
    Everyone,
}

/// Which laps of a driver to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LapChoice {
    /// A range of lap numbers, both ends included.
    Numbers(u16, u16),
    /// The fastest counted lap.
    Best,
}

/// Why a query found no lap.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoSuchLap {
    /// The driver has no lap at all.
    #[error("no lap of {0}")]
    OfDriver(String),
    /// The driver has none in the chosen session or run.
    #[error("{0} has no lap{1}")]
    There(String, String),
    /// The driver has no lap of this number.
    #[error("{0} has no lap {1}{2}")]
    Number(String, u16, String),
    /// Nothing of that lap was received but the game's report.
    #[error("nothing was received of lap {1} of {0}{2} but its times, which the game reports")]
    Reported(String, u16, String),
    /// None of the driver's laps is counted.
    #[error("no lap of {0}{1} counts, so there is no best one; choose a lap by its number")]
    NoneCounts(String, String),
}

impl LapQuery {
    /// Whether a lap is in the chosen session and run, and of a chosen driver.
    fn is_there(&self, entry: &LapEntry) -> bool {
        self.is_of_driver(entry)
            && self.session.is_none_or(|session| entry.id.session == session)
            && self.run.is_none_or(|run| entry.lap.run == run)
            && !self.except.contains(&entry.id)
    }

    fn is_of_driver(&self, entry: &LapEntry) -> bool {
        match self.drivers {
            Drivers::Player => entry.session.summary.player.is_none() || entry.is_players_seat(),
            Drivers::Car(car) => entry.id.car == car,
            Drivers::Everyone => true,
        }
    }
}

/// All laps that match a query. "Best" is the best of each driver in each session.
pub(super) fn select<'a>(laps: &'a [LapEntry], query: &LapQuery) -> Vec<&'a LapEntry> {
    let there = || laps.iter().filter(|entry| query.is_there(entry));
    let is_best = |entry: &LapEntry| {
        let own = there().filter(|other| other.is_of_seat(entry));
        best(own).is_some_and(|best| best.id == entry.id)
    };
    let is_chosen = |entry: &LapEntry| {
        let is = |choice: &LapChoice| match *choice {
            LapChoice::Numbers(first, last) => (first..=last).contains(&entry.lap.number),
            LapChoice::Best => is_best(entry),
        };
        query.laps.is_empty() || query.laps.iter().any(is)
    };
    there().filter(|entry| is_chosen(entry)).collect()
}

/// One lap that matches. Without a choice: the best lap of the last session that has one, else the last lap.
///
/// A number can match several laps, in several sessions and after a restart. Timed laps come first, then later
/// ones. If `beside` is given, laps of its session come first, then timed ones, then other laps before itself, then
/// those of its run.
pub(super) fn pick<'a>(
    laps: &'a [LapEntry],
    query: &LapQuery,
    beside: Option<&LapEntry>,
) -> Option<&'a LapEntry> {
    let there = || laps.iter().filter(|entry| query.is_there(entry));
    let is_other = |entry: &&LapEntry| beside.is_none_or(|beside| beside.id != entry.id);
    let best = || best_of_last_session(there().filter(is_other));
    match query.laps.first() {
        Some(&LapChoice::Numbers(first, last)) => {
            let numbered = there().filter(|entry| (first..=last).contains(&entry.lap.number));
            numbered.max_by_key(|entry| {
                let is_timed = entry.lap.time.is_some();
                let near = beside.map(|beside| {
                    let same_session = entry.id.session == beside.id.session;
                    (same_session, is_timed, entry.id != beside.id, entry.lap.run == beside.lap.run)
                });
                (near, is_timed, entry.id.session, entry.lap.serial)
            })
        }
        Some(LapChoice::Best) => best(),
        None => best().or_else(|| there().max_by_key(|entry| (entry.id.session, entry.lap.serial))),
    }
}

/// Why no lap matches a query. `reported` are laps of which only the game's report is known.
pub(super) fn why_none(laps: &[LapEntry], reported: &[LapEntry], query: &LapQuery) -> NoSuchLap {
    let whose = match query.drivers {
        Drivers::Player => "the player".to_owned(),
        Drivers::Car(Car(number)) => format!("car {number}"),
        Drivers::Everyone => "anybody".to_owned(),
    };
    let mut place = String::new();
    if let Some(session) = query.session {
        place.push_str(&format!(" in session {}", u32::from(session) + 1));
    }
    if let Some(run) = query.run {
        place.push_str(&format!(" in run {}", u32::from(run) + 1));
    }
    let is_any = |is: &dyn Fn(&LapEntry) -> bool| laps.iter().any(is);
    let is_reported = |first: u16, last: u16| {
        let mut there = reported.iter().filter(|entry| query.is_there(entry));
        there.any(|entry| (first..=last).contains(&entry.lap.number))
    };
    match query.laps.first() {
        _ if !is_any(&|entry| query.is_of_driver(entry)) => NoSuchLap::OfDriver(whose),
        _ if !is_any(&|entry| query.is_there(entry)) => NoSuchLap::There(whose, place),
        Some(&LapChoice::Numbers(first, last)) if is_reported(first, last) => {
            NoSuchLap::Reported(whose, first, place)
        }
        Some(&LapChoice::Numbers(first, _)) => NoSuchLap::Number(whose, first, place),
        Some(LapChoice::Best) | None => NoSuchLap::NoneCounts(whose, place),
    }
}

/// The fastest counted lap; of equal ones the first driven.
pub(super) fn best<'a>(laps: impl Iterator<Item = &'a LapEntry>) -> Option<&'a LapEntry> {
    let counted = laps.filter_map(|entry| Some((entry.lap.counts()?, entry)));
    counted.min_by_key(|(time, entry)| (*time, entry.id)).map(|(_, entry)| entry)
}

fn best_of_last_session<'a>(laps: impl Iterator<Item = &'a LapEntry>) -> Option<&'a LapEntry> {
    let counted = laps.filter_map(|entry| Some((entry.lap.counts()?, entry)));
    counted.min_by_key(|(time, entry)| (Reverse(entry.id.session), *time, entry.id)).map(|(_, entry)| entry)
}

impl FromStr for Drivers {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "player" => Ok(Self::Player),
            "all" => Ok(Self::Everyone),
            number => {
                number.parse().map(|car| Self::Car(Car(car))).map_err(|_| "player, all or a car's number")
            }
        }
    }
}

impl FromStr for LapChoice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "best" {
            return Ok(Self::Best);
        }
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let numbers = first.trim().parse().ok().zip(last.trim().parse().ok());
        let rising = numbers.filter(|(first, last): &(u16, u16)| first <= last);
        rising.map(|(first, last)| Self::Numbers(first, last)).ok_or("numbers such as 3 or 3-5, or best")
    }
}
