//! The running order of a race between line crossings, for which the server has no message.

use std::cmp::Ordering;

use super::roster::{Roster, Seat};

/// Ranks the cars by track position. Returns the slots whose position changed.
///
/// While the track position of any driving car is unknown, so is the order.
pub(super) fn rank(roster: &mut Roster) -> Vec<u8> {
    let mut driving: Vec<(u8, Option<u8>, f32)> = Vec::new();
    for (slot, seat) in roster.seats().filter(|(_, seat)| seat.is_there()) {
        let Some(distance) = seat.drive.distance() else { return Vec::new() };
        driving.push((slot, finished(seat), distance));
    }
    driving.sort_by(|(_, own, own_laps), (_, other, other_laps)| match (own, other) {
        // A finished car keeps its result, wherever it rolls.
        (Some(own), Some(other)) => own.cmp(other),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => other_laps.total_cmp(own_laps),
    });
    let mut changed = Vec::new();
    for (place, (slot, ..)) in (1..=u8::MAX).zip(driving) {
        let Some(seat) = roster.seat_mut(slot) else { continue };
        if std::mem::replace(&mut seat.drive.position, place) != place {
            changed.push(slot);
        }
    }
    changed
}

fn finished(seat: &Seat) -> Option<u8> {
    seat.drive.finished.then_some(seat.drive.position)
}
