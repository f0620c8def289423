//! What a library tells of its recordings: relay and page read this one declaration.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Recording;
use super::facts::{Facts, Info, Labels, LapRow, LapTable, RecordingId, Told};
use super::notes::notes;
use crate::analysis::KnownTrack;
use crate::by_name::read_by_name;
use crate::model::{Car, Participant, SessionInfo, Track, Vehicle};
use crate::time::{LapTime, Micros};

/// What a list shows of one recording. What is not known is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Listing {
    /// The folder.
    pub folder: String,
    /// Why nothing can be recorded or listed, in words.
    pub trouble: Option<String>,
    /// The recordings.
    pub recordings: Vec<Entry>,
    /// What making this list took.
    pub looked: Looked,
}

/// What became of a damaged file that was repaired.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Looked {
    /// Files that were opened.
    pub files: u64,
    /// Bytes that were read of them.
    pub bytes: u64,
}

read_by_name!(Entry {
    id,
    file,
    bytes,
    underway,
    trouble,
    damaged,
    feed,
    created,
    seconds,
    game,
    track,
    car,
    driver,
    laps,
    best,
    name,
    tags,
    parent,
    others_left_out,
    notes,
});
read_by_name!(Listing { folder, trouble, recordings, looked });
read_by_name!(Looked { files, bytes });
read_by_name!(Repaired { entry, packets, gaps, lost, kept });

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

/// A note that somebody writes. The same author's note about the same moment gets a new wording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewNote {
    /// The moment, on the clock of the packets.
    pub at: Micros,
    /// Who writes it.
    pub author: String,
    /// What.
    pub text: String,
    /// Whose car it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub car: Option<Car>,
    /// Where on the track, metres from the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance_m: Option<f32>,
}

/// Which row of a recording's lap table is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LapKey {
    /// Whose lap.
    pub car: Car,
    /// In which of the recording's sessions.
    pub session: u16,
    /// The lap's serial number.
    pub serial: u32,
}

/// Which laps to make a recording of their own of, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Excerpt {
    /// The laps.
    pub laps: Vec<LapKey>,
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

impl LapKey {
    /// Whether this row is the one that is meant.
    pub fn is(&self, row: &LapRow) -> bool {
        (self.car, self.session, self.serial) == (row.car, row.session, row.lap.serial)
    }
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
        let told: Told = facts.get().ok().flatten().unwrap_or_default();
        let labels: Labels = facts.get().ok().flatten().unwrap_or_default();
        let laps: LapTable = facts.get().ok().flatten().unwrap_or_default();
        let info: Option<Info> = facts.get().ok().flatten();
        // A game that names no player has one car.
        let own = |car| told.player.is_none_or(|player| player == car);
        let finished = laps.laps.iter().filter(|row| own(row.car) && row.lap.ended_s.is_some());
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
            game: told.game.clone(),
            track: track_title(facts, &told),
            car: told.car_word().map(str::to_owned),
            driver: told.driver_word().map(str::to_owned),
            laps: finished.clone().count() as u32,
            best: finished.filter_map(|row| row.lap.counts()).min(),
            name: labels.name,
            tags: labels.tags,
            notes: notes(facts).len() as u32,
            parent: info.as_ref().and_then(|info| info.parent),
            others_left_out: info.is_some_and(|info| info.others_left_out),
        }
    }
}

/// What the track of a recording is called: as its game does, else as people do, else by the game's own word or number.
pub fn track_title(facts: &Facts, told: &Told) -> Option<String> {
    let track = told.info.as_ref().and_then(|info| info.track.as_ref());
    if let Some(named) = track.filter(|track| track.name.is_some()) {
        return Some(named.title());
    }
    let known = facts.json(TRACK).and_then(|json| serde_json::from_slice::<Called>(json).ok());
    let print = told.track.as_ref().map(|print| print.name.clone());
    let mut called = known.map(|known| known.name).into_iter().chain(print).filter(|name| !name.is_empty());
    called.next().or_else(|| track.map(Track::title))
}

/// The name under which a recording keeps what is known of its track.
const TRACK: &str = <KnownTrack as super::facts::Fact>::NAME;

/// No more of what is known of a track than its name, which is all that a list needs.
#[derive(serde::Deserialize)]
struct Called {
    name: String,
}

/// What somebody drives in a word: the car, else the team, else the game's id of the car.
pub fn car_word<'a>(vehicle: Option<&'a Vehicle>, driver: Option<&'a Participant>) -> Option<&'a str> {
    let team = driver.and_then(|driver| driver.team.name.as_deref());
    let name = vehicle.and_then(|vehicle| vehicle.name.as_deref());
    name.or(team).or_else(|| vehicle.and_then(|vehicle| vehicle.id.as_deref()))
}

impl Told {
    /// The same with what was known before of what is told no more: a part of a recording may lack the packets that told it.
    pub(super) fn or(self, before: Self) -> Self {
        let info = match (self.info, before.info) {
            (Some(info), Some(before)) => Some(SessionInfo { track: info.track.or(before.track), ..info }),
            (info, before) => info.or(before),
        };
        let participants = if self.participants.is_empty() { before.participants } else { self.participants };
        Self {
            game: self.game.or(before.game),
            info,
            participants,
            player: self.player.or(before.player),
            vehicle: self.vehicle.or(before.vehicle),
            track: self.track.or(before.track),
        }
    }

    /// What the player drives in a word: the car, else the team, else the game's id of the car.
    pub fn car_word(&self) -> Option<&str> {
        self.car_word_of(self.player)
    }

    /// The same of anybody; what kind of car that is is told of the player's alone.
    pub fn car_word_of(&self, car: Option<Car>) -> Option<&str> {
        let vehicle = self.vehicle.as_ref().filter(|_| car == self.player);
        car_word(vehicle, car.and_then(|car| self.participant(car)))
    }

    /// The player's name.
    pub fn driver_word(&self) -> Option<&str> {
        self.driver_word_of(self.player?)
    }

    /// The name of whoever drives a car.
    pub fn driver_word_of(&self, car: Car) -> Option<&str> {
        self.participant(car).map(|driver| driver.name.trim()).filter(|name| !name.is_empty())
    }

    fn participant(&self, car: Car) -> Option<&Participant> {
        self.participants.iter().find(|participant| participant.car == car)
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
            looked: Looked { files: 1, bytes: 2 },
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
        for wrong in [r#"{"file":5}"#, "[]", "5"] {
            assert!(serde_json::from_str::<Entry>(wrong).is_err(), "{wrong}");
        }
    }
}
