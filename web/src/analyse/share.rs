//! Shares the laps on screen as a recording, or as a page that contains the viewer with them.

use std::collections::BTreeSet;
use std::rc::Rc;

use js_sys::{Array, JsString, Uint8Array};
use leptos::prelude::*;
use trailbrake_shared::export::single_file::{Enclosed, enclose, enclosed_bytes};
use trailbrake_shared::number::count;
use trailbrake_shared::recording::notes::notes;
use trailbrake_shared::recording::tasks::tasks;
use trailbrake_shared::recording::{
    ClipSize, ENDING, LapRow, Note, OtherCars, Reading, Recording, RecordingId, SessionSummary, Trim,
    track_title,
};
use web_sys::Blob;

use super::address::AddressStore;
use super::{BookStore, ComparisonStore, LapKey, SelectionStore, SourceId, Sources};
use crate::browser;
use crate::http;
use crate::jobs::RunningJob;
use crate::reactive::LocalSignal;
use crate::replay::Opened;

/// The single-file viewer, in the folder of the page's other files.
const VIEWER: &str = "viewer.html";
/// The most laps that are listed one by one, in the dialog and in a file's name.
const MOST_NUMBERS: usize = 6;
/// The number of a stint's best laps that are shared: more than a coach needs as a baseline.
const BEST_LAPS: usize = 5;

/// The form in which laps are shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SharedAs {
    /// A page that any browser opens, offline.
    Page,
    /// A recording, for somebody who has Trailbrake.
    Recording,
}

/// Which laps are shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SharedPart {
    /// The main lap alone.
    Main,
    /// The laps on screen.
    Screen,
    /// The laps on screen, and of the main lap's stint the fastest, five in all.
    Best,
    /// The laps on screen and the rest of the main lap's stint, which a coach needs for tasks and advice.
    Stint,
}

/// The laps to share.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Shareable {
    /// By recording, the main lap's first.
    pub(crate) laps: Vec<SharedLaps>,
    /// The number of laps that are in no recording.
    pub(crate) missing: usize,
}

impl Shareable {
    /// The number of laps that can be shared.
    pub(crate) fn count(&self) -> usize {
        self.laps.iter().map(|shared| shared.laps.len()).sum()
    }
}

/// The shared laps of one recording.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SharedLaps {
    pub(crate) of: RecordingId,
    pub(crate) laps: Vec<LapKey>,
}

/// How large shared laps will be, before they are cut.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ShareSizes {
    /// The estimates for the recordings; `None` where nothing would be left.
    clips: Vec<[Option<u64>; OTHERS.len()]>,
    /// The size of the viewer; `None` without one.
    viewer: Option<u64>,
}

/// The choices that sizes are estimated for.
const OTHERS: [OtherCars; 3] = [OtherCars::LeftOut, OtherCars::Nameless, OtherCars::Kept];

impl ShareSizes {
    /// Those of one recording, without a viewer.
    #[cfg(test)]
    pub(crate) fn of_one(clip: [Option<u64>; OTHERS.len()]) -> Self {
        Self { clips: vec![clip], viewer: None }
    }

    /// About how many bytes the files will have; `None` if something would be missing.
    pub(crate) fn bytes(&self, shared_as: SharedAs, others: OtherCars) -> Option<u64> {
        let of_clip = |sizes: &[Option<u64>; OTHERS.len()]| {
            OTHERS.iter().zip(sizes).find_map(|(choice, bytes)| bytes.filter(|_| *choice == others))
        };
        let clips = self.clips.iter().map(of_clip);
        match shared_as {
            SharedAs::Recording => clips.sum(),
            SharedAs::Page => {
                Some(self.viewer? + clips.map(|bytes| bytes.map(enclosed_bytes)).sum::<Option<u64>>()?)
            }
        }
    }
}

/// A small recording of some laps.
struct Clip {
    name: String,
    bytes: Vec<u8>,
}

/// Shares the laps on screen. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct ShareStore {
    sources: LocalSignal<Sources>,
    selection: SelectionStore,
    comparison: ComparisonStore,
    books: BookStore,
    address: AddressStore,
}

impl ShareStore {
    pub(super) fn new(
        sources: LocalSignal<Sources>,
        selection: SelectionStore,
        comparison: ComparisonStore,
        books: BookStore,
        address: AddressStore,
    ) -> Self {
        Self { sources, selection, comparison, books, address }
    }

    /// The laps of a part, grouped by recording.
    pub(crate) fn shareable(self, part: SharedPart) -> Shareable {
        let mut chosen = self.selection.state.with(|selection| selection.chosen.all().collect::<Vec<_>>());
        let mut stint = match part {
            SharedPart::Main | SharedPart::Screen => Vec::new(),
            SharedPart::Best | SharedPart::Stint => {
                self.comparison.shown().map(|shown| shown.pair.stint.clone()).unwrap_or_default()
            }
        };
        match part {
            SharedPart::Main => chosen.truncate(1),
            SharedPart::Best => {
                stint.retain(|key| !chosen.contains(key));
                let time = |sources: &Sources, key: &LapKey| Some(sources.entry(*key)?.1.lap.counts()?.0);
                self.sources.with(|sources| stint.sort_by_key(|key| time(sources, key).unwrap_or(u32::MAX)));
                stint.truncate(BEST_LAPS.saturating_sub(chosen.len()));
            }
            SharedPart::Screen | SharedPart::Stint => {}
        }
        let recorded: Vec<Option<LapKey>> = self
            .sources
            .with(|sources| chosen.into_iter().chain(stint).map(|key| sources.recorded(key)).collect());
        let Shareable { laps: mut shared, mut missing } = Shareable::default();
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
        Shareable { laps: shared, missing }
    }

    /// Describes a file with these laps, line by line: laps, track and car, notes, tasks.
    pub(crate) async fn describe(self, laps: Vec<SharedLaps>) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        for shared in &laps {
            let opened = self.open_to_share(shared.of).await?;
            let recording = self.with_changes(shared.of, &opened);
            let rows = rows(&recording, shared);
            lines.extend(lap_lines(&rows));
            lines.extend(track_and_car(&recording, &rows));
            lines.extend(note_words(&recording, &rows));
            lines.extend(task_words(&recording));
        }
        Ok(lines)
    }

    /// Estimates the sizes of files with these laps. `before` are those of other laps, with the same viewer.
    pub(crate) async fn sizes(
        self,
        laps: Vec<SharedLaps>,
        before: Option<ShareSizes>,
    ) -> Result<ShareSizes, String> {
        let mut sizes = ShareSizes { viewer: before.and_then(|before| before.viewer), clips: Vec::new() };
        for shared in &laps {
            let opened = self.open_to_share(shared.of).await?;
            let recording = self.with_changes(shared.of, &opened);
            let mut size = ClipSize::new(&recording, &rows(&recording, shared));
            while let Some(range) = size.needs() {
                size.give(&opened.bytes(range).await.map_err(|trouble| trouble.words())?);
            }
            sizes.clips.push(OTHERS.map(|others| size.bytes(others)));
        }
        if sizes.viewer.is_none() && !browser::is_single_file() {
            // Without a viewer, laps can still be shared as a recording.
            sizes.viewer = http::page_file(VIEWER).await.ok().map(|viewer| viewer.len() as u64);
        }
        Ok(sizes)
    }

    /// Saves these laps as a file, or as one for each recording. Returns the message about it, which is empty if the
    /// job was cancelled.
    pub(crate) async fn share(
        self,
        laps: Vec<SharedLaps>,
        shared_as: SharedAs,
        others: OtherCars,
        job: RunningJob,
    ) -> Result<String, String> {
        let mut clips = Vec::new();
        for (place, shared) in laps.iter().enumerate() {
            let opened = self.open_to_share(shared.of).await?;
            let reached = |share: f64| job.reached((place as f64 + share) / laps.len() as f64);
            match self.clip(shared, &opened, others, &reached).await? {
                Some(clip) => clips.push(clip),
                None => return Ok(String::new()),
            }
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
        let page = enclose(&viewer, &enclosed, &self.address.address());
        let page = page.ok_or("This page was built without its viewer.")?;
        let name = clips.first().map_or("laps", |clip| clip.name.strip_suffix(ENDING).unwrap_or(&clip.name));
        let name = format!("{name}.html");
        let blob = Blob::new_with_str_sequence(&Array::of1(&JsString::from(page))).map_err(refused)?;
        browser::save_file(&name, &blob).map_err(refused)?;
        Ok(format!("Saved {name}. It opens by double click."))
    }

    /// The recording as it is now: at the relay it may have grown, so it is opened again.
    async fn open_to_share(self, id: RecordingId) -> Result<Rc<Opened>, String> {
        let opened = self.sources.with_untracked(|sources| {
            sources.get(SourceId::Recording(id)).and_then(|source| source.opened.clone())
        });
        match opened.filter(|opened| !opened.source.is_at_relay()) {
            Some(opened) => Ok(opened),
            None => Opened::at_relay(id).await.map(Rc::new),
        }
    }

    /// The recording with the changes of notes that only the page has.
    fn with_changes(self, id: RecordingId, opened: &Opened) -> Recording {
        let recording = opened.recording.clone();
        match self.books.state.with_untracked(|books| books.changes(id).cloned()) {
            Some(facts) => recording.with_facts(facts),
            None => recording,
        }
    }

    /// Cuts laps out of a recording. `go_on` receives the completed fraction; once it returns false, the result is
    /// `None`.
    async fn clip(
        self,
        shared: &SharedLaps,
        opened: &Opened,
        others: OtherCars,
        go_on: &dyn Fn(f64) -> bool,
    ) -> Result<Option<Clip>, String> {
        let recording = self.with_changes(shared.of, opened);
        let rows = rows(&recording, shared);
        if rows.len() < shared.laps.len() {
            return Err("A lap is not in its recording yet. Try again in a few seconds.".to_owned());
        }
        let mut trim = Trim::new(&recording, &rows, others, browser::new_id());
        let mut bytes = Vec::new();
        let total = trim.bytes_left().max(1) as f64;
        while let Some(range) = trim.needs() {
            if !go_on(1.0 - trim.bytes_left() as f64 / total) {
                return Ok(None);
            }
            let read = opened.bytes(range).await;
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
        let file = opened.source.name();
        let stem = file.strip_suffix(ENDING).unwrap_or(&file);
        Ok(Some(Clip { name: format!("{stem}-laps-{}{ENDING}", lap_numbers(&rows)), bytes }))
    }
}

/// The rows of the shared laps in a recording's lap table.
fn rows(recording: &Recording, shared: &SharedLaps) -> Vec<LapRow> {
    let is_shared = |row: &&LapRow| shared.laps.iter().any(|key| key.id == row.id());
    recording.laps().laps.iter().filter(is_shared).cloned().collect()
}

/// Lap numbers for a file's name: `2-3`, or `2-to-14` if there are many.
fn lap_numbers(rows: &[LapRow]) -> String {
    let numbers: Vec<u16> = rows.iter().map(|row| row.lap.number).collect();
    match numbers.as_slice() {
        [first, .., last] if numbers.len() > MOST_NUMBERS => format!("{first}-to-{last}"),
        _ => numbers.iter().map(u16::to_string).collect::<Vec<_>>().join("-"),
    }
}

/// A line for each lap, or one for each driver if there are many laps.
fn lap_lines(rows: &[LapRow]) -> Vec<String> {
    if rows.len() <= MOST_NUMBERS {
        return rows.iter().map(lap_words).collect();
    }
    let drivers: BTreeSet<Option<&str>> = rows.iter().map(|row| row.driver.as_deref()).collect();
    let line = |driver: Option<&str>| {
        let own = || rows.iter().filter(|row| row.driver.as_deref() == driver);
        let laps = Some(count(own().count(), "lap", "laps"));
        let best = own().filter_map(|row| row.lap.time).min().map(|time| format!("best {time}"));
        [laps, best, driver.map(str::to_owned)].into_iter().flatten().collect::<Vec<_>>().join(" · ")
    };
    drivers.into_iter().map(line).collect()
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
    let authors = known.iter().filter(is_shared).map(|note| note.author.as_str());
    by_authors(authors.collect(), ["note", "notes"])
}

/// The tasks in the recording, with their authors.
fn task_words(recording: &Recording) -> Option<String> {
    let known = tasks(recording.facts());
    by_authors(known.iter().map(|task| task.brief.author.as_str()).collect(), ["task", "tasks"])
}

/// Counts items by their authors: `2 notes by Ann, Bob`. `authors` has one entry for each item. `None` without items.
fn by_authors(mut authors: Vec<&str>, [one, many]: [&str; 2]) -> Option<String> {
    let number = count(authors.len(), one, many);
    authors.sort_unstable();
    authors.dedup();
    (!authors.is_empty()).then(|| format!("{number} by {}", authors.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_takes_the_viewer_and_four_letters_for_three_bytes() {
        let sizes = ShareSizes {
            clips: vec![[300, 3_000, 3_300].map(Some), [600, 900, 900].map(Some)],
            viewer: Some(1_000),
        };
        let bytes = |shared_as, others| sizes.bytes(shared_as, others);
        assert_eq!(bytes(SharedAs::Recording, OtherCars::LeftOut), Some(900));
        assert_eq!(bytes(SharedAs::Recording, OtherCars::Kept), Some(4_200));
        assert_eq!(bytes(SharedAs::Page, OtherCars::Nameless), Some(1_000 + 5_200));
        let nothing_left = ShareSizes { clips: vec![[None, None, Some(900)]], viewer: None };
        assert_eq!(nothing_left.bytes(SharedAs::Recording, OtherCars::LeftOut), None);
        assert_eq!(nothing_left.bytes(SharedAs::Recording, OtherCars::Kept), Some(900));
        assert_eq!(nothing_left.bytes(SharedAs::Page, OtherCars::Kept), None);
    }
}
