//! What a merge added, changed and deleted among notes, which tasks it brought, and the sentences for it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use trailbrake_model::number::count;

use super::note::Note;
use super::plan::notes;
use crate::authored::Authored;
use crate::facts::Facts;
use crate::tasks::{Task, tasks};

/// A note is quoted with at most so many letters, by whole words.
const QUOTED: usize = 40;
/// So many notes of an author are quoted.
const MOST_QUOTED: usize = 3;

/// How the notes and tasks of a copy differ from those before a merge, in the order of the lesson plan. Seen from the other side,
/// what was added was deleted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MergedNotes {
    /// Notes that were not there.
    pub added: Vec<Note>,
    /// Notes that say something else or stand elsewhere in the plan, as they are now.
    pub changed: Vec<Note>,
    /// Notes that are gone, as they were.
    pub deleted: Vec<Note>,
    /// Tasks that were not there.
    pub tasks: Vec<Task>,
}

impl MergedNotes {
    /// What changed from some facts to others.
    pub fn between(before: &Facts, after: &Facts) -> Self {
        let (set_before, set_after) = (tasks(before), tasks(after));
        let (before, after) = (notes(before), notes(after));
        let by_name =
            |notes: &[Note]| notes.iter().map(|note| (note.name(), note.clone())).collect::<BTreeMap<_, _>>();
        let (known, left) = (by_name(&before), by_name(&after));
        let mut merged = Self::default();
        for note in after {
            match known.get(&note.name()) {
                None => merged.added.push(note),
                Some(before) if !looks_alike(before, &note) => merged.changed.push(note),
                Some(_) => {}
            }
        }
        let is_new = |task: &Task| set_before.iter().all(|known| known.name() != task.name());
        merged.tasks = set_after.into_iter().filter(is_new).collect();
        merged.deleted = before.into_iter().filter(|note| !left.contains_key(&note.name())).collect();
        merged
    }

    /// Whether there is nothing to say. Changes of tasks that were there are not counted.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.deleted.is_empty() && self.tasks.is_empty()
    }

    /// A sentence for each author and kind of change, with the first words of the notes.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        for (notes, what) in [(&self.added, "added"), (&self.changed, "changed"), (&self.deleted, "deleted")]
        {
            for (author, own) in by_author(notes) {
                let count = count(own.len(), "note", "notes");
                sentences.push(format!("{count} by {author} {what}: {}.", quoted(&own)));
            }
        }
        for task in &self.tasks {
            sentences.push(format!("Task by {}: “{}”.", task.brief.author, first_words(&task.brief.words)));
        }
        sentences
    }
}

/// Whether a reader sees no difference between two notes.
fn looks_alike(one: &Note, other: &Note) -> bool {
    one.says() == other.says() && one.rank_mm == other.rank_mm && one.others == other.others
}

/// The notes of each author, in the order in which authors come first.
fn by_author(notes: &[Note]) -> Vec<(&str, Vec<&Note>)> {
    let mut authors: Vec<(&str, Vec<&Note>)> = Vec::new();
    for note in notes {
        match authors.iter_mut().find(|(author, _)| *author == note.author) {
            Some((_, own)) => own.push(note),
            None => authors.push((&note.author, vec![note])),
        }
    }
    authors
}

fn quoted(notes: &[&Note]) -> String {
    let words = notes.iter().take(MOST_QUOTED).map(|note| format!("“{}”", first_words(&note.words())));
    let words = words.collect::<Vec<_>>().join(", ");
    match notes.len().saturating_sub(MOST_QUOTED) {
        0 => words,
        more => format!("{words} and {more} more"),
    }
}

/// The first words of a text, such as a note's.
pub fn first_words(text: &str) -> String {
    let mut first = String::new();
    for word in text.split_whitespace() {
        if !first.is_empty() && first.chars().count() + 1 + word.chars().count() > QUOTED {
            return first + "…";
        }
        if !first.is_empty() {
            first.push(' ');
        }
        first.extend(word.chars().take(QUOTED));
        if word.chars().count() > QUOTED {
            return first + "…";
        }
    }
    first
}
