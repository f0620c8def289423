//! Facts: what a recording holds besides its packets, each a named JSON attachment.
//!
//! All but the info, the labels, the notes, the tasks and the driver's names for the track can be derived from the packets again.

use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;
use trailbrake_analysis::CloseCar;
use trailbrake_analysis::KnownTrack;
use trailbrake_model::time::Micros;
use trailbrake_model::{EventKind, Track};
use trailbrake_session::{LapRow, ReportedLap, SessionEvent, SessionSummary};

use super::rows::read_rows;

/// The version of the lap table. Raise it when a decoder or the lap logic changes what the table contains.
pub const DECODER: u32 = 8;

/// A fact with a name and a version.
pub trait Fact: Serialize + DeserializeOwned {
    /// The attachment's name.
    const NAME: &'static str;
    /// The version that is written; higher ones are not read.
    const VERSION: u32 = 1;
}

/// The content of an attachment.
#[derive(Serialize)]
struct Versioned<F> {
    version: u32,
    #[serde(flatten)]
    fact: F,
}

/// Declares which types are facts, and their names.
macro_rules! facts {
    ($($fact:ident $name:literal;)*) => { $(impl Fact for $fact { const NAME: &'static str = $name; })* };
}

facts! {
    Info "info";
    SessionSummary "session";
    LapTable "laps";
    Timeline "timeline";
    EventLog "events";
    Traffic "traffic";
    Labels "labels";
    KnownTrack "track";
    Origin "origin";
}

/// A recording's random id, which never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordingId(pub u128);

impl RecordingId {
    /// Parses 32 hexadecimal digits.
    pub fn read(digits: &str) -> Option<Self> {
        let plain = digits.len() == 32 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        if plain { u128::from_str_radix(digits, 16).ok().map(Self) } else { None }
    }
}

impl fmt::Display for RecordingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl Serialize for RecordingId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RecordingId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(deserializer)?;
        Self::read(&digits).ok_or_else(|| D::Error::custom("a recording's id has 32 hexadecimal digits"))
    }
}

/// Written first, and never changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Info {
    /// The recording's id.
    pub id: RecordingId,
    /// The recording that this clip was taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<RecordingId>,
    /// When the recording began.
    pub created: Micros,
    /// The id of the feed, or [`UNCLAIMED`](super::UNCLAIMED).
    pub feed: String,
    /// The program that wrote it, with its version.
    pub program: String,
    /// Whether other people were removed, so that packets differ from those received.
    #[serde(default)]
    pub others_left_out: bool,
}

/// Where a recording's packets came from. Older recordings don't have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The machine that the game ran on.
    pub machine: IpAddr,
}

/// The display name of a recording's track: the game's name, else the driver's, else the recognised one, else the game's id.
pub fn track_title(facts: &Facts, session: &SessionSummary) -> Option<String> {
    /// Only the name of a [`KnownTrack`].
    #[derive(Deserialize)]
    struct Named {
        name: String,
    }
    let track = session.track();
    if let Some(named) = track.filter(|track| track.is_named()) {
        return Some(named.title());
    }
    let known = facts.json(KnownTrack::NAME).and_then(|json| serde_json::from_slice::<Named>(json).ok());
    let known = known.map(|known| known.name).filter(|name| !name.is_empty());
    let by_driver = || session.track_print().map(str::to_owned);
    known.or_else(by_driver).or_else(|| track.map(Track::title))
}

/// Where other cars were close to the player's. A clip keeps it although it has no other cars.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Traffic {
    /// The stretches, in the order in which they began.
    #[serde(deserialize_with = "read_rows")]
    pub close: Vec<CloseCar>,
}

/// The laps of all cars, ordered by car and then lap.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LapTable {
    /// The [`DECODER`] that made it.
    pub decoder: u32,
    /// What the game reported of each session, by its number.
    #[serde(default, deserialize_with = "read_rows")]
    pub sessions: Vec<SessionSummary>,
    /// The laps.
    #[serde(deserialize_with = "read_rows")]
    pub laps: Vec<LapRow>,
    /// The laps of which only the game's report is known, ordered by session, car and number.
    #[serde(default, deserialize_with = "read_rows", skip_serializing_if = "Vec::is_empty")]
    pub reported: Vec<ReportedLap>,
}

impl LapTable {
    /// The laps of a clip, which were chosen, with what this table of its packets knows better. The packets hold parts of
    /// other laps, too.
    pub(super) fn of_clip(self, chosen: Self) -> Self {
        if chosen.laps.is_empty() {
            return self;
        }
        let Self { decoder, sessions, laps, .. } = self.or(&chosen);
        let better = |row: LapRow| {
            let Some(found) = laps.iter().find(|found| found.is_same_lap(&row)) else { return row };
            LapRow { driver: found.driver.clone(), model: found.model.clone(), ..row }
        };
        let sessions = if sessions.len() == chosen.sessions.len() { sessions } else { chosen.sessions };
        // Of the laps that were not chosen most were received, and are in the recording.
        Self {
            decoder,
            sessions,
            laps: chosen.laps.into_iter().map(better).collect(),
            reported: chosen.reported,
        }
    }

    /// Fills in what `known` has and this table lacks: a clip may lack the packets that name the drivers.
    pub(super) fn or(mut self, known: &Self) -> Self {
        for row in &mut self.laps {
            if let Some(known) = known.laps.iter().find(|one| one.is_same_lap(row)) {
                row.driver = row.driver.take().or_else(|| known.driver.clone());
                row.model = row.model.take().or_else(|| known.model.clone());
            }
        }
        for (session, known) in self.sessions.iter_mut().zip(&known.sessions) {
            *session = std::mem::take(session).or(known.clone());
        }
        self
    }
}

/// A cut in the recording's time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// When.
    pub at: Micros,
    /// What.
    pub what: Cut,
}

/// The kinds of cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cut {
    /// The game reported a change of the session: it started, ended, paused, resumed, rewound or restarted.
    Event(EventKind),
    /// No packet was received for this many microseconds.
    Silence(u64),
}

/// Where the sessions of a recording begin, stop, pause and rewind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timeline {
    /// Ordered by time.
    #[serde(deserialize_with = "read_rows")]
    pub marks: Vec<Mark>,
}

/// The events of the recording's sessions, as the page's event list shows them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EventLog {
    /// Ordered by time.
    #[serde(deserialize_with = "read_rows")]
    pub events: Vec<SessionEvent>,
}

/// The longest name, and the longest tag, in letters.
pub const LONGEST_LABEL: usize = 200;
/// Most tags of a recording.
pub const MOST_TAGS: usize = 50;

/// The user's name and tags for the recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Labels {
    /// The name.
    #[serde(deserialize_with = "read_name")]
    pub name: Option<String>,
    /// The tags.
    #[serde(deserialize_with = "read_tags")]
    pub tags: Vec<String>,
}

/// Reads a name, as much of it as may be written.
fn read_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let name: Option<String> = Deserialize::deserialize(deserializer)?;
    Ok(name.map(cut_label))
}

/// Reads tags, as many and as much of each as may be written.
fn read_tags<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let tags: Vec<String> = read_rows(deserializer)?;
    Ok(tags.into_iter().take(MOST_TAGS).map(cut_label).collect())
}

fn cut_label(text: String) -> String {
    match text.char_indices().nth(LONGEST_LABEL) {
        Some((end, _)) => text[..end].to_owned(),
        None => text,
    }
}

/// Why a fact can't be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FactError {
    /// A later version wrote it.
    #[error(
        "the recording's {name} has version {version}, and this version of Trailbrake reads up to {known}: update it"
    )]
    Later {
        /// The fact's name.
        name: &'static str,
        /// Its version.
        version: u32,
        /// The highest version that is read.
        known: u32,
    },
    /// The JSON is invalid.
    #[error("the recording's {name} makes no sense: {why}")]
    Senseless {
        /// The fact's name.
        name: &'static str,
        /// The error of the JSON parser.
        why: String,
    },
}

/// The JSON of a fact.
pub fn write<F: Fact>(fact: &F) -> Vec<u8> {
    // JSON can't hold maps whose keys are not text; facts have none.
    serde_json::to_vec(&Versioned { version: F::VERSION, fact }).unwrap_or_default()
}

/// Parses a fact from its JSON.
pub fn read<F: Fact>(json: &[u8]) -> Result<F, FactError> {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    let senseless = |error: serde_json::Error| FactError::Senseless { name: F::NAME, why: error.to_string() };
    let Version { version } = serde_json::from_slice(json).map_err(senseless)?;
    if version > F::VERSION {
        return Err(FactError::Later { name: F::NAME, version, known: F::VERSION });
    }
    // Unknown fields are skipped, `version` too. Parsing both at once would make the page larger.
    serde_json::from_slice(json).map_err(senseless)
}

/// A fact as it is stored. An empty one is a tombstone: the fact of that name was deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFact {
    /// When it was written.
    pub at: Micros,
    /// The JSON.
    pub json: Vec<u8>,
}

/// All of a recording's facts by name, the latest of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts(BTreeMap<String, StoredFact>);

impl Facts {
    /// A fact; `None` when there is none.
    pub fn get<F: Fact>(&self) -> Result<Option<F>, FactError> {
        self.json(F::NAME).map(read).transpose()
    }

    /// The JSON of a fact; `None` for a tombstone.
    pub fn json(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(|stored| stored.json.as_slice()).filter(|json| !json.is_empty())
    }

    /// The stored fact of a name, even a tombstone.
    pub fn stored(&self, name: &str) -> Option<&StoredFact> {
        self.0.get(name)
    }

    /// Stores a fact, replacing the earlier one.
    pub fn put<F: Fact>(&mut self, at: Micros, fact: &F) {
        self.store(F::NAME, StoredFact { at, json: write(fact) });
    }

    /// Deletes a fact and leaves a tombstone.
    pub fn remove(&mut self, at: Micros, name: &str) {
        self.store(name, StoredFact { at, json: Vec::new() });
    }

    /// Stores JSON or a tombstone under a name.
    pub fn store(&mut self, name: &str, stored: StoredFact) {
        self.0.insert(name.to_owned(), stored);
    }

    /// All stored facts by name, tombstones included.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &StoredFact)> {
        self.0.iter().map(|(name, stored)| (name.as_str(), stored))
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_model::{Recognised, SessionInfo};

    use super::*;

    #[test]
    fn ids_are_32_digits() {
        let id = RecordingId(0x0123_4567_89ab_cdef);
        assert_eq!(id.to_string(), "00000000000000000123456789abcdef");
        assert_eq!(RecordingId::read(&id.to_string()), Some(id));
        for wrong in ["", "123", "0000000000000000+123456789abcdef", "g0000000000000000123456789abcdef"] {
            assert_eq!(RecordingId::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_recognised_track_gives_way_to_a_name_by_hand_and_the_game_s_to_none() {
        let summary = |recognised: Option<Recognised>| {
            let track = Track { id: "Eifel".into(), name: Some("Eifel GP".into()), recognised };
            let info = SessionInfo { track: Some(track), ..SessionInfo::default() };
            SessionSummary { info: Some(info), ..SessionSummary::default() }
        };
        let (by_path, by_game) = (summary(Some(Recognised::Layout)), summary(None));
        let title = |name: &str, summary: &SessionSummary| {
            let mut facts = Facts::default();
            let json = format!(r#"{{"version":1,"name":"{name}"}}"#).into_bytes();
            facts.store(KnownTrack::NAME, StoredFact { at: Micros(1), json });
            track_title(&facts, summary).expect("a title")
        };
        assert_eq!(["", "Home"].map(|name| title(name, &by_path)), ["Eifel GP", "Home"]);
        assert_eq!(["", "Home"].map(|name| title(name, &by_game)), ["Eifel GP"; 2]);
        assert_eq!(track_title(&Facts::default(), &by_path).as_deref(), Some("Eifel GP"));
    }

    #[test]
    fn later_and_invalid_facts_are_reported() {
        let labels = Labels { name: Some("Spa, wet".into()), tags: vec!["rain".into()] };
        let json = write(&labels);
        assert_eq!(json, br#"{"version":1,"name":"Spa, wet","tags":["rain"]}"#);
        assert_eq!(read(&json), Ok(labels));
        assert_eq!(read(br#"{"version":1,"of-later":5}"#), Ok(Labels::default()));
        let later = read::<Labels>(br#"{"version":2}"#).expect_err("a reason");
        assert_eq!(later, FactError::Later { name: "labels", version: 2, known: 1 });
        assert!(read::<Labels>(b"{}").expect_err("a reason").to_string().contains("labels makes no sense"));
        assert!(read::<LapTable>(br#"{"version":1}"#).is_err());
    }

    #[test]
    fn the_latest_of_a_name_wins_and_a_tombstone_deletes() {
        let mut facts = Facts::default();
        facts.put(Micros(1), &Labels { name: Some("a".into()), tags: Vec::new() });
        facts.put(Micros(2), &Labels { name: Some("b".into()), tags: Vec::new() });
        assert_eq!(
            facts.get::<Labels>().map(|labels| labels.and_then(|labels| labels.name)),
            Ok(Some("b".into()))
        );
        facts.remove(Micros(3), "labels");
        assert_eq!((facts.get::<Labels>(), facts.iter().count()), (Ok(None), 1));
    }
}
