//! What is read on a straight: flag or safety car, position, and the last corner against the reference.

use leptos::prelude::*;
use trailbrake_shared::model::{Channel, Flag, SafetyCar};
use trailbrake_shared::number;
use trailbrake_shared::session::Session;
use trailbrake_shared::units::Units;

use super::words::latest;
use crate::cockpit::Cockpit;
use crate::telemetry::Telemetry;

/// A smaller difference is none, seconds.
const LEVEL_S: f64 = 0.01;

/// A flag: its colour for the style sheet, and its words.
type FlagWords = (&'static str, &'static str);

/// The last corner against the reference.
#[derive(Clone, Debug, Default, PartialEq)]
struct CornerWords {
    corner: String,
    difference: String,
    lost: String,
    trend: &'static str,
}

/// The line below the dash.
#[component]
pub(super) fn Strip() -> impl IntoView {
    let cockpit = Cockpit::here();
    let flag = cockpit.sampled(flag);
    let position = cockpit.sampled(position);
    let corner = cockpit.sampled(move |telemetry| last_corner(telemetry, cockpit.units.get()));
    let corner = move || {
        corner.get().map(|CornerWords { corner, difference, lost, trend }| {
            view! {
                <p class="corner" data-figure="last-corner" data-trend=trend>
                    <b>{corner}</b>
                    " "
                    <span>{difference}</span>
                    " "
                    <b class="lost">{lost}</b>
                </p>
            }
        })
    };
    view! {
        <div class="strip">
            {move || flag.get().map(|(colour, words)| view! { <b class="flag" data-flag=colour>{words}</b> })}
            {move || position.get().map(|words| view! { <b class="position" data-figure="position">{words}</b> })}
            {corner}
        </div>
    }
}

fn flag(telemetry: &Telemetry) -> Option<FlagWords> {
    let slowed = telemetry.session().and_then(Session::info).and_then(|info| info.safety_car);
    match slowed {
        Some(SafetyCar::Full) => return Some(("yellow", "Safety car")),
        Some(SafetyCar::Virtual) => return Some(("yellow", "Virtual safety car")),
        _ => {}
    }
    match Flag::from_number(latest(telemetry, Channel::Flag)? as i8) {
        Flag::Green => Some(("green", "Green flag")),
        Flag::Blue => Some(("blue", "Blue flag")),
        Flag::Yellow => Some(("yellow", "Yellow flag")),
        Flag::Red => Some(("red", "Red flag")),
        _ => None,
    }
}

/// The watched car's position among all, if the game sends positions.
fn position(telemetry: &Telemetry) -> Option<String> {
    let session = telemetry.session()?;
    let position = session.car(session.watched()?)?.progress?.position;
    let cars = session.cars().filter(|(_, car)| car.takes_part() && car.progress.is_some()).count();
    (position > 0 && cars > 1).then(|| format!("P{position}/{cars}"))
}

fn last_corner(telemetry: &Telemetry, units: Units) -> Option<CornerWords> {
    let session = telemetry.session().filter(|session| session.watched() == session.player())?;
    let result = session.live_comparison().corners().latest()?;
    let corner = match &result.corner.name {
        Some(name) => name.clone(),
        None => format!("T{}", result.corner.number),
    };
    let trend = if result.loss_s <= -LEVEL_S {
        "ahead"
    } else if result.loss_s >= LEVEL_S {
        "behind"
    } else {
        "level"
    };
    let lost = number::write_signed(result.loss_s, 2);
    Some(CornerWords { corner, difference: result.words(&units), lost, trend })
}
