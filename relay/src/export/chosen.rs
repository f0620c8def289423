//! Which laps of a file are exported.

use std::io::Write;
use std::path::Path;

use anyhow::bail;
use trailbrake_shared::model::Car;

use crate::file;
use crate::laps::FileLap;
use crate::options::{Export, LapNames};

/// The laps that are asked for: of the session that is asked for, else of the last one that has some.
pub(super) fn choose(
    mut laps: Vec<FileLap>,
    request: &Export,
    notes: &mut dyn Write,
) -> anyhow::Result<Vec<FileLap>> {
    if laps.is_empty() {
        return Err(file::without_laps(&request.file, None));
    }
    let sessions = laps.iter().map(|lap| lap.row.session + 1).max().unwrap_or_default();
    let is_of_run = |lap: &FileLap| request.run.is_none_or(|run| lap.row.lap.run.checked_add(1) == Some(run));
    laps.retain(|lap| lap.is_of(request.car) && is_of_run(lap));
    let named = |lap: &FileLap| is_named(lap, &request.laps, &laps);
    let mut named: Vec<FileLap> = laps.iter().filter(|lap| named(lap)).cloned().collect();
    let session = match request.session {
        Some(number) => number.checked_sub(1).and_then(|number| u16::try_from(number).ok()),
        None => named.iter().map(|lap| lap.row.session).max(),
    };
    named.retain(|lap| Some(lap.row.session) == session);
    if named.is_empty() {
        return no_such_laps(&request.file);
    }
    if let (None, Some(session), true) = (request.session, session, sessions > 1) {
        writeln!(
            notes,
            "of {sessions} sessions in the file this is number {}; --session N takes another",
            session + 1
        )?;
    }
    Ok(named)
}

/// The answer where no lap is as asked for.
pub(super) fn no_such_laps<T>(file: &Path) -> anyhow::Result<T> {
    bail!("no such laps: `trailbrake laps --car all {}` lists what there is", file.display())
}

/// The answer where nothing but times and names was sent of the laps that are asked for.
pub(super) fn no_channels<T>(file: &Path) -> anyhow::Result<T> {
    bail!("{}: of these laps no channels were sent, only what is known of them", file.display())
}

fn is_named(lap: &FileLap, names: &[LapNames], all: &[FileLap]) -> bool {
    let number = lap.row.lap.number;
    let is = |name: &LapNames| match name {
        LapNames::Numbers(first, last) => (*first..=*last).contains(&number),
        LapNames::Best => best(all, lap.row.session, lap.row.car) == Some(lap.row.lap.serial),
    };
    names.is_empty() || names.iter().any(is)
}

/// The fastest of a car's laps in a session that count.
fn best(laps: &[FileLap], session: u16, car: Car) -> Option<u32> {
    let own = laps.iter().map(|lap| &lap.row).filter(|row| row.session == session && row.car == car);
    let counted = own.filter_map(|row| Some((row.lap.counts()?, row.lap.serial)));
    counted.min().map(|(_, serial)| serial)
}
