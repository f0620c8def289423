//! The rows of lap lists.

use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::model::Car;
use trailbrake_shared::session::Bests;
use trailbrake_shared::time::LapTime;

use crate::text::figures::delta;

/// A lap in a list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) number: u16,
    pub(crate) time: Option<LapTime>,
    /// Whether the lap was inferred from its clock.
    pub(crate) inferred: bool,
    /// Why the lap is not counted, in a word that the list shows instead of the delta; empty if it counts.
    pub(crate) not_counted: String,
    /// Milliseconds behind the best lap.
    pub(crate) behind: Option<i64>,
    /// The rank of each sector, as the style sheet names it: `best`, `personal`, `slower` or `none`.
    pub(crate) sectors: Vec<&'static str>,
    /// The lap's serial in the decoded session; `None` if it is not decoded yet.
    pub(crate) serial: Option<u32>,
    /// Whether the driver chose it as the delta's reference.
    pub(crate) reference: bool,
    /// The address of the lap's beginning in the playing recording.
    pub(crate) address: Option<String>,
    /// Whether only the game's report is known of it.
    pub(crate) reported: bool,
}

/// Why a lap of which only the game's report is known can't be opened.
pub(crate) const WHY_REPORTED: &str =
    "Reported by the game: driven before Trailbrake was started, or missed. No telemetry.";

/// The times that all rows of a list are compared with.
pub(crate) struct Ranking<'a> {
    car: Car,
    /// The car's best lap.
    pub(crate) best: Option<LapTime>,
    /// The car's best sectors.
    own: [Option<LapTime>; 3],
    bests: &'a Bests,
    stage: bool,
}

impl Row {
    /// How it compares with the best lap, else why it does not count or can't be opened.
    pub(crate) fn comparison(&self) -> String {
        match self.behind {
            _ if !self.not_counted.is_empty() => self.not_counted.clone(),
            _ if self.reported => LapFlag::Reported.word().to_owned(),
            Some(0) => "best".to_owned(),
            Some(behind) => delta(behind),
            None => String::new(),
        }
    }
}

impl<'a> Ranking<'a> {
    /// The times to compare a car's laps with: the best of `laps`, and the session's `bests`.
    pub(crate) fn new(car: Car, laps: &mut dyn Iterator<Item = &Lap>, bests: &'a Bests, stage: bool) -> Self {
        let (mut best, mut own) = (None, [None; 3]);
        for lap in laps {
            let Some(time) = lap.counts() else { continue };
            faster(&mut best, time);
            for (own, time) in own.iter_mut().zip(lap.sectors) {
                time.into_iter().for_each(|time| faster(own, time));
            }
        }
        Self { car, best, own, bests, stage }
    }

    /// The row of a lap.
    pub(crate) fn row(&self, lap: &Lap) -> Row {
        Row {
            number: number(lap, self.stage),
            time: lap.time,
            inferred: lap.flags.has(LapFlag::Inferred),
            not_counted: why_not_counted(lap),
            behind: lap.time.zip(self.best).map(|(time, best)| time.minus(best)),
            sectors: (0..lap.sectors.len()).map(|sector| self.rank(lap, sector)).collect(),
            serial: None,
            reference: false,
            address: None,
            reported: lap.flags.has(LapFlag::Reported),
        }
    }

    /// The rank of a sector: the best of all cars, the car's own best, or slower.
    fn rank(&self, lap: &Lap, sector: usize) -> &'static str {
        let Some(time) = lap.sectors.get(sector).copied().flatten() else { return "none" };
        let counts = lap.counts().is_some();
        let holds = |best: &Option<(LapTime, Car)>| *best == Some((time, self.car));
        if counts && self.bests.sectors.get(sector).is_some_and(holds) {
            "best"
        } else if counts && self.own.get(sector).copied().flatten() == Some(time) {
            "personal"
        } else {
            "slower"
        }
    }
}

/// A lap's number. On a rally stage every lap is lap 1, so there it is the number of the run.
pub(crate) fn number(lap: &Lap, stage: bool) -> u16 {
    if stage { lap.run.saturating_add(1) } else { lap.number }
}

/// Lowers `best` to a faster time.
fn faster(best: &mut Option<LapTime>, time: LapTime) {
    if best.is_none_or(|best| time < best) {
        *best = Some(time);
    }
}

/// The first reason why a lap is not counted, in a word.
fn why_not_counted(lap: &Lap) -> String {
    if lap.counts().is_some() {
        return String::new();
    }
    let flags = [
        LapFlag::Excluded,
        LapFlag::Invalid,
        LapFlag::Rewound,
        LapFlag::Restarted,
        LapFlag::Out,
        LapFlag::In,
        LapFlag::Pit,
        LapFlag::Incomplete,
    ];
    let first = flags.into_iter().find(|flag| lap.flags.has(*flag));
    first.map_or_else(|| "no time".to_owned(), |flag| flag.word().to_owned())
}
