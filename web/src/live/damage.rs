//! The damage panel: the damage of the car's parts.

use leptos::prelude::*;
use trailbrake_shared::model::Channel;
use trailbrake_shared::units::{Unit, Units};

use super::reading::{Reading, ReadingPanel};
use super::words::latest;
use crate::cockpit::{Display, TelemetryStore};
use crate::telemetry::Telemetry;

const PARTS: [(Channel, &str); 24] = [
    (Channel::DamageFrontLeftWing, "Front wing, left"),
    (Channel::DamageFrontRightWing, "Front wing, right"),
    (Channel::DamageRearWing, "Rear wing"),
    (Channel::DamageEngine, "Engine"),
    (Channel::DamageGearbox, "Gearbox"),
    (Channel::DamageExhaust, "Exhaust"),
    (Channel::DamageFloor, "Floor"),
    (Channel::DamageDiffuser, "Diffuser"),
    (Channel::DamageSidepod, "Sidepod"),
    (Channel::DrsFault, "DRS"),
    (Channel::ErsFault, "ERS"),
    (Channel::EngineBlown, "Engine blown"),
    (Channel::EngineSeized, "Engine seized"),
    (Channel::WearCombustionEngine, "Wear, engine"),
    (Channel::WearTurbo, "Wear, turbo"),
    (Channel::WearMguK, "Wear, MGU-K"),
    (Channel::WearMguH, "Wear, MGU-H"),
    (Channel::WearEnergyStore, "Wear, energy store"),
    (Channel::WearControlElectronics, "Wear, electronics"),
    // Levels that the game measures in its own way.
    (Channel::DamageLevelBody, "Body"),
    (Channel::DamageLevelAero, "Wings and floor"),
    (Channel::DamageLevelSuspension, "Suspension"),
    (Channel::DamageLevelEngine, "Engine"),
    (Channel::DamageLevelGearbox, "Gearbox"),
];
/// A part with at least this damage, 0 to 1, is worth a pit stop.
const BAD: f32 = 0.4;
/// Damage below this, 0 to 1, is too slight to feel.
const SLIGHT: f32 = 0.05;
/// Damage below this, 0 to 1, is shown as none.
const LEAST: f32 = 0.005;

/// Whether the game sends any of these values.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    PARTS.iter().any(|(channel, _)| latest(telemetry, *channel).is_some())
}

/// The panel.
#[component]
pub(super) fn DamagePanel() -> impl IntoView {
    let (telemetry, display) = (TelemetryStore::here(), Display::here());
    let readings = telemetry.sampled(move |telemetry| readings(telemetry, display.units.get()));
    view! { <ReadingPanel id="damage" label="Damage" readings/> }
}

/// The parts that are damaged; what is sound is one row.
fn readings(telemetry: &Telemetry, units: Units) -> Vec<Reading> {
    let mut readings = Vec::new();
    let mut any_sound = false;
    for (channel, label) in PARTS {
        let Some(value) = latest(telemetry, channel) else { continue };
        if value < LEAST {
            any_sound = true;
            continue;
        }
        // A fault is there or not.
        if channel.unit() == Unit::Count {
            readings.push(Reading::new(label, "broken").toned("bad"));
            continue;
        }
        let tone = if value >= BAD {
            "bad"
        } else if value >= SLIGHT {
            "warn"
        } else {
            ""
        };
        let shown = Reading::number(label, value, units.shown(channel.unit()));
        readings.push(shown.of_full(value).toned(tone));
    }
    if any_sound {
        let sound = if readings.is_empty() { "All parts" } else { "Other parts" };
        readings.push(Reading::new(sound, "no damage").toned("good"));
    }
    readings
}

/// Whether the panel shows a channel.
#[cfg(test)]
pub(super) fn shows(channel: Channel) -> bool {
    PARTS.iter().any(|(other, _)| *other == channel)
}
