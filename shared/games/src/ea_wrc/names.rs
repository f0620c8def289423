//! What numbers of the game mean.

use trailbrake_model::ResultStatus;

/// The status of a stage that was finished.
const FINISHED: f64 = 1.0;

/// Whether the game says that the stage is finished.
pub(super) fn is_finished(status: f64) -> bool {
    status == FINISHED
}

/// How a stage ended before its finish; `None` while it is driven, once it is finished, and for unknown numbers.
pub(super) fn out(status: f64) -> Option<ResultStatus> {
    match status as u8 {
        // Over the time limit, and damaged beyond repair at the roadside.
        2 | 3 => Some(ResultStatus::NotClassified),
        4 => Some(ResultStatus::Retired),
        5 => Some(ResultStatus::Disqualified),
        _ => None,
    }
}

/// The mode that the game is played in.
pub(super) fn mode(number: f64) -> String {
    let name = match number as u8 {
        0 => "time trial",
        1 => "quick play, multiplayer",
        2 => "quick play, solo",
        3 => "esports",
        4 => "career",
        5 => "test drive",
        6 => "moments",
        7 => "clubs",
        8 => "championship",
        9 => "rally school",
        _ => return format!("mode {number}"),
    };
    name.to_owned()
}
