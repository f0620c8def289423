//! The laps of a file, with whose they are and when their packets came.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::Path;

use trailbrake_shared::model::{Car, Track};
use trailbrake_shared::recording::{LapRow, Recording, Told, track_title};
use trailbrake_shared::session::{Archive, ArchivedSession, ArchivedSource};

use crate::file;
use crate::options::{CarName, Cutting};

/// A lap of a file.
#[derive(Clone, Debug)]
pub(crate) struct FileLap {
    /// Who drove it.
    pub(crate) driver: String,
    /// Whether it is the player's.
    pub(crate) player: bool,
    /// What the track is called.
    pub(crate) track: Option<String>,
    /// The lap; its session is counted through the whole file.
    pub(crate) row: LapRow,
}

impl FileLap {
    /// Whether it is a lap of the car that is asked for.
    pub(crate) fn is_of(&self, car: CarName) -> bool {
        match car {
            CarName::Player => self.player,
            CarName::Car(number) => self.row.car == Car(number),
            CarName::All => true,
        }
    }
}

/// The laps of a file: of a recording those of its table, without decoding a packet. A file without any is an error.
pub(crate) fn laps_of(path: &Path, cutting: &Cutting, notes: &mut dyn Write) -> anyhow::Result<Vec<FileLap>> {
    let packets = file::open(path, cutting)?;
    if let Some(recording) = packets.recording().filter(|recording| !recording.laps_are_outdated()) {
        let laps = of_recording(recording);
        return if laps.is_empty() { Err(file::without_laps(path, None)) } else { Ok(laps) };
    }
    let archive = file::decoded(packets, notes)?;
    let laps = of_archive(&archive);
    if laps.is_empty() { Err(file::without_laps(path, Some(&archive))) } else { Ok(laps) }
}

/// The laps of all sessions of everything that a file holds.
pub(crate) fn of_archive(archive: &Archive) -> Vec<FileLap> {
    let sessions = archive.sources().iter().flat_map(ArchivedSource::sessions);
    (0..).zip(sessions).flat_map(|(nth, session)| of_session(nth, session)).collect()
}

/// The laps of a session, each car's in order.
pub(super) fn of_session(nth: u16, archived: &ArchivedSession) -> Vec<FileLap> {
    let session = &archived.session;
    let player = session.player().or(session.watched());
    let track = session.info().and_then(|info| info.track.as_ref()).map(Track::title);
    let mut found = Vec::new();
    for (car, state) in session.cars() {
        for lap in state.laps.finished().iter().chain(state.laps.current()) {
            let received = archived.received(car, lap.serial);
            let (from, to) = received.map(RangeInclusive::into_inner).unwrap_or_default();
            let row = LapRow { car, session: nth, from, to, lap: lap.clone() };
            let (driver, track) = (session.name(car), track.clone());
            found.push(FileLap { driver, player: player == Some(car), track, row });
        }
    }
    found
}

/// The laps of a recording, by its table.
pub(crate) fn of_recording(recording: &Recording) -> Vec<FileLap> {
    let told: Told = recording.facts().get().ok().flatten().unwrap_or_default();
    let rows = &recording.laps().laps;
    // Where the game names no player there is one car.
    let player = told.player.or_else(|| rows.first().map(|row| row.car));
    let name = |car: Car| {
        let known = told.participants.iter().find(|one| one.car == car).map(|one| one.name.trim().to_owned());
        known.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("Car {}", u16::from(car.0) + 1))
    };
    let track = track_title(recording.facts(), &told);
    let found = |row: &LapRow| FileLap {
        driver: name(row.car),
        player: player == Some(row.car),
        track: track.clone(),
        row: row.clone(),
    };
    rows.iter().map(found).collect()
}
