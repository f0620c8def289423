//! Where laps come from: the session that is driven, or a recording.

use std::rc::Rc;

use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::{Car, Columns, SessionKind};
use trailbrake_shared::recording::{Entry, LapRow, Reading, RecordingId, Told, track_title};
use trailbrake_shared::session::Session;

use super::Key;
use crate::browser;
use crate::cockpit::Cockpit;
use crate::library::{date, game};
use crate::replay::{Opened, Trouble};

/// By what an origin is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// What is driven now, or the demo.
    Live,
    /// A recording.
    Recording(RecordingId),
}

/// Laps that can be had.
pub(crate) struct Origin {
    pub(crate) name: Name,
    /// Where they were driven, or the file.
    pub(crate) title: String,
    /// In what, by whom, and when.
    pub(crate) about: String,
    /// Whether each is a run of a rally stage.
    pub(crate) stage: bool,
    /// Whose they are.
    pub(crate) car: Option<Car>,
    pub(crate) laps: Vec<Known>,
    /// The recording; what is driven now is asked of the session.
    pub(crate) opened: Option<Rc<Opened>>,
}

/// A lap, before it is decoded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Known {
    pub(crate) key: Key,
    pub(crate) lap: Lap,
    /// The row of the recording's table.
    row: Option<LapRow>,
}

impl Origin {
    /// What a session knows of the car that is watched; `None` before a car has driven a lap.
    pub(crate) fn of_session(session: &Session, game: &str) -> Option<Self> {
        let car = session.watched()?;
        let state = session.car(car)?;
        let laps = state.laps.finished().iter().map(|lap| Known {
            key: Key { of: Name::Live, session: 0, car, serial: lap.serial },
            lap: lap.clone(),
            row: None,
        });
        let laps: Vec<Known> = laps.collect();
        let track = session.info().and_then(|info| info.track.as_ref());
        let named = track.map(|track| track.name.clone().unwrap_or_else(|| track.id.clone()));
        let print = session.track_print().map(|print| print.name.clone()).filter(|name| !name.is_empty());
        let name = session.name(car);
        (!laps.is_empty()).then(|| Self {
            name: Name::Live,
            title: named.or(print).unwrap_or_else(|| "Track without a name".to_owned()),
            about: joined(&[
                Some(session.game().unwrap_or(game).to_owned()),
                Some(name),
                Some("now".to_owned()),
            ]),
            stage: session.is_stage(),
            car: Some(car),
            laps,
            opened: None,
        })
    }

    /// The laps of the driver of a recording.
    pub(crate) fn of_recording(opened: Rc<Opened>) -> Self {
        let Opened { recording, source, .. } = opened.as_ref();
        let id = recording.info().id;
        let told: Told = recording.facts().get().ok().flatten().unwrap_or_default();
        let car = told.player.or(recording.laps().laps.first().map(|row| row.car));
        let rows = recording.laps().laps.iter();
        let own = rows.filter(|row| Some(row.car) == car && row.lap.ended_s.is_some());
        let laps = own.map(|row| Known {
            key: Key { of: Name::Recording(id), session: row.session, car: row.car, serial: row.lap.serial },
            lap: row.lap.clone(),
            row: Some(row.clone()),
        });
        let created = recording.info().created;
        let stage = told.info.as_ref().is_some_and(|info| info.kind == SessionKind::Stage);
        Self {
            name: Name::Recording(id),
            title: track_title(recording.facts(), &told).unwrap_or_else(|| stem(&source.name()).to_owned()),
            about: joined(&[
                game(&Entry::of_recording("", 0, recording)),
                told.car_word().or(told.driver_word()).map(str::to_owned),
                Some(date(created, browser::minutes_west(created))),
            ]),
            stage,
            car,
            laps: laps.collect(),
            opened: Some(opened),
        }
    }

    /// A lap that it has.
    pub(crate) fn lap(&self, key: Key) -> Option<&Known> {
        self.laps.iter().find(|known| known.key == key)
    }
}

/// The channels of a lap of the session that is driven, as long as it keeps them.
pub(crate) fn driven_now(cockpit: Cockpit, key: Key) -> Option<Columns> {
    cockpit.look(|telemetry| telemetry.session()?.car(key.car)?.traces.lap(key.serial).cloned())
}

/// Reads a lap out of a recording, and nothing else.
pub(crate) async fn read(opened: Rc<Opened>, known: Known) -> Result<(Lap, Columns), Trouble> {
    let gone = || Trouble::Gone(format!("Lap {} is not whole in the recording.", known.lap.number));
    let row = known.row.as_ref().ok_or_else(gone)?;
    let mut reading = opened.recording.lap(row);
    while let Some(range) = reading.needs() {
        reading.give(&opened.source.bytes(range).await?);
    }
    let mut decoded = reading.finish().ok_or_else(gone)?;
    // The table heard of the lap's time even where it was told long after the line.
    decoded.lap.time = known.lap.time.or(decoded.lap.time);
    Ok((decoded.lap, decoded.columns))
}

/// A file's name without what says only that it is a recording.
fn stem(file: &str) -> &str {
    file.strip_suffix(".trailbrake.mcap").or(file.strip_suffix(".mcap")).unwrap_or(file)
}

fn joined(words: &[Option<String>]) -> String {
    let words: Vec<&str> =
        words.iter().flatten().map(String::as_str).filter(|word| !word.is_empty()).collect();
    words.join(" · ")
}
