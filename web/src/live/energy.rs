//! The energy panel: fuel and the laps that it lasts for, hybrid systems, DRS and boost.

use leptos::prelude::*;
use trailbrake_shared::analysis::FuelUse;
use trailbrake_shared::model::{Channel, SessionKind};
use trailbrake_shared::number;
use trailbrake_shared::session::{Session, fuel_use};
use trailbrake_shared::units::{Unit, Units};

use super::reading::{Reading, ReadingPanel, Value};
use super::words::{latest, word};
use crate::cockpit::{Display, TelemetryStore};
use crate::telemetry::Telemetry;
use crate::text::figures::figure;

/// Channels of the fuel, the most useful unit first, each with the channel of a full tank.
const FUEL: [(Channel, Option<Channel>); 4] = [
    (Channel::Fuel, Some(Channel::FuelCapacity)),
    (Channel::FuelVolume, Some(Channel::FuelVolumeCapacity)),
    (Channel::FuelShare, None),
    (Channel::FuelLevel, None),
];
/// Channels with a bar, their labels, and the channel of a full store. Without that, the bar is of the channel's range.
const STORES: [(Channel, &str, Option<Channel>); 5] = [
    (Channel::ErsStore, "ERS", Some(Channel::ErsCapacity)),
    (Channel::ErsDeployed, "Deployed", None),
    (Channel::KersLevel, "KERS", Some(Channel::KersCapacity)),
    (Channel::PowerEngine, "Engine power", None),
    (Channel::PowerMguK, "MGU-K power", None),
];
/// Energy that the MGU-K (brakes) and the MGU-H (turbo) have harvested in this lap.
const HARVESTED: [Channel; 2] = [Channel::ErsHarvestedMguK, Channel::ErsHarvestedMguH];
/// Channels of the turbo's boost, the preferred one first.
const BOOST: [Channel; 2] = [Channel::Boost, Channel::BoostLevel];
/// Fuel for fewer laps than this beyond the finish is worth a warning.
const RESERVE_LAPS: f64 = 0.5;

/// Whether the game sends any of these values.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    !readings(telemetry, None, Units::default()).is_empty()
}

/// The panel.
#[component]
pub(super) fn EnergyPanel() -> impl IntoView {
    let (display, telemetry) = (Display::here(), TelemetryStore::here());
    // Fuel use is computed again only when laps, car or session change.
    let laps = telemetry.sampled(|telemetry| {
        let session = telemetry.session()?;
        Some((telemetry.generation(), session.laps_changed(), session.watched()?))
    });
    let fuel = Memo::new(move |_| {
        let (_, _, car) = laps.get()?;
        telemetry.look(|telemetry| fuel_use(telemetry.session()?, car))
    });
    let readings = telemetry
        .sampled(move |telemetry| fuel.with(|fuel| readings(telemetry, fuel.as_ref(), display.units.get())));
    view! { <ReadingPanel id="energy" label="Fuel and energy" readings/> }
}

fn readings(telemetry: &Telemetry, fuel: Option<&FuelUse>, units: Units) -> Vec<Reading> {
    let mut readings = fuel_readings(telemetry, fuel, units);
    for (channel, label, full) in STORES {
        let Some(value) = latest(telemetry, channel) else { continue };
        let full = full.and_then(|full| latest(telemetry, full)).filter(|full| *full > 0.0);
        let share = value / full.unwrap_or(channel.range().1);
        let reading = Reading::number(label, value, units.shown(channel.unit())).of_full(share);
        let mode = word(telemetry, Channel::ErsMode).filter(|_| channel == Channel::ErsStore);
        readings.push(match mode {
            Some(mode) => Reading { value: Value::Words(format!("{mode} · {}", reading.value)), ..reading },
            None => reading,
        });
    }
    readings.extend(harvested(telemetry, units));
    readings.extend(drs(telemetry));
    let boost = BOOST.into_iter().find_map(|channel| Some((channel, latest(telemetry, channel)?)));
    if let Some((channel, boost)) = boost {
        let share = boost / channel.range().1;
        readings.push(Reading::number("Boost", boost, units.shown(channel.unit())).of_full(share));
    }
    if let Some(recovery) = latest(telemetry, Channel::EnergyRecovery) {
        readings.push(Reading::number("Recovery", recovery, Unit::Number.shown()));
    }
    readings
}

fn fuel_readings(telemetry: &Telemetry, fuel: Option<&FuelUse>, units: Units) -> Vec<Reading> {
    let sent =
        FUEL.into_iter().find_map(|(channel, full)| Some((channel, full, latest(telemetry, channel)?)));
    let Some((channel, full, left)) = sent else { return Vec::new() };
    let unit = units.shown(channel.unit());
    let full = full.and_then(|full| latest(telemetry, full)).filter(|full| *full > 0.0);
    let share = left / full.unwrap_or(channel.range().1);
    let mut readings = vec![Reading::number("Fuel", left, unit).of_full(share)];
    if let Some(fuel) = fuel.filter(|fuel| fuel.channel == channel && fuel.per_lap > 0.0) {
        // Fuel per lap is a small value: show one more decimal.
        let number = number::write(unit.value(fuel.per_lap) - unit.offset, unit.decimals + 1);
        readings.push(Reading::new("Fuel per lap", format!("{number} {}", unit.suffix)));
        let laps = f64::from(left) / fuel.per_lap;
        readings.push(Reading::new("Fuel for", format!("{} laps", number::write(laps, 1))));
        if let Some(to_go) = telemetry.session().and_then(laps_to_go) {
            let spare = laps - to_go;
            let tone = if spare < 0.0 {
                "bad"
            } else if spare < RESERVE_LAPS {
                "warn"
            } else {
                "good"
            };
            let words = format!("{} laps", number::write_signed(spare, 1));
            readings.push(Reading::new("At the finish", words).toned(tone));
        }
    }
    readings.extend(word(telemetry, Channel::FuelMix).map(|mix| Reading::new("Fuel mix", mix)));
    readings
}

/// The laps that the watched car still has to drive. `None` outside a race, and if its length is unknown.
fn laps_to_go(session: &Session) -> Option<f64> {
    let info = session.info().filter(|info| matches!(info.kind, SessionKind::Race(_)))?;
    let total = info.total_laps.filter(|total| *total > 1)?;
    let progress = session.car(session.watched()?)?.progress()?;
    let length = info.track_length_m.filter(|length| *length > 0.0);
    let driven =
        progress.distance.zip(length).map_or(0.0, |(metres, length)| metres / length).clamp(0.0, 1.0);
    let laps = f64::from(total) - f64::from(progress.lap.saturating_sub(1)) - f64::from(driven);
    Some(laps.max(0.0))
}

fn harvested(telemetry: &Telemetry, units: Units) -> Option<Reading> {
    let unit = units.shown(Unit::Joules);
    let values: Vec<f32> = HARVESTED.into_iter().filter_map(|channel| latest(telemetry, channel)).collect();
    let words: Vec<String> = values.iter().map(|value| figure(Some(*value), unit)).collect();
    let share = values.iter().sum::<f32>() / Channel::ErsHarvestedMguK.range().1;
    let words = format!("{} {}", words.join(" + "), unit.suffix);
    (!values.is_empty()).then(|| Reading::new("Harvested", words).of_full(share))
}

/// The state of the DRS. `None` if it is not open and the game does not send whether it is allowed.
fn drs(telemetry: &Telemetry) -> Option<Reading> {
    let is_open = latest(telemetry, Channel::Drs).is_some_and(|open| open > 0.0);
    let allowed = latest(telemetry, Channel::DrsAllowed);
    let (words, tone) = match (is_open, allowed) {
        (true, _) => ("open", "good"),
        (false, Some(allowed)) if allowed > 0.0 => ("allowed", "warn"),
        (false, Some(_)) => ("closed", ""),
        (false, None) => return None,
    };
    Some(Reading::new("DRS", words).toned(tone))
}

/// Whether the panel shows a channel.
#[cfg(test)]
pub(super) fn shows(channel: Channel) -> bool {
    let fuel = FUEL.into_iter().flat_map(|(channel, full)| [Some(channel), full]);
    let stores = STORES.into_iter().flat_map(|(channel, _, full)| [Some(channel), full]);
    let others =
        [Channel::ErsMode, Channel::FuelMix, Channel::Drs, Channel::DrsAllowed, Channel::EnergyRecovery];
    let all = fuel.chain(stores).flatten().chain(HARVESTED).chain(BOOST).chain(others);
    all.into_iter().any(|other| other == channel)
}
