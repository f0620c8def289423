//! The differences between the setups of two sessions.

use serde_json::{Value, json};
use trailbrake_shared::analysis::setup_differences;
use trailbrake_shared::model::CarSetup;
use trailbrake_shared::session::{Archive, Session};

use crate::files::OpenedLap;

/// The settings that differ from the player's setup in the last session of another file that has one.
pub(super) fn report(lap: &OpenedLap, other: &Archive) -> Value {
    let sessions: Vec<&Session> = other.sources().iter().flat_map(|source| source.session.iter()).collect();
    let other = sessions.into_iter().rev().find_map(setup_of_player);
    match lap.context.setup.as_deref().zip(other) {
        Some((one, other)) => json!({ "differences": setup_differences(one, other) }),
        None => json!({ "unavailable": "the game doesn't send the car's setup in both files" }),
    }
}

fn setup_of_player(session: &Session) -> Option<&CarSetup> {
    session.car(session.player()?)?.setup.as_deref()
}
