//! The channels of the chosen laps: of a recording, only their own blocks are unpacked and decoded.

use std::io::{Read, Seek, Write};

use anyhow::Context;
use trailbrake_shared::export::{About, DrivenLap, Picked, Whose, driven_laps};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::Car;
use trailbrake_shared::recording::{DecodedLap, Reading, Recording, Told};
use trailbrake_shared::session::ArchivedSource;

use super::chosen::{choose, no_channels, no_such_laps};
use crate::file::{self, Packets, Progress};
use crate::laps::{FileLap, of_archive, of_recording};
use crate::options::{CarName, Export};

/// What becomes of the laps.
type Take<'a> = &'a mut dyn FnMut(&[DrivenLap<'_>], &About) -> anyhow::Result<()>;

/// Hands over the laps that are asked for, with what is said of them together.
pub(super) fn with_laps(request: &Export, notes: &mut dyn Write, take: Take<'_>) -> anyhow::Result<()> {
    let packets = file::open(&request.file, &request.cutting)?;
    match packets.recording().is_some_and(|recording| !recording.laps_are_outdated()) {
        true => of_its_table(packets, request, notes, take),
        false => of_everything(packets, request, notes, take),
    }
}

/// Decodes the chosen laps of a recording, each by itself.
fn of_its_table(
    packets: Packets,
    request: &Export,
    notes: &mut dyn Write,
    take: Take<'_>,
) -> anyhow::Result<()> {
    let (mut file, recording) = packets.into_recording().context("no recording")?;
    let chosen = choose(of_recording(&recording), request, notes)?;
    let mut progress = Progress::new(chosen.len() as u64);
    let (mut decoded, mut blocks) = (Vec::new(), 0);
    for (nth, lap) in (0..).zip(&chosen) {
        progress.reached(nth);
        let found = decode(&mut file, &recording, lap, &mut blocks)?;
        decoded.extend(found.filter(|found| !found.columns.is_empty()).map(|found| (lap, found)));
    }
    drop(progress);
    if decoded.is_empty() {
        return no_channels(&request.file);
    }
    let all = recording.blocks();
    match decoded.len() {
        1 => writeln!(notes, "laps decoded: 1, by {blocks} of {all} blocks")?,
        // A block in which several laps are is unpacked for each of them.
        laps => writeln!(
            notes,
            "laps decoded: {laps}, each by its own blocks: {blocks} unpacked, of a recording of {all}"
        )?,
    }
    let laps: Vec<DrivenLap<'_>> = decoded.iter().map(|(lap, found)| driven(lap, found)).collect();
    take(&laps, &about(&recording, request.car))
}

fn decode(
    file: &mut (impl Read + Seek),
    recording: &Recording,
    lap: &FileLap,
    blocks: &mut u64,
) -> anyhow::Result<Option<DecodedLap>> {
    let mut reading = recording.lap(&lap.row);
    while file::step(file, &mut reading as &mut dyn Reading)? {}
    *blocks += reading.packets().blocks();
    Ok(reading.finish())
}

fn driven<'a>(lap: &FileLap, found: &'a DecodedLap) -> DrivenLap<'a> {
    DrivenLap {
        driver: lap.driver.clone(),
        car: found.car,
        lap: &found.lap,
        columns: &found.columns,
        received: lap.row.from,
    }
}

/// What a recording says of the car whose laps are exported.
fn about(recording: &Recording, whose: CarName) -> About {
    let told: Told = recording.facts().get().ok().flatten().unwrap_or_default();
    let car = match whose {
        CarName::Car(number) => Some(Car(number)),
        CarName::Player | CarName::All => told.player,
    };
    let game = Feed::from_id(&recording.info().feed).map(|feed| feed.info().game);
    let participant = told.participants.iter().find(|one| Some(one.car) == car);
    let vehicle = told.vehicle.as_ref().filter(|_| car == told.player);
    About::new(told.game.as_deref().or(game).unwrap_or_default(), told.info.as_ref(), participant, vehicle)
}

/// Decodes everything that a file holds: where its laps are is known only then.
fn of_everything(
    packets: Packets,
    request: &Export,
    notes: &mut dyn Write,
    take: Take<'_>,
) -> anyhow::Result<()> {
    let archive = file::decoded(packets, notes)?;
    let laps = of_archive(&archive);
    if laps.is_empty() {
        return Err(file::without_laps(&request.file, Some(&archive)));
    }
    let chosen = choose(laps, request, notes)?;
    let session = usize::from(chosen.first().map_or(0, |lap| lap.row.session));
    let all = archive.sources().iter();
    let mut all = all.flat_map(|source: &ArchivedSource| source.sessions().map(move |one| (source, one)));
    let Some((source, archived)) = all.nth(session) else { return no_such_laps(&request.file) };
    let car = match request.car {
        CarName::Car(number) => Some(Car(number)),
        CarName::Player | CarName::All => archived.session.player().or(archived.session.watched()),
    };
    let about = About::of(source.origin.feed, &archived.session, car.unwrap_or_default());
    let mut laps = driven_laps(archived, &Picked { whose: Whose::All, laps: Vec::new() });
    let is_chosen =
        |one: &FileLap, lap: &DrivenLap<'_>| (one.row.car, one.row.lap.serial) == (lap.car, lap.lap.serial);
    laps.retain(|lap| chosen.iter().any(|one| is_chosen(one, lap)));
    match laps.is_empty() {
        true => no_channels(&request.file),
        false => take(&laps, &about),
    }
}
