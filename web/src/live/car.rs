//! The car panel: engine temperatures and oil pressure, setup, driver aids and switches.

use leptos::prelude::*;
use trailbrake_shared::model::{CarSetup, Channel};
use trailbrake_shared::units::Units;

use super::reading::{Reading, ReadingPanel};
use super::words::{latest, word};
use crate::cockpit::{Display, TelemetryStore};
use crate::telemetry::Telemetry;
use crate::text::figures::gear;

/// Channels shown with their unit, and their labels.
const MEASURED: [(Channel, &str); 6] = [
    (Channel::EngineTemperature, "Engine"),
    (Channel::WaterTemperature, "Water"),
    (Channel::OilTemperature, "Oil"),
    (Channel::OilPressure, "Oil pressure"),
    (Channel::BrakeBias, "Brake bias"),
    (Channel::Clutch, "Clutch"),
];
/// Driver aids: the label, the channel of the setting, and the channel that says whether the aid acts now.
const AIDS: [(&str, Option<Channel>, Option<Channel>); 3] = [
    ("Traction control", Some(Channel::TractionControl), Some(Channel::TcsActive)),
    ("ABS", Some(Channel::Abs), Some(Channel::AbsActive)),
    ("Stability control", None, Some(Channel::AsmActive)),
];
/// Channels shown as on or off, and their labels.
const SWITCHES: [(Channel, &str); 4] = [
    (Channel::PitLimiter, "Pit limiter"),
    (Channel::RevLimiter, "Rev limiter"),
    (Channel::Handbrake, "Handbrake"),
    (Channel::Lights, "Lights"),
];

/// Whether the game sends any of these values.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    !readings(telemetry, Units::default()).is_empty()
}

/// The panel.
#[component]
pub(super) fn CarPanel() -> impl IntoView {
    let (telemetry, display) = (TelemetryStore::here(), Display::here());
    let readings = telemetry.sampled(move |telemetry| readings(telemetry, display.units.get()));
    view! { <ReadingPanel id="car" label="Car" readings/> }
}

fn readings(telemetry: &Telemetry, units: Units) -> Vec<Reading> {
    let measured = MEASURED.into_iter().filter_map(|(channel, label)| {
        let value = latest(telemetry, channel)?;
        Some(Reading::number(label, value, units.shown(channel.unit())))
    });
    let setup = setup(telemetry).map(|setup| {
        let CarSetup { differential_on_throttle_percent: on, differential_off_throttle_percent: off, .. } =
            setup;
        Reading::new("Differential", format!("{on} / {off} %"))
    });
    let aids = AIDS.into_iter().filter_map(|(label, set, acts)| aid(telemetry, label, set, acts));
    // The game suggests none while it is 0.
    let suggested = latest(telemetry, Channel::SuggestedGear).filter(|gear| *gear > 0.0);
    let suggested = suggested.map(|suggested| Reading::new("Suggested gear", gear(Some(suggested))));
    let switches = SWITCHES.into_iter().filter_map(|(channel, label)| {
        let is_on = latest(telemetry, channel)? > 0.0;
        let words = if is_on { "on" } else { "off" };
        Some(Reading::new(label, words).toned(if is_on { "warn" } else { "" }))
    });
    measured.chain(setup).chain(aids).chain(suggested).chain(switches).collect()
}

/// The watched car's setup. `None` if the game does not send it.
fn setup(telemetry: &Telemetry) -> Option<CarSetup> {
    let session = telemetry.session()?;
    session.car(session.watched()?)?.setup.as_deref().copied()
}

fn aid(
    telemetry: &Telemetry,
    label: &'static str,
    set: Option<Channel>,
    acts: Option<Channel>,
) -> Option<Reading> {
    let setting = set.and_then(|channel| Some((channel, latest(telemetry, channel)?)));
    let acts = acts.and_then(|channel| latest(telemetry, channel));
    if acts.is_some_and(|acts| acts > 0.0) {
        return Some(Reading::new(label, "active").toned("warn"));
    }
    let words = match setting {
        Some((_, 0.0)) => "off".to_owned(),
        // A level above 1 has a name or a number. Anything else is a plain switch.
        Some((Channel::TractionControl, level)) if level > 1.0 => word(telemetry, Channel::TractionControl)?,
        Some(_) => "on".to_owned(),
        None => acts.map(|_| "ready".to_owned())?,
    };
    Some(Reading::new(label, words))
}

/// Whether the panel shows a channel.
#[cfg(test)]
pub(super) fn shows(channel: Channel) -> bool {
    let listed = MEASURED.iter().chain(&SWITCHES).map(|(channel, _)| *channel);
    let aids = AIDS.iter().flat_map(|(_, set, acts)| [*set, *acts]).flatten();
    listed.chain(aids).chain([Channel::SuggestedGear]).any(|other| other == channel)
}
