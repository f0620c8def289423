//! The flag that the driver sees, in words.

use trailbrake_shared::model::{Channel, Flag, SafetyCar};
use trailbrake_shared::session::Session;

use super::words::latest;
use crate::telemetry::Telemetry;

/// A flag: its colour for the style sheet, and its words.
pub(super) type FlagWords = (&'static str, &'static str);

/// The safety car, else the flag that the game shows to the watched car. `None` without either.
pub(super) fn flag(telemetry: &Telemetry) -> Option<FlagWords> {
    let slowed = telemetry.session().and_then(Session::info).and_then(|info| info.safety_car);
    match slowed {
        Some(SafetyCar::Full) => return Some(("yellow", "Safety car")),
        Some(SafetyCar::Virtual) => return Some(("yellow", "Virtual safety car")),
        _ => {}
    }
    let flag = Flag::from_number(latest(telemetry, Channel::Flag)? as i8);
    let words = match flag {
        Flag::Green => "Green flag",
        Flag::Blue => "Blue flag",
        Flag::Yellow => "Yellow flag",
        Flag::Red => "Red flag",
        _ => return None,
    };
    Some((colour(flag), words))
}

/// A flag's colour for the style sheet.
pub(super) const fn colour(flag: Flag) -> &'static str {
    match flag {
        Flag::Green => "green",
        Flag::Blue => "blue",
        Flag::Yellow => "yellow",
        Flag::Red => "red",
        Flag::None | Flag::Unknown | Flag::Other(_) => "none",
    }
}
