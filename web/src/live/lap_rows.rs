//! The rows of Live's lap list: the laps of the live session, or of a playing recording.

use trailbrake_shared::laps::Lap;
use trailbrake_shared::session::Session;
use trailbrake_shared::time::LapTime;

use crate::laps::{Ranking, Row};
use crate::replay::Replay;

/// The maximum number of listed laps of the live session. Recordings list all their laps.
const LISTED: usize = 60;

/// The laps of a car, the latest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LapRows {
    pub(super) rows: Vec<Row>,
    pub(super) best: Option<LapTime>,
}

/// The watched car's finished laps in a session.
pub(super) fn of_session(session: &Session) -> LapRows {
    let Some((car, state)) = session.watched().and_then(|car| Some((car, session.car(car)?))) else {
        return LapRows::default();
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
    LapRows { rows: laps.iter().rev().take(LISTED).map(row).collect(), best: ranking.best }
}

/// All finished laps of the shown car in a recording, played or not; `None` if there are none.
pub(super) fn of_recording(replay: &Replay, session: Option<&Session>) -> Option<LapRows> {
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
    (!rows.is_empty()).then_some(LapRows { rows, best: ranking.best })
}
