//! What differs between two sessions' set-ups.

use serde_json::{Value, json};
use trailbrake_shared::analysis::setup_differences;
use trailbrake_shared::model::{Car, CarSetup};
use trailbrake_shared::session::{Archive, ArchivedSession, ArchivedSource, Session};

use super::Driven;

/// The settings in which the car differs from the player's in the last session of another file that tells them.
pub(super) fn report(driven: &Driven<'_>, other: &Archive) -> Value {
    let one = setup_of(&driven.archived.session, Some(driven.car));
    let sessions: Vec<&ArchivedSession> = other.sources().iter().flat_map(ArchivedSource::sessions).collect();
    let other =
        sessions.iter().rev().find_map(|archived| setup_of(&archived.session, archived.session.player()));
    match one.zip(other) {
        Some((one, other)) => json!({ "differences": setup_differences(one, other) }),
        None => json!({ "untold": "the game does not tell how the car is set up in both files" }),
    }
}

fn setup_of(session: &Session, car: Option<Car>) -> Option<&CarSetup> {
    session.car(car?)?.setup.as_deref()
}
