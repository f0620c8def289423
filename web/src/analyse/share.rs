//! Sharing the laps on screen: as a recording, or as a page that holds the viewer, too.

use std::rc::Rc;

use js_sys::{Array, JsString, Uint8Array};
use leptos::prelude::*;
use trailbrake_shared::export::single_file::{Enclosed, enclose};
use trailbrake_shared::number::count;
use trailbrake_shared::recording::notes::notes;
use trailbrake_shared::recording::{
    ENDING, LapRow, Note, OtherPeople, Reading, Recording, RecordingId, SessionSummary, Trim, track_title,
};
use web_sys::Blob;

use super::{Analyse, LapKey, SourceId};
use crate::browser;
use crate::http;
use crate::replay::Opened;

/// The viewer as one file, beside the page's other files.
const VIEWER: &str = "viewer.html";

/// What the laps are shared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SharedAs {
    /// A page that opens with nothing else.
    Page,
    /// A recording, for somebody who has Trailbrake.
    Recording,
}

/// The shared laps of one recording.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SharedLaps {
    pub(crate) of: RecordingId,
    pub(crate) laps: Vec<LapKey>,
}

/// A small recording of some laps.
struct Clip {
    name: String,
    bytes: Vec<u8>,
}

impl Analyse {
    /// The laps on screen, by recording, the main lap's first; and how many are in no recording.
    pub(crate) fn shared_laps(self) -> (Vec<SharedLaps>, usize) {
        let chosen: Vec<LapKey> = self.selection.with(|selection| selection.chosen.all().collect());
        let recorded: Vec<Option<LapKey>> =
            self.sources.with(|sources| chosen.iter().map(|key| sources.recorded(*key)).collect());
        let mut shared: Vec<SharedLaps> = Vec::new();
        let mut missing = 0;
        for key in recorded {
            let Some(LapKey { of: SourceId::Recording(of), id }) = key else {
                missing += 1;
                continue;
            };
            let lap = LapKey { of: SourceId::Recording(of), id };
            match shared.iter_mut().find(|shared| shared.of == of) {
                Some(shared) if shared.laps.contains(&lap) => {}
                Some(shared) => shared.laps.push(lap),
                None => shared.push(SharedLaps { of, laps: vec![lap] }),
            }
        }
        (shared, missing)
    }

    /// What a file with these laps holds of them, and of whom: a line each.
    pub(crate) async fn describe_share(self, laps: Vec<SharedLaps>) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        for shared in &laps {
            let opened = self.open_to_share(shared.of).await?;
            let recording = self.with_changes(shared.of, &opened);
            let rows = rows(&recording, shared);
            lines.extend(rows.iter().map(lap_words));
            lines.extend(track_and_car(&recording, &rows));
            lines.extend(note_words(&recording, &rows));
        }
        Ok(lines)
    }

    /// Saves these laps as a file. Returns what was saved, in words.
    pub(crate) async fn share(
        self,
        laps: Vec<SharedLaps>,
        shared_as: SharedAs,
        others: OtherPeople,
    ) -> Result<String, String> {
        let mut clips = Vec::new();
        for shared in &laps {
            let opened = self.open_to_share(shared.of).await?;
            clips.push(self.clip(shared, &opened, others).await?);
        }
        let refused = |_| "The browser does not save the file.".to_owned();
        if shared_as == SharedAs::Recording {
            for clip in &clips {
                let parts = Array::of1(&Uint8Array::from(clip.bytes.as_slice()));
                let blob = Blob::new_with_u8_array_sequence(&parts).map_err(refused)?;
                browser::save_file(&clip.name, &blob).map_err(refused)?;
            }
            let names: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
            return Ok(format!("Saved {}.", names.join(" and ")));
        }
        let viewer = http::page_file(VIEWER).await.map_err(|failed| failed.words())?;
        let enclosed: Vec<Enclosed<'_>> =
            clips.iter().map(|clip| Enclosed { name: &clip.name, bytes: &clip.bytes }).collect();
        let page = enclose(&viewer, &enclosed, &self.address());
        let page = page.ok_or("This page was built without its viewer.")?;
        let name = clips.first().map_or("laps", |clip| clip.name.strip_suffix(ENDING).unwrap_or(&clip.name));
        let name = format!("{name}.html");
        let blob = Blob::new_with_str_sequence(&Array::of1(&JsString::from(page))).map_err(refused)?;
        browser::save_file(&name, &blob).map_err(refused)?;
        Ok(format!("Saved {name}. It opens by double click."))
    }

    /// The recording as it is now.
    async fn open_to_share(self, id: RecordingId) -> Result<Rc<Opened>, String> {
        let opened = self.sources.with_untracked(|sources| {
            sources.get(SourceId::Recording(id)).and_then(|source| source.opened.clone())
        });
        match opened.filter(|opened| !opened.source.is_at_relay()) {
            Some(opened) => Ok(opened),
            None => Opened::at_relay(id).await.map(Rc::new),
        }
    }

    /// The recording with the notes that only the page has.
    fn with_changes(self, id: RecordingId, opened: &Opened) -> Recording {
        let recording = opened.recording.clone();
        match self.notes.with_untracked(|notes| notes.changes(id).cloned()) {
            Some(facts) => recording.with_facts(facts),
            None => recording,
        }
    }

    /// Cuts laps out of a recording.
    async fn clip(self, shared: &SharedLaps, opened: &Opened, others: OtherPeople) -> Result<Clip, String> {
        let recording = self.with_changes(shared.of, opened);
        let rows = rows(&recording, shared);
        if rows.len() < shared.laps.len() {
            return Err("A lap is not in its recording yet. Try again in a few seconds.".to_owned());
        }
        let mut trim = Trim::new(&recording, &rows, others, browser::new_id());
        let mut bytes = Vec::new();
        while let Some(range) = trim.needs() {
            let read = opened.source.bytes(range).await;
            trim.give(&read.map_err(|trouble| trouble.words())?);
            bytes.append(&mut trim.bytes());
        }
        if trim.is_empty() {
            return Err(
                "Nothing is left without other people: this game sends everybody in the same packets."
                    .to_owned(),
            );
        }
        bytes.append(&mut trim.finish());
        let whole = opened.source.name();
        let stem = whole.strip_suffix(ENDING).unwrap_or(&whole);
        let numbers: Vec<String> = rows.iter().map(|row| row.lap.number.to_string()).collect();
        Ok(Clip { name: format!("{stem}-laps-{}{ENDING}", numbers.join("-")), bytes })
    }
}

/// The shared laps in a recording's table.
fn rows(recording: &Recording, shared: &SharedLaps) -> Vec<LapRow> {
    let is_shared = |row: &&LapRow| shared.laps.iter().any(|key| key.id == row.id());
    recording.laps().laps.iter().filter(is_shared).cloned().collect()
}

fn lap_words(row: &LapRow) -> String {
    let number = format!("Lap {}", row.lap.number);
    let time = row.lap.time.map(|time| time.to_string());
    [Some(number), time, row.driver.clone()].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn track_and_car(recording: &Recording, rows: &[LapRow]) -> Option<String> {
    let facts = recording.facts();
    let summary: Option<SessionSummary> = facts.get().ok().flatten();
    let track = summary.as_ref().and_then(|summary| track_title(facts, summary));
    let sent = rows.iter().find_map(|row| row.model.clone());
    let car = sent.or_else(|| summary?.vehicle.and_then(|vehicle| vehicle.title()));
    let known: Vec<String> = [track, car].into_iter().flatten().collect();
    (!known.is_empty()).then(|| known.join(" · "))
}

/// The notes about the laps, with their authors.
fn note_words(recording: &Recording, rows: &[LapRow]) -> Option<String> {
    let is_shared = |note: &&Note| rows.iter().any(|row| (row.from..=row.to).contains(&note.at));
    let known = notes(recording.facts());
    let shared: Vec<&Note> = known.iter().filter(is_shared).collect();
    let mut authors: Vec<&str> = shared.iter().map(|note| note.author.as_str()).collect();
    authors.sort_unstable();
    authors.dedup();
    let number = count(shared.len(), "note", "notes");
    (!shared.is_empty()).then(|| format!("{number} by {}", authors.join(", ")))
}
