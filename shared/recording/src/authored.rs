//! Facts that people write: recording, moment and author are in the name, so that copies of one recording can be merged.

use trailbrake_model::time::Micros;

use super::facts::{self, Fact, StoredFact};
use super::{Facts, RecordingId};

/// The longest author name, in characters.
pub const LONGEST_AUTHOR: usize = 100;

/// A fact that a person wrote.
pub(super) trait Authored: Fact {
    /// The prefix of all names of this kind.
    const PREFIX: &'static str;

    /// The recording it is about, its moment, and its author.
    fn origin(&self) -> (RecordingId, Micros, &str);

    /// Merges the versions of two copies, either of which may be a tombstone. The order of the two does not matter.
    fn merged(one: &StoredFact, other: &StoredFact) -> StoredFact;
}

/// The fact's name, which is the same in every copy.
pub(super) fn name<A: Authored>(fact: &A) -> String {
    let (recording, at, author) = fact.origin();
    format!("{}{recording}/{}/{author}", A::PREFIX, at.0)
}

/// The moment in a fact's name. `None` for another kind of fact.
pub(super) fn moment<A: Authored>(name: &str) -> Option<Micros> {
    let (_, rest) = name.strip_prefix(A::PREFIX)?.split_once('/')?;
    rest.split('/').next()?.parse().ok().map(Micros)
}

/// The fact as stored, written or changed at `written`.
pub(super) fn stored<A: Authored>(fact: &A, written: Micros) -> StoredFact {
    StoredFact { at: written, json: facts::write(fact) }
}

/// The facts of a kind, ordered by moment, at most so many. One that can't be read is skipped.
pub(super) fn list<A: Authored>(facts: &Facts, most: usize) -> Vec<A> {
    let of_kind =
        facts.iter().filter(|(name, stored)| name.starts_with(A::PREFIX) && !stored.json.is_empty());
    let of_kind = of_kind.filter_map(|(_, stored)| facts::read(&stored.json).ok());
    let mut list: Vec<A> = of_kind.take(most).collect();
    list.sort_by(|a, b| {
        let ((_, at, author), (_, other_at, other)) = (a.origin(), b.origin());
        (at, author).cmp(&(other_at, other))
    });
    list
}

/// How many facts of a kind there are, whether they can be read or not.
pub(super) fn count<A: Authored>(facts: &Facts) -> usize {
    facts.iter().filter(|(name, stored)| name.starts_with(A::PREFIX) && !stored.json.is_empty()).count()
}

/// The tombstone of a fact, with its name. `None` if there is no such fact.
pub(super) fn tombstone<A: Authored>(facts: &Facts, name: &str, now: Micros) -> Option<(String, StoredFact)> {
    let is_there = name.starts_with(A::PREFIX) && facts.json(name).is_some();
    is_there.then(|| (name.to_owned(), StoredFact { at: after(facts, name, now), json: Vec::new() }))
}

/// The time of a change: later than the stored one, even if that came from a clock that is ahead. Otherwise copies
/// would merge the wrong way round.
pub(super) fn after(facts: &Facts, name: &str, now: Micros) -> Micros {
    let before = facts.stored(name).map(|stored| Micros(stored.at.0.saturating_add(1)));
    before.map_or(now, |before| before.max(now))
}

/// An author's name, trimmed, in one line.
pub(super) fn author(name: &str) -> Option<String> {
    let name = text(name, LONGEST_AUTHOR)?;
    (!name.contains('\n')).then_some(name)
}

/// A text, trimmed. `None` if it is empty, too long, or has control characters.
pub(super) fn text(text: &str, longest: usize) -> Option<String> {
    let text = text.trim();
    let is_plain = |letter: char| !letter.is_control() || letter == '\n';
    let fits = !text.is_empty() && text.chars().count() <= longest && text.chars().all(is_plain);
    fits.then(|| text.to_owned())
}

/// Adds the facts of one kind from another copy. The order of the two copies does not matter, and a fact that was
/// deleted later than it was written stays deleted.
pub(super) fn take<A: Authored>(merged: &mut Facts, other: &Facts) {
    for (name, theirs) in other.iter().filter(|(name, _)| name.starts_with(A::PREFIX)) {
        let both = match merged.stored(name) {
            // Written by a later version, it may hold what this one does not know.
            Some(ours) if ours == theirs => continue,
            Some(ours) => A::merged(ours, theirs),
            None => theirs.clone(),
        };
        merged.store(name, both);
    }
}

/// The later of two versions, with what `keep` takes over from the earlier one; at the same time, the last in the
/// alphabet.
pub(super) fn later<A: Authored>(one: &StoredFact, other: &StoredFact, keep: fn(&mut A, A)) -> StoredFact {
    let (early, late) =
        if (one.at, &one.json) <= (other.at, &other.json) { (one, other) } else { (other, one) };
    let (Ok(before), Ok(mut fact)) = (facts::read::<A>(&early.json), facts::read::<A>(&late.json)) else {
        // One of the two is a tombstone.
        return late.clone();
    };
    keep(&mut fact, before);
    stored(&fact, late.at)
}
