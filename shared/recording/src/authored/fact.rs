//! Facts that people write: recording, moment and author are in the name, so that copies of one recording can be merged.

use trailbrake_model::time::Micros;

use super::error::{AuthoredError, AuthoredKind, LONGEST_AUTHOR};
use crate::RecordingId;
use crate::facts::{self, Fact, Facts, StoredFact};
use crate::open::Recording;

/// A fact to store: its name and content.
pub type Change = (String, StoredFact);

/// A fact that a person writes.
pub trait Authored: Fact {
    /// Its kind.
    const KIND: AuthoredKind;
    /// What a person says to write one.
    type New;

    /// What a person says, as a fact of a recording, if it is possible.
    fn checked(new: &Self::New, recording: &Recording, now: Micros) -> Result<Self, AuthoredError>;

    /// Takes over what stays of the version that it replaces, given with the time at which that was stored. `at` is the
    /// time of this one.
    fn replace(&mut self, _new: &Self::New, _before: Option<(Self, Micros)>, _at: Micros) {}

    /// The recording it is about, its moment, and its author.
    fn origin(&self) -> (RecordingId, Micros, &str);

    /// Merges the versions of two copies, either of which may be a tombstone. The order of the two does not matter.
    fn merged(one: &StoredFact, other: &StoredFact) -> StoredFact;

    /// The fact's name: recording, moment and author, so that it is the same in every copy.
    fn name(&self) -> String {
        let (recording, at, author) = self.origin();
        format!("{}{recording}/{}/{author}", Self::KIND.prefix(), at.0)
    }

    /// The fact as stored, written or changed at `written`.
    fn stored(&self, written: Micros) -> StoredFact {
        StoredFact { at: written, json: facts::write(self) }
    }
}

/// A new fact. It replaces the same author's fact about the same moment among `facts`, the recording's own or later ones.
pub fn written<A: Authored>(
    recording: &Recording,
    facts: &Facts,
    new: &A::New,
    now: Micros,
) -> Result<Change, AuthoredError> {
    let mut fact = A::checked(new, recording, now)?;
    let at = after(facts, &fact.name(), now);
    let before = facts.stored(&fact.name());
    fact.replace(new, before.and_then(|stored| Some((facts::read(&stored.json).ok()?, stored.at))), at);
    put(facts, &fact, now)
}

/// A fact among `facts`, new or in place of its earlier version, unless there are too many of its kind.
pub fn put<A: Authored>(facts: &Facts, fact: &A, now: Micros) -> Result<Change, AuthoredError> {
    let name = fact.name();
    if facts.json(&name).is_none() && count(facts, A::KIND) >= A::KIND.most() {
        return Err(AuthoredError::Many(A::KIND));
    }
    let stored = fact.stored(after(facts, &name, now));
    Ok((name, stored))
}

/// A changed fact.
pub fn changed<A: Authored>(
    facts: &Facts,
    name: &str,
    change: impl FnOnce(&mut A) -> Result<(), AuthoredError>,
    now: Micros,
) -> Result<Change, AuthoredError> {
    let json = facts.json(name).filter(|_| AuthoredKind::of(name) == Some(A::KIND));
    let fact = json.and_then(|json| facts::read(json).ok());
    let mut fact: A = fact.ok_or(AuthoredError::NotThere(A::KIND))?;
    change(&mut fact)?;
    Ok((name.to_owned(), fact.stored(after(facts, name, now))))
}

/// The tombstone of a fact.
pub fn deleted(facts: &Facts, kind: AuthoredKind, name: &str, now: Micros) -> Result<Change, AuthoredError> {
    if AuthoredKind::of(name) != Some(kind) || facts.json(name).is_none() {
        return Err(AuthoredError::NotThere(kind));
    }
    Ok((name.to_owned(), StoredFact { at: after(facts, name, now), json: Vec::new() }))
}

/// How many facts of a kind there are, whether they can be read or not.
pub fn count(facts: &Facts, kind: AuthoredKind) -> usize {
    of_kind(facts, kind).count()
}

/// The facts of a kind in the order of their names, as many as may be written. One that can't be read is skipped.
pub(crate) fn list<A: Authored>(facts: &Facts) -> Vec<A> {
    let read = of_kind(facts, A::KIND).filter_map(|stored| facts::read(&stored.json).ok());
    read.take(A::KIND.most()).collect()
}

fn of_kind(facts: &Facts, kind: AuthoredKind) -> impl Iterator<Item = &StoredFact> {
    let facts =
        facts.iter().filter(move |(name, stored)| name.starts_with(kind.prefix()) && !stored.json.is_empty());
    facts.map(|(_, stored)| stored)
}

/// The moment in the name of a fact of a kind. `None` for another kind of fact.
pub(crate) fn moment(name: &str, kind: AuthoredKind) -> Option<Micros> {
    let (_, rest) = name.strip_prefix(kind.prefix())?.split_once('/')?;
    rest.split('/').next()?.parse().ok().map(Micros)
}

/// The time of a change: later than the stored one, even if that came from a clock that is ahead. Otherwise copies
/// would merge the wrong way round.
fn after(facts: &Facts, name: &str, now: Micros) -> Micros {
    let before = facts.stored(name).map(|stored| Micros(stored.at.0.saturating_add(1)));
    before.map_or(now, |before| before.max(now))
}

/// An author's name, trimmed, in one line.
pub(crate) fn author<A: Authored>(name: &str) -> Result<String, AuthoredError> {
    text(name, LONGEST_AUTHOR).filter(|name| !name.contains('\n')).ok_or(AuthoredError::Author(A::KIND))
}

/// A text, trimmed. `None` if it is empty, too long, or has control characters.
pub(crate) fn text(text: &str, longest: usize) -> Option<String> {
    let text = text.trim();
    let is_plain = |letter: char| !letter.is_control() || letter == '\n';
    let fits = !text.is_empty() && text.chars().count() <= longest && text.chars().all(is_plain);
    fits.then(|| text.to_owned())
}

/// The later of two versions, with what `keep` takes over from the earlier one; at the same time, the last in the
/// alphabet.
pub(crate) fn later<A: Authored>(one: &StoredFact, other: &StoredFact, keep: fn(&mut A, A)) -> StoredFact {
    let (early, late) =
        if (one.at, &one.json) <= (other.at, &other.json) { (one, other) } else { (other, one) };
    let (Ok(before), Ok(mut fact)) = (facts::read::<A>(&early.json), facts::read::<A>(&late.json)) else {
        // One of the two is a tombstone.
        return late.clone();
    };
    keep(&mut fact, before);
    fact.stored(late.at)
}
