//! What a library tells of its recordings: relay and page read this one declaration.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::lap_catalogue::{LapCatalogue, LapQuery};
use crate::recording::facts::Labels;
use crate::recording::notes::notes;
use crate::recording::{Facts, Info, Recording, RecordingId, SessionSummary, track_title};
use crate::session::LapId;
use crate::time::{LapTime, Micros};

/// What a list shows of one recording. What is not known is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// The recording's name for ever; absent when the file can't be opened.
    pub id: Option<RecordingId>,
    /// The file's name.
    pub file: String,
    /// Its length.
    pub bytes: u64,
    /// Whether it is being recorded at this moment.
    pub underway: bool,
    /// Why it can't be opened, in words.
    pub trouble: Option<String>,
    /// Whether it can't be opened since it is damaged, or no recording at all: a repair may find something in it.
    pub damaged: bool,
    /// The id of the feed.
    pub feed: Option<String>,
    /// When it was begun.
    pub created: Micros,
    /// Seconds from its first to its last packet.
    pub seconds: f64,
    /// The game, where its feed has several.
    pub game: Option<String>,
    /// The track.
    pub track: Option<String>,
    /// What the player drove: the car, or the team where the game tells no car.
    pub car: Option<String>,
    /// The player's name.
    pub driver: Option<String>,
    /// The player's finished laps.
    pub laps: u32,
    /// The fastest of those that count.
    pub best: Option<LapTime>,
    /// What the user calls it.
    pub name: Option<String>,
    /// The user's tags.
    pub tags: Vec<String>,
    /// How many notes people wrote into it.
    pub notes: u32,
    /// The recording that it was taken out of.
    pub parent: Option<RecordingId>,
    /// Whether everybody but the driver was left out.
    pub others_left_out: bool,
}

/// All recordings of a library, or of its bin, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Listing {
    /// The folder.
    pub folder: String,
    /// Why nothing can be recorded or listed, in words.
    pub trouble: Option<String>,
    /// The recordings.
    pub recordings: Vec<Entry>,
    /// What making this list took.
    pub looked: IndexStatus,
}

/// What became of a damaged file that was repaired.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Repaired {
    /// What a list shows of it now.
    pub entry: Entry,
    /// How many packets are saved.
    pub packets: u64,
    /// How many gaps are left between them.
    pub gaps: u64,
    /// What was lost, in words.
    pub lost: String,
    /// What the damaged file is called from now on.
    pub kept: String,
}

/// What was read to make a list: recordings that are known already are not read again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct IndexStatus {
    /// Files that were opened.
    pub files: u64,
    /// Bytes that were read of them.
    pub bytes: u64,
}

/// One recording with all its facts, each the JSON that stands in the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Details {
    /// What a list shows of it.
    pub entry: Entry,
    /// The facts by name.
    pub facts: BTreeMap<String, serde_json::Value>,
}

/// What to change of a recording's labels; what is absent stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Relabel {
    /// The new name; an empty one takes it away.
    pub name: Option<String>,
    /// The new tags.
    pub tags: Option<Vec<String>>,
}

/// Which laps to make a recording of their own of, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Excerpt {
    /// The laps.
    pub laps: Vec<LapId>,
    /// Whether everybody but those who drive the laps is left out, as is usual.
    #[serde(default = "usually")]
    pub leave_others_out: bool,
    /// What the new recording is called; where it is absent, as the one that it is taken out of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

fn usually() -> bool {
    true
}

impl Entry {
    /// What a list shows of an open recording, whose file has this name and length.
    pub fn of_recording(file: &str, bytes: u64, recording: &Recording) -> Self {
        Self::of(file, bytes, recording.facts(), recording.time().map(|time| (time.start, time.end)))
    }

    /// What a list shows of a file that can't be opened, be it that it is damaged or for another reason.
    pub fn of_broken(file: &str, bytes: u64, why: &str, damaged: bool) -> Self {
        Self { file: file.to_owned(), bytes, trouble: Some(why.to_owned()), damaged, ..Self::default() }
    }

    /// What a list shows of a recording with these facts.
    pub(super) fn of(file: &str, bytes: u64, facts: &Facts, time: Option<(Micros, Micros)>) -> Self {
        // A fact of a later version is left out: the recording can still be read.
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
            feed: info.as_ref().map(|info| info.feed.clone()),
            created: info.as_ref().map(|info| info.created).unwrap_or_default(),
            seconds: time.map_or(0.0, |(first, last)| last.seconds_since(first)),
            game: summary.game.clone(),
            track: track_title(facts, &summary),
            car: summary.car_words(),
            driver: summary.driver().map(str::to_owned),
            laps: finished.clone().count() as u32,
            best: finished.filter_map(|entry| entry.lap.counts()).min(),
            name: labels.name,
            tags: labels.tags,
            notes: notes(facts).len() as u32,
            parent: info.as_ref().and_then(|info| info.parent),
            others_left_out: info.is_some_and(|info| info.others_left_out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry of which nothing is as by default.
    fn full() -> Entry {
        Entry {
            id: Some(RecordingId(7)),
            file: "a.mcap".into(),
            bytes: 5,
            underway: true,
            trouble: Some("damaged".into()),
            damaged: true,
            feed: Some("f1-2018".into()),
            created: Micros(9),
            seconds: 61.5,
            game: Some("F1 2018".into()),
            track: Some("Spa".into()),
            car: Some("Ferrari".into()),
            driver: Some("Ann".into()),
            laps: 3,
            best: Some(LapTime(103_512)),
            name: Some("Wet".into()),
            tags: vec!["a".into(), "b".into()],
            parent: Some(RecordingId(6)),
            others_left_out: true,
            notes: 2,
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
