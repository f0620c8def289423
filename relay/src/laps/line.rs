//! One lap as a line.

use std::fmt;

use serde::Serialize;
use trailbrake_shared::laps::LapFlags;
use trailbrake_shared::model::Car;
use trailbrake_shared::time::LapTime;

use super::table::FileLap;

/// What is told of a lap.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LapLine {
    /// In which of the file's sessions, counted from 1.
    session: u32,
    car: Car,
    driver: String,
    /// Whether it is the player's.
    player: bool,
    /// What the track is called, where its game tells, or somebody has named it.
    #[serde(skip_serializing_if = "Option::is_none")]
    track: Option<String>,
    lap: u16,
    /// How often the session was begun, counted from 1.
    run: u32,
    /// Whether there are several, so that a number does not name a lap.
    #[serde(skip)]
    has_runs: bool,
    stint: u16,
    time_ms: Option<LapTime>,
    sectors_ms: [Option<LapTime>; 3],
    flags: LapFlags,
    /// Whether the file ends before the lap did.
    under_way: bool,
}

impl LapLine {
    /// What is told of laps of a file.
    pub(super) fn of(laps: &[FileLap]) -> impl Iterator<Item = Self> + '_ {
        let has_runs = laps.iter().any(|lap| lap.row.lap.run > 0);
        laps.iter().map(move |lap| Self::of_one(lap, has_runs))
    }

    fn of_one(FileLap { driver, player, track, row }: &FileLap, has_runs: bool) -> Self {
        let lap = &row.lap;
        Self {
            session: u32::from(row.session) + 1,
            car: row.car,
            driver: driver.clone(),
            player: *player,
            track: track.clone(),
            lap: lap.number,
            run: u32::from(lap.run) + 1,
            has_runs,
            stint: lap.stint,
            time_ms: lap.time,
            sectors_ms: lap.sectors,
            flags: lap.flags,
            under_way: lap.ended_s.is_none(),
        }
    }
}

/// Prints for people: `1  L. HAMILTON  lap 3  1:43.512  31.204 40.110 32.198  valid`; with the run behind the driver
/// where there are several.
impl fmt::Display for LapLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |time: Option<LapTime>| time.map_or_else(|| "-".to_owned(), |time| time.to_string());
        let [first, second, third] = self.sectors_ms.map(time);
        let Self { session, driver, lap, run, flags, .. } = self;
        let run = if self.has_runs { format!("run {run:<2} ") } else { String::new() };
        let under_way = if self.under_way { " (under way)" } else { "" };
        write!(
            f,
            "{session}  {driver:<20}  {run}lap {lap:<3} {:>9}  {first:>8} {second:>8} {third:>8}  {flags}{under_way}",
            time(self.time_ms)
        )
    }
}
