//! Facts of recordings: JSON that a file, a copy of it or a browser brings along.
#![expect(clippy::expect_used, reason = "bringing the program down is how a target reports what it found")]

use std::fmt::Debug;

use trailbrake_shared::analysis::{KnownTrack, TrackBook};
use trailbrake_shared::library::{Entry, Listing, RecordingDetails};
use trailbrake_shared::recording::authored;
use trailbrake_shared::recording::facts::{
    self, EventLog, Fact, Facts, Info, Labels, LapTable, StoredFact, Timeline,
};
use trailbrake_shared::recording::notes::{self, Note};
use trailbrake_shared::recording::tasks::{self, Task};
use trailbrake_shared::recording::{NewNote, RecordingId, SessionSummary, TaskBrief};
use trailbrake_shared::time::Micros;

/// The recording whose copies are merged.
const COPIED: RecordingId = RecordingId(1);

/// Reads JSON as each kind of fact, which must be the same once it is written and read again; and as what the page and
/// the relay send each other about recordings.
pub fn facts(json: &[u8]) {
    check::<Info>(json);
    check::<SessionSummary>(json);
    check::<LapTable>(json);
    check::<Timeline>(json);
    check::<EventLog>(json);
    check::<Labels>(json);
    check::<KnownTrack>(json);
    check::<Note>(json);
    check::<Task>(json);
    let _ = RecordingDetails::read(json);
    let _ = serde_json::from_slice::<Entry>(json);
    let _ = serde_json::from_slice::<Listing>(json);
    let _ = serde_json::from_slice::<TrackBook>(json);
    let _ = serde_json::from_slice::<NewNote>(json);
    let _ = serde_json::from_slice::<TaskBrief>(json);
}

fn check<F: Fact + Debug>(json: &[u8]) {
    if let Ok(fact) = facts::read::<F>(json) {
        let again: F = facts::read(&facts::write(&fact)).expect("what was written is read");
        assert_eq!(format!("{again:?}"), format!("{fact:?}"));
    }
}

/// The JSON as Trailbrake would have written it, if it is a note or a task.
fn as_written(json: &[u8]) -> Vec<u8> {
    let note = facts::read::<Note>(json).map(|note| facts::write(&note));
    let task = || facts::read::<Task>(json).map(|task| facts::write(&task));
    note.or_else(|_| task()).unwrap_or_else(|_| json.to_vec())
}

/// Two copies of a recording's notes and tasks, merged in either order with the same result.
///
/// Each line is a fact: the copy, its name and its time by a letter each, and its JSON, or nothing where it was deleted.
pub fn copies(bytes: &[u8]) {
    let mut copies = [Facts::default(), Facts::default()];
    for line in bytes.split(|byte| *byte == b'\n') {
        let Some(([copy, name, at], json)) = line.split_first_chunk() else { continue };
        let (folder, number) = if name % 2 == 0 { ("note", name / 2) } else { ("task", name / 2) };
        let stored = StoredFact { at: Micros(u64::from(*at)), json: as_written(json) };
        let [one, other] = &mut copies;
        let copy = if copy % 2 == 0 { one } else { other };
        copy.store(&format!("{folder}/{:032x}", number % 4), stored);
    }
    let [one, other] = &copies;
    let merged = authored::merge((COPIED, one), (COPIED, other)).expect("copies of one recording");
    assert_eq!(
        authored::merge((COPIED, other), (COPIED, one)),
        Ok(merged.clone()),
        "the order does not matter"
    );
    assert_eq!(
        authored::merge((COPIED, &merged), (COPIED, other)),
        Ok(merged.clone()),
        "nothing new comes of it"
    );
    let _ = (notes::notes(&merged), tasks::tasks(&merged));
}
