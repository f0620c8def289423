//! The library's answers about its recordings, shared by relay and page.

use std::collections::BTreeMap;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use trailbrake_games::OtherCars;
use trailbrake_games::feed::Feed;
use trailbrake_model::time::{LapTime, Micros};
use trailbrake_session::LapId;

use super::search::folded;
use crate::authored::AuthoredKind;
use crate::facts::{Labels, StoredFact};
use crate::lap_catalogue::{LapCatalogue, LapQuery};
use crate::notes::notes;
use crate::tasks::tasks;
use crate::{Facts, Info, Origin, Recording, RecordingId, SessionSummary, UNCLAIMED, track_title};

/// A recording's entry in a list. What is unknown is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// The recording's permanent id; absent if the file cannot be opened.
    pub id: Option<RecordingId>,
    /// The file name.
    pub file: String,
    /// The file size.
    pub bytes: u64,
    /// Whether it is being recorded now.
    pub underway: bool,
    /// Why it cannot be opened, as text.
    pub trouble: Option<String>,
    /// Whether it cannot be opened because it is damaged or not a recording: a repair may recover something.
    pub damaged: bool,
    /// The id of the feed.
    pub feed: Option<String>,
    /// The machine that the game ran on; absent in older recordings, and in what a page is sent.
    #[serde(skip)]
    pub machine: Option<IpAddr>,
    /// When it was begun.
    pub created: Micros,
    /// Seconds from its first to its last packet; of a clip without the time between its laps.
    pub seconds: f64,
    /// The game, where its feed has several.
    pub game: Option<String>,
    /// The track.
    pub track: Option<String>,
    /// The player's car, or the team if the game sends no car.
    pub car: Option<String>,
    /// The player's name.
    pub driver: Option<String>,
    /// The rig that recorded it, in a list of several rigs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rig: Option<String>,
    /// The number of the player's finished laps.
    pub laps: u32,
    /// The player's fastest counted lap.
    pub best: Option<LapTime>,
    /// The user's name for the recording.
    pub name: Option<String>,
    /// The user's tags.
    pub tags: Vec<String>,
    /// The number of notes.
    pub notes: u32,
    /// The number of tasks.
    pub tasks: u32,
    /// The recording that it was clipped from.
    pub parent: Option<RecordingId>,
    /// Whether names, ids and chat of all other drivers were left out.
    pub others_left_out: bool,
}

/// All recordings of a library or of its bin, newest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Listing {
    /// The folder.
    pub folder: String,
    /// Why nothing can be recorded or listed, as text.
    pub trouble: Option<String>,
    /// The recordings.
    pub recordings: Vec<Entry>,
    /// What was read to make this list.
    pub looked: IndexStatus,
}

/// The result of repairing a damaged file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Repaired {
    /// Its list entry now.
    pub entry: Entry,
    /// Packets recovered.
    pub packets: u64,
    /// Gaps left between them.
    pub gaps: u64,
    /// What was lost, as text.
    pub lost: String,
    /// The new name of the damaged file.
    pub kept: String,
}

/// What was read to make a list. Recordings that are already indexed are not read again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct IndexStatus {
    /// Files opened.
    pub files: u64,
    /// Bytes read from them.
    pub bytes: u64,
}

/// One recording with all its facts, each as the JSON in the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Details {
    /// Its list entry.
    pub entry: Entry,
    /// The facts by name.
    pub facts: BTreeMap<String, serde_json::Value>,
    /// When each note and task was stored, by its name among the facts. Deleted ones are here alone.
    #[serde(default)]
    pub written: BTreeMap<String, Micros>,
}

impl Details {
    /// A recording with its facts as they are in the file.
    pub fn of(entry: Entry, recording: &Recording) -> Self {
        let facts = recording.facts();
        // Facts that are no JSON come from other programs.
        let json = |(name, stored): (&str, &StoredFact)| {
            Some((name.to_owned(), serde_json::from_slice(&stored.json).ok()?))
        };
        let is_authored = |(name, _): &(&str, &StoredFact)| AuthoredKind::of(name).is_some();
        let written = facts.iter().filter(is_authored).map(|(name, stored)| (name.to_owned(), stored.at));
        Self { entry, facts: facts.iter().filter_map(json).collect(), written: written.collect() }
    }
}

/// Changes to a recording's labels; what is absent stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Relabel {
    /// The new name; an empty one removes it.
    pub name: Option<String>,
    /// The new tags.
    pub tags: Option<Vec<String>>,
}

/// A request to clip laps into a new recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Excerpt {
    /// The laps.
    pub laps: Vec<LapId>,
    /// What stays of the cars that drove none of the laps. Default: nothing.
    #[serde(default)]
    pub other_cars: OtherCars,
    /// The name of the new recording; if absent, its parent's with the laps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Entry {
    /// The entry of an open recording whose file has this name and size.
    pub fn of_recording(file: &str, bytes: u64, recording: &Recording) -> Self {
        let entry =
            Self::of(file, bytes, recording.facts(), recording.time().map(|time| (time.start, time.end)));
        let seconds = if entry.parent.is_some() { recording.held_s() } else { entry.seconds };
        Self { seconds, ..entry }
    }

    /// The entry of a file that cannot be opened, `damaged` or for another reason.
    pub fn of_broken(file: &str, bytes: u64, why: &str, damaged: bool) -> Self {
        Self { file: file.to_owned(), bytes, trouble: Some(why.to_owned()), damaged, ..Self::default() }
    }

    /// The entry of a recording with these facts.
    pub(super) fn of(file: &str, bytes: u64, facts: &Facts, time: Option<(Micros, Micros)>) -> Self {
        // A fact of a later version is skipped: the recording can still be read.
        let summary: SessionSummary = facts.get().ok().flatten().unwrap_or_default();
        let labels: Labels = facts.get().ok().flatten().unwrap_or_default();
        let info: Option<Info> = facts.get().ok().flatten();
        let catalogue = LapCatalogue::of_facts(facts);
        let laps = catalogue.select(&LapQuery::default());
        let finished = laps.iter().filter(|entry| entry.lap.ended_s.is_some());
        Self {
            id: info.as_ref().map(|info| info.id),
            file: file.to_owned(),
            bytes,
            underway: false,
            trouble: None,
            damaged: false,
            feed: info.as_ref().map(|info| Feed::current_id(&info.feed).to_owned()),
            machine: facts.get().ok().flatten().map(|origin: Origin| origin.machine),
            created: info.as_ref().map(|info| info.created).unwrap_or_default(),
            seconds: time.map_or(0.0, |(first, last)| last.seconds_since(first)),
            game: summary.game.clone(),
            track: track_title(facts, &summary),
            car: summary.car_words(),
            driver: summary.driver().map(str::to_owned),
            rig: None,
            laps: finished.clone().count() as u32,
            best: finished.filter_map(|entry| entry.lap.counts()).min(),
            name: labels.name,
            tags: labels.tags,
            notes: notes(facts).len() as u32,
            tasks: tasks(facts).len() as u32,
            parent: info.as_ref().and_then(|info| info.parent),
            others_left_out: info.is_some_and(|info| info.others_left_out),
        }
    }

    /// The game, as drivers call it.
    pub fn game_word(&self) -> Option<&str> {
        let feed = self.feed.as_deref().filter(|feed| *feed != UNCLAIMED);
        let known = feed.and_then(Feed::from_id).map(|feed| feed.info().game);
        self.game.as_deref().or(known).or(feed)
    }

    /// The player's name, after the rig in a list of several.
    pub fn driver_and_rig(&self) -> Option<String> {
        match (&self.driver, &self.rig) {
            (Some(driver), Some(rig)) => Some(format!("{rig} · {driver}")),
            (driver, rig) => driver.clone().or_else(|| rig.clone()),
        }
    }

    /// The text of a list entry to search in.
    pub fn sought_text(&self) -> String {
        let mut text = folded(&self.file);
        let words = [&self.track, &self.car, &self.driver, &self.rig, &self.name, &self.trouble];
        let words = words.map(Option::as_deref);
        let best = self.best.map(|best| best.to_string());
        let tags = self.tags.iter().map(String::as_str);
        for word in words.into_iter().chain([self.game_word(), best.as_deref()]).flatten().chain(tags) {
            text.push('\n');
            text.push_str(&folded(word));
        }
        text
    }

    /// Whether each of these words occurs in the list entry.
    pub fn has_words(&self, words: &str) -> bool {
        let text = self.sought_text();
        folded(words).split_whitespace().all(|word| text.contains(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry in which no field that is sent has its default value.
    fn full() -> Entry {
        Entry {
            id: Some(RecordingId(7)),
            file: "a.mcap".into(),
            bytes: 5,
            underway: true,
            trouble: Some("damaged".into()),
            damaged: true,
            feed: Some("f1-2018".into()),
            machine: None,
            created: Micros(9),
            seconds: 61.5,
            game: Some("F1 2018".into()),
            track: Some("Spa".into()),
            car: Some("Ferrari".into()),
            driver: Some("Ann".into()),
            rig: Some("rig-7".into()),
            laps: 3,
            best: Some(LapTime(103_512)),
            name: Some("Wet".into()),
            tags: vec!["a".into(), "b".into()],
            parent: Some(RecordingId(6)),
            others_left_out: true,
            notes: 2,
            tasks: 1,
        }
    }

    #[test]
    fn every_field_of_a_list_is_read_again() {
        let listing = Listing {
            folder: "here".into(),
            trouble: Some("full".into()),
            recordings: vec![full(), Entry::default()],
            looked: IndexStatus { files: 1, bytes: 2 },
        };
        let json = serde_json::to_string(&listing).expect("JSON");
        assert_eq!(serde_json::from_str::<Listing>(&json).expect("a list"), listing);
        let repaired =
            Repaired { entry: full(), packets: 1, gaps: 2, lost: "much".into(), kept: "a.broken".into() };
        let json = serde_json::to_string(&repaired).expect("JSON");
        assert_eq!(serde_json::from_str::<Repaired>(&json).expect("what became of it"), repaired);
        let later = r#"{"of-later":[{"x":1}],"file":"a","best":null}"#;
        let entry = Entry { file: "a".into(), ..Entry::default() };
        assert_eq!(serde_json::from_str::<Entry>(later).expect("an entry"), entry);
        for wrong in [r#"{"file":5}"#, "5"] {
            assert!(serde_json::from_str::<Entry>(wrong).is_err(), "{wrong}");
        }
    }
}
