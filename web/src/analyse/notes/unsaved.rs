//! Unsaved notes and tasks of an opened file. The browser keeps them, so that closing the page loses nothing.

use trailbrake_shared::recording::authored::{AuthoredKind, together};
use trailbrake_shared::recording::facts::StoredFact;
use trailbrake_shared::recording::{Facts, RecordingId};
use trailbrake_shared::time::Micros;

use crate::browser::{self, keys};

/// The browser's storage key for the notes and tasks of a recording.
fn key(id: RecordingId) -> String {
    format!("{}{id}", keys::NOTES)
}

/// Keeps the notes and tasks among the facts in the browser, deleted ones included. `None` forgets them, once they are saved.
pub(super) fn keep(id: RecordingId, facts: Option<&Facts>) {
    match facts {
        Some(facts) => browser::keep(&key(id), &write(facts)),
        None => browser::forget(&key(id)),
    }
}

/// The facts of a recording merged with what the browser kept; `None` if it kept none.
pub(super) fn kept(id: RecordingId, facts: &Facts) -> Option<Facts> {
    let text = browser::kept(&key(id))?;
    let mut kept = Facts::default();
    text.lines().filter_map(read).for_each(|(name, stored)| kept.store(name, stored));
    let any = kept.iter().next().is_some();
    any.then(|| together(facts, &kept))
}

/// One line for each, separated by tabs: name, time stored in microseconds, and JSON without line breaks.
fn write(facts: &Facts) -> String {
    let authored = facts.iter().filter(|(name, _)| AuthoredKind::of(name).is_some());
    let line = |(name, stored): (&str, &StoredFact)| {
        format!("{name}\t{}\t{}\n", stored.at.0, String::from_utf8_lossy(&stored.json))
    };
    authored.map(line).collect()
}

fn read(line: &str) -> Option<(&str, StoredFact)> {
    let mut parts = line.splitn(3, '\t');
    let (name, at, json) = (parts.next()?, parts.next()?, parts.next()?);
    AuthoredKind::of(name)?;
    Some((name, StoredFact { at: Micros(at.parse().ok()?), json: json.as_bytes().to_vec() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_kept_line_by_line() {
        let mut facts = Facts::default();
        facts.store("info", StoredFact { at: Micros(1), json: b"{}".to_vec() });
        let note = StoredFact { at: Micros(7), json: br#"{"text":"a\tb\nc"}"#.to_vec() };
        let name = "note/0000000000000000000000000000fe3d/5/Ann";
        assert!(AuthoredKind::of(name).is_some());
        facts.store(name, note.clone());
        let text = write(&facts);
        assert_eq!(text.lines().count(), 1);
        assert_eq!(read(text.trim_end()), Some((name, note)));
        for nonsense in ["", "info\t1\t{}", &format!("{name}\tsoon\t{{}}"), name] {
            assert_eq!(read(nonsense), None, "{nonsense}");
        }
    }
}
