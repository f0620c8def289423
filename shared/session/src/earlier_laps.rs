//! Gives a session laps that were decoded separately: from before its first packet, from an earlier session, or a rival's.

use trailbrake_analysis::Combo;
use trailbrake_analysis::laps::Lap;
use trailbrake_model::Columns;

use super::{LapRow, Outline, RivalLap, Session};

/// Takes the columns of a recalled lap that were decoded separately; `lap` is on their clock. Returns false if the
/// lap has not ended in this session.
pub fn recall_lap(session: &mut Session, row: &LapRow, lap: &Lap, columns: &Columns) -> bool {
    let serial = row.lap.serial;
    let Some(state) = session.cars.get_mut(row.car) else { return false };
    let ended = state.laps.lap(serial).filter(|known| known.ended_s.is_some());
    let Some(known) = ended.cloned() else { return false };
    let mut columns = columns.clone();
    columns.shift_seconds(known.began_s - lap.began_s);
    state.traces.recall(serial, columns);
    if session.focus.player == Some(row.car) {
        session.live_comparison.find_reference(state);
        session.live_comparison.follow_again();
    }
    session.learn_outline(row.car, &known);
    true
}

/// Takes the player's best lap of earlier sessions on this track in this car. It is the reference until they set
/// one in this session, and gives the track outline. Returns whether it can serve as a reference.
pub fn take_earlier_best(session: &mut Session, lap: &Lap, columns: &Columns) -> bool {
    let Some(state) = session.player().and_then(|player| session.cars.get(player)) else { return false };
    session.live_comparison.take_earlier(lap, columns, state);
    session.take_outline(Outline::of(columns, !session.is_stage()));
    session.live_comparison.has_earlier()
}

/// Takes a rival's lap as what [`DeltaTarget::Rival`](super::DeltaTarget::Rival) means; `own` is what is driven here.
pub fn take_rival(session: &mut Session, rival: &RivalLap, own: &Combo) {
    let sent = session.info().and_then(|info| info.track_length_m).filter(|length| *length > 0.0);
    let Some(state) = session.focus.player.and_then(|player| session.cars.get(player)) else { return };
    session.live_comparison.take_rival(rival, own, sent.map(f64::from), state);
}
