//! The laps of a file that are compared, decoded.

use std::path::Path;

use anyhow::bail;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::{Car, Columns};
use trailbrake_shared::session::{Archive, ArchivedSession, ArchivedSource};

use crate::file;
use crate::options::{Cutting, LapName};

/// No more laps of a stint than this are looked at besides the one that is asked for.
const MOST_OTHERS: usize = 12;

/// A lap with its channels, taken out of its file.
pub(super) struct Found {
    pub(super) lap: Lap,
    pub(super) columns: Columns,
    pub(super) driver: String,
    /// What the track is called, where the game tells.
    pub(super) track: Option<String>,
}

/// Which lap is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) lap: LapName,
    pub(super) car: Option<Car>,
    /// Of several sessions this one, counted from 1.
    pub(super) session: Option<u32>,
}

/// A file's sessions, decoded to the end.
pub(super) struct Laps {
    archive: Archive,
    name: String,
}

impl Laps {
    /// Decodes a file.
    pub(super) fn open(
        path: &Path,
        cutting: &Cutting,
        notes: &mut dyn std::io::Write,
    ) -> anyhow::Result<Self> {
        let mut archive = Archive::default();
        file::open(path, cutting)?.datagrams(notes, &mut |datagram| {
            // What is not understood has no laps; `trailbrake inspect` tells why.
            let _ = archive.take(datagram);
            Ok(())
        })?;
        Ok(Self { archive, name: path.display().to_string() })
    }

    /// The lap that is looked for, in the last session that has it.
    pub(super) fn find(&self, wanted: &Wanted) -> anyhow::Result<Found> {
        let found = self.sessions(wanted.session).rev().find_map(|archived| find(archived, wanted));
        let Some(found) = found else {
            bail!("no such lap: `trailbrake laps --car all {}` lists what there is", self.name);
        };
        Ok(found)
    }

    /// Other whole laps of the same car and stint, those driven last.
    pub(super) fn others(&self, wanted: &Wanted, than: &Lap) -> Vec<Found> {
        let sessions = self.sessions(wanted.session).rev();
        let mut holding =
            sessions.filter(|archived| find(archived, wanted).is_some_and(|found| found.lap == *than));
        let Some(archived) = holding.next() else { return Vec::new() };
        let others = laps(archived, wanted.car)
            .filter(|lap| lap.serial != than.serial && lap.stint == than.stint && lap.counts().is_some());
        let others: Vec<&Lap> = others.collect();
        let last = others.iter().rev().take(MOST_OTHERS);
        last.filter_map(|lap| taken(archived, wanted.car, lap)).collect()
    }

    fn sessions(&self, number: Option<u32>) -> impl DoubleEndedIterator<Item = &ArchivedSession> {
        let all: Vec<_> = self.archive.sources().iter().flat_map(ArchivedSource::sessions).collect();
        let meant = move |place: usize| number.is_none_or(|number| place + 1 == number as usize);
        all.into_iter().enumerate().filter(move |(place, _)| meant(*place)).map(|(_, session)| session)
    }
}

fn find(archived: &ArchivedSession, wanted: &Wanted) -> Option<Found> {
    let lap = match wanted.lap {
        LapName::Number(number) => laps(archived, wanted.car).filter(|lap| lap.number == number).last(),
        LapName::Best => {
            laps(archived, wanted.car).filter(|lap| lap.counts().is_some()).min_by_key(|lap| lap.time)
        }
    }?;
    taken(archived, wanted.car, lap)
}

fn laps(archived: &ArchivedSession, car: Option<Car>) -> impl Iterator<Item = &Lap> {
    let state = meant(archived, car).and_then(|car| archived.session.car(car));
    state.into_iter().flat_map(|state| state.laps.finished().iter().chain(state.laps.current()))
}

fn meant(archived: &ArchivedSession, car: Option<Car>) -> Option<Car> {
    car.or(archived.session.player()).or(archived.session.watched())
}

fn taken(archived: &ArchivedSession, car: Option<Car>, lap: &Lap) -> Option<Found> {
    let session = &archived.session;
    let car = meant(archived, car)?;
    let columns = session.car(car)?.traces.lap(lap.serial).filter(|columns| !columns.is_empty())?;
    let track = session.info().and_then(|info| info.track.as_ref());
    let track = track.map(|track| track.name.clone().unwrap_or_else(|| format!("Track {}", track.id)));
    Some(Found { lap: lap.clone(), columns: columns.clone(), driver: session.name(car), track })
}
