//! One lap as a line.

use std::fmt;

use serde::Serialize;
use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry};
use trailbrake_shared::laps::LapFlags;
use trailbrake_shared::model::{Car, SectorTimes};
use trailbrake_shared::time::LapTime;

/// A lap as printed.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LapLine {
    /// Its session in the file, counted from 1.
    session: u32,
    car: Car,
    driver: String,
    /// Whether the player drove it.
    player: bool,
    /// Name of the track, from the game or the recording.
    #[serde(skip_serializing_if = "Option::is_none")]
    track: Option<String>,
    lap: u16,
    /// Its run, counted from 1: how often the session was started.
    run: u32,
    /// Whether there are several runs, so that a lap number is ambiguous.
    #[serde(skip)]
    has_runs: bool,
    /// `None` for a lap of which only the game's report is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    stint: Option<u16>,
    time_ms: Option<LapTime>,
    sectors_ms: SectorTimes,
    /// Columns of sectors: as many as any lap has.
    #[serde(skip)]
    sector_columns: usize,
    flags: LapFlags,
    /// Whether it is still being driven.
    under_way: bool,
}

impl LapLine {
    /// Lines for laps of a file.
    pub(super) fn of<'a>(laps: &'a [&'a LapEntry]) -> impl Iterator<Item = Self> + 'a {
        let has_runs = laps.iter().any(|entry| entry.lap.run > 0);
        let sectors = sector_columns(laps);
        laps.iter().map(move |entry| Self::of_one(entry, has_runs, sectors))
    }

    /// Lines for all laps of a session.
    pub(super) fn of_session(catalogue: &LapCatalogue, session: u16) -> Vec<Self> {
        let laps = catalogue.laps().iter().filter(|entry| entry.id.session == session);
        Self::of(&catalogue.listed(laps)).collect()
    }

    fn of_one(entry: &LapEntry, has_runs: bool, sector_columns: usize) -> Self {
        let lap = &entry.lap;
        Self {
            session: u32::from(entry.id.session) + 1,
            car: entry.id.car,
            driver: entry.driver_words(),
            player: entry.is_player(),
            track: entry.session.track.clone(),
            lap: lap.number,
            run: u32::from(lap.run) + 1,
            has_runs,
            stint: (!entry.is_reported()).then_some(lap.stint),
            time_ms: lap.time,
            sectors_ms: lap.sectors,
            sector_columns,
            flags: lap.flags,
            under_way: lap.ended_s.is_none(),
        }
    }

    /// The headings of the columns.
    pub(super) fn heading(laps: &[&LapEntry]) -> String {
        let run = if laps.iter().any(|entry| entry.lap.run > 0) { "run    " } else { "" };
        let sectors: Vec<String> =
            (1..=sector_columns(laps)).map(|sector| format!("{:>8}", format!("S{sector}"))).collect();
        format!(
            "{:<7}  {:<20}  {run}{:<7} {:>9}  {}  flags",
            "session",
            "driver",
            "lap",
            "time",
            sectors.join(" ")
        )
    }
}

/// As many columns as the lap with the most sectors needs.
fn sector_columns(laps: &[&LapEntry]) -> usize {
    laps.iter().map(|entry| entry.lap.sectors.len()).max().unwrap_or_default()
}

/// Prints for people: `1  L. HAMILTON  lap 3  1:43.512  31.204 40.110 32.198  valid`, with the run after the driver
/// where there are several.
impl fmt::Display for LapLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |time: Option<LapTime>| time.map_or_else(|| "-".to_owned(), |time| time.to_string());
        let sectors = self.sectors_ms.into_iter().chain(std::iter::repeat(None)).take(self.sector_columns);
        let sectors: Vec<String> = sectors.map(|sector| format!("{:>8}", time(sector))).collect();
        let Self { session, driver, lap, run, flags, .. } = self;
        let run = if self.has_runs { format!("run {run:<2} ") } else { String::new() };
        let under_way = if self.under_way { " (under way)" } else { "" };
        write!(
            f,
            "{session:<7}  {driver:<20}  {run}lap {lap:<3} {:>9}  {}  {flags}{under_way}",
            time(self.time_ms),
            sectors.join(" ")
        )
    }
}
