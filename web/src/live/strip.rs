//! What is read on a straight: flag or safety car, position, DRS, and the last corner against the reference.

use leptos::prelude::*;
use trailbrake_shared::model::Channel;
use trailbrake_shared::number;
use trailbrake_shared::units::Units;

use super::flags::flag;
use super::words::latest;
use crate::cockpit::Cockpit;
use crate::telemetry::Telemetry;

/// A smaller difference is none, seconds.
const LEVEL_S: f64 = 0.01;

/// A badge: its name and its state for the style sheet, and its words.
type Badge = (&'static str, &'static str, &'static str);

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
    let badges = cockpit.sampled(badges);
    let badge =
        |(name, state, words): Badge| view! { <b class="badge" data-badge=name data-state=state>{words}</b> };
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
            {move || badges.get().into_iter().map(badge).collect_view()}
            {corner}
        </div>
    }
}

/// What the driver can use now, or has to switch off.
fn badges(telemetry: &Telemetry) -> Vec<Badge> {
    let is_on = |channel| latest(telemetry, channel).is_some_and(|value| value > 0.0);
    let drs = match (is_on(Channel::Drs), is_on(Channel::DrsAllowed)) {
        (true, _) => Some(("drs", "on", "DRS")),
        (false, true) => Some(("drs", "ready", "DRS")),
        (false, false) => None,
    };
    let limiter = is_on(Channel::PitLimiter).then_some(("limiter", "on", "Pit limiter"));
    drs.into_iter().chain(limiter).collect()
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
