//! The rows of lap lists: the laps of the live session, of a playing recording, or compared laps.

use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::model::Car;
use trailbrake_shared::session::{Bests, Session};
use trailbrake_shared::time::LapTime;

use crate::figures::delta;
use crate::replay::Replay;

/// The maximum number of listed laps of the live session. Recordings list all their laps.
const LISTED: usize = 60;

/// The laps of a car, the latest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rows {
    pub(crate) rows: Vec<Row>,
    pub(crate) best: Option<LapTime>,
}

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

/// The watched car's finished laps in a session.
pub(crate) fn of_session(session: &Session) -> Rows {
    let Some((car, state)) = session.watched().and_then(|car| Some((car, session.car(car)?))) else {
        return Rows::default();
    };
    let reported: Vec<Lap> = session.reported_laps(car).collect();
    let mut laps: Vec<&Lap> = state.laps.finished().iter().chain(&reported).collect();
    if !reported.is_empty() {
        laps.sort_by_key(|lap| (lap.run, lap.number));
    }
    let ranking = Ranking::new(car, &mut laps.iter().copied(), session.bests(), session.is_stage());
    let reference = session.live_comparison().chosen();
    let row = |lap: &&Lap| {
        let row = ranking.row(lap);
        let serial = (!row.reported).then_some(lap.serial);
        Row { serial, reference: serial.is_some() && reference == serial, ..row }
    };
    Rows { rows: laps.iter().rev().take(LISTED).map(row).collect(), best: ranking.best }
}

/// All finished laps of the shown car in a recording, played or not; `None` if there are none.
pub(crate) fn of_recording(replay: &Replay, session: Option<&Session>) -> Option<Rows> {
    let car = session.and_then(Session::watched).or(replay.driver())?;
    let stage = session.is_some_and(Session::is_stage);
    let listed = replay.listed(Some(car));
    let laps = || listed.iter().filter(|entry| entry.lap.ended_s.is_some());
    let ranking = Ranking::new(car, &mut laps().map(|entry| &entry.lap), replay.bests(), stage);
    let decoded = session.and_then(|session| session.car(car)).map(|state| state.laps.finished());
    let reference = session.and_then(|session| session.live_comparison().chosen());
    let mut rows: Vec<Row> = laps()
        .map(|entry| {
            let lap = &entry.lap;
            // Serials differ: the session counts laps from where playback began, and may have only a part of the first
            // lap.
            let what = |lap: &Lap| (lap.number, lap.run, lap.time, lap.counts());
            let same = |known: &&Lap| what(known) == what(lap);
            let serial = decoded.and_then(|laps| laps.iter().find(same)).map(|known| known.serial);
            Row {
                serial,
                reference: serial.is_some() && reference == serial,
                address: (!entry.is_reported()).then(|| replay.lap_link(entry.id).to_string()),
                ..ranking.row(lap)
            }
        })
        .collect();
    rows.reverse();
    (!rows.is_empty()).then_some(Rows { rows, best: ranking.best })
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
