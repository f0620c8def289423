//! The lesson plan: notes in the order in which a coach goes through them.

use std::cmp::Ordering;

use super::note::Note;
use crate::authored;
use crate::facts::Facts;

/// How far a note is put from the one before it where there is no other room, millimetres.
const STEP_MM: i64 = 1000;

/// The notes of a recording, in the order of the lesson plan.
pub fn notes(facts: &Facts) -> Vec<Note> {
    let mut notes: Vec<Note> = authored::list(facts);
    notes.sort_by(plan_order);
    notes
}

/// The order of the lesson plan: where somebody moved a note, else by its place on the track.
pub fn plan_order(one: &Note, other: &Note) -> Ordering {
    let key = |note: &Note| (rank_mm(note), note.at, note.recording);
    key(one).cmp(&key(other)).then_with(|| one.author.cmp(&other.author))
}

/// The ranks that move a note by so many places, for a plan in its order: each with the place before the move of the note
/// that gets it. Usually only the moved one gets a rank; those behind it do where there is no room between its new
/// neighbours. None beyond the ends.
pub fn moved(plan: &[&Note], place: usize, by: isize) -> Vec<(usize, i64)> {
    let mut order: Vec<(usize, i64)> = plan.iter().map(|note| rank_mm(note)).enumerate().collect();
    let to = place.checked_add_signed(by).filter(|to| *to < order.len());
    let Some(to) = to.filter(|to| *to != place && place < order.len()) else { return Vec::new() };
    order.remove(place);
    let (before, behind) = order.split_at(to);
    let rank = match (before.last(), behind.first()) {
        (Some((_, before)), Some((_, behind))) if behind.saturating_sub(*before) >= 2 => {
            before + (behind - before) / 2
        }
        (Some((_, before)), _) => before.saturating_add(STEP_MM),
        (None, Some((_, behind))) => behind.saturating_sub(STEP_MM),
        (None, None) => return Vec::new(),
    };
    let mut ranks = vec![(place, rank)];
    let mut last = rank;
    for (other, own) in behind {
        if *own > last {
            break;
        }
        last = last.saturating_add(STEP_MM);
        ranks.push((*other, last));
    }
    ranks
}

/// Where a note stands in the plan. A note without a place is about the lap or the session: it comes first.
fn rank_mm(note: &Note) -> i64 {
    let place_mm = f64::from(note.distance_m.unwrap_or_default()) * 1e3;
    note.rank_mm.unwrap_or(place_mm.round() as i64)
}
