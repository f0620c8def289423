//! The tyre panel: the four tyres and their brakes.

use leptos::prelude::*;
use trailbrake_shared::model::{Channel, Surface, Wheel};
use trailbrake_shared::settings::{TyreWindow, TyreWindows};
use trailbrake_shared::units::Units;

use super::reading::with_unit;
use super::words::word;
use crate::cockpit::{Display, TelemetryStore};
use crate::driver_settings::SettingsStore;
use crate::telemetry::Telemetry;

/// Channels of a tyre's large value: the first that the game sends is shown.
const LARGE: [Channel; 5] = [
    Channel::TyreSurfaceTemperature,
    Channel::TyreTemperature,
    Channel::TyreInnerTemperature,
    Channel::CombinedSlip,
    Channel::BrakeTemperature,
];
/// Channels of the small values and their labels, the most important first.
const SMALL: [(Channel, &str); 12] = [
    (Channel::TyreInnerTemperature, "inner"),
    (Channel::TyreWear, "wear"),
    (Channel::TyreWearLevel, "wear"),
    (Channel::TyrePressure, ""),
    (Channel::BrakeTemperature, "brake"),
    (Channel::TyreLoad, ""),
    (Channel::CombinedSlip, "slip"),
    (Channel::SlipAngle, "angle"),
    (Channel::TyreDirt, "dirt"),
    (Channel::Surface, ""),
    (Channel::TyreBlisters, "blisters"),
    (Channel::BrakeDamage, "brake wear"),
];
/// Most small values of a tyre: there is no room for more.
const MOST_SMALL: usize = 4;
/// A tyre this far above its window is hot rather than warm, in degrees Celsius.
const HOT_ABOVE_C: f64 = 10.0;
/// Damage below this, 0 to 1, is not shown.
const SLIGHT: f32 = 0.05;

/// A small value.
#[derive(Clone, Debug, PartialEq)]
struct SmallValue {
    id: &'static str,
    name: &'static str,
    value: String,
}

/// A tyre in words.
#[derive(Clone, Debug, Default, PartialEq)]
struct TyreWords {
    /// The state in one word; `None` where there is no window to judge by.
    state: Option<&'static str>,
    large: String,
    small: Vec<SmallValue>,
}

/// Whether the game sends a large value for the tyres, or at least for the brakes.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    large(telemetry, Wheel::FrontLeft).is_some()
}

/// The panel.
#[component]
pub(super) fn TyrePanel() -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let fitted = telemetry.sampled(fitted);
    let title = telemetry.sampled(|telemetry| match large(telemetry, Wheel::FrontLeft) {
        // Some games send only the brakes.
        Some((Channel::BrakeTemperature, _)) => "Brakes",
        Some((Channel::TyreSurfaceTemperature, _)) => "Tyres, surface",
        Some((Channel::TyreInnerTemperature, _)) => "Tyres, inner",
        Some((Channel::CombinedSlip, _)) => "Tyres, slip",
        _ => "Tyres",
    });
    let tyres = Wheel::ALL.map(|wheel| view! { <Tyre wheel/> });
    view! {
        // At a glance the heading is left out, except where the numbers are no tyre's temperature.
        <section
            class="panel tyres"
            class:named=move || ["Brakes", "Tyres, slip"].contains(&title.get())
            aria-label=move || title.get()
        >
            <div class="head">
                <h2>{move || title.get()}</h2>
                <span data-figure="compound">{move || fitted.get()}</span>
            </div>
            <div class="corners">{tyres}</div>
        </section>
    }
    .into_any()
}

#[component]
fn Tyre(wheel: Wheel) -> impl IntoView {
    let (telemetry, display, driver) =
        (TelemetryStore::here(), Display::here(), SettingsStore::here().driver());
    let windows = move || driver.with(|driver| driver.tyres);
    let tyre = telemetry.sampled(move |telemetry| words(telemetry, wheel, display.units.get(), windows()));
    let ids = Memo::new(move |_| {
        tyre.with(|tyre| tyre.small.iter().map(|small| (small.id, small.name)).collect::<Vec<_>>())
    });
    let small = move |(id, name): (&'static str, &'static str)| {
        let value = Memo::new(move |_| {
            tyre.with(|tyre| tyre.small.iter().find(|small| small.id == id).map(|small| small.value.clone()))
        });
        view! { <span data-figure=id>{name} " " <b>{move || value.get()}</b></span> }
    };
    view! {
        <div class="tyre" data-wheel=wheel.short() data-state=move || tyre.with(|tyre| tyre.state)>
            <div>
                <b data-figure="tyre-large">{move || tyre.with(|tyre| tyre.large.clone())}</b>
                <span data-figure="tyre-of">{move || tyre.with(|tyre| tyre.state)}</span>
            </div>
            <div class="small">
                <For each=move || ids.get() key=|id| *id let:id>{small(id)}</For>
            </div>
        </div>
    }
}

fn words(telemetry: &Telemetry, wheel: Wheel, units: Units, windows: TyreWindows) -> TyreWords {
    let Some((main, now)) = large(telemetry, wheel) else { return TyreWords::default() };
    let usual = (main == Channel::TyreSurfaceTemperature).then_some(TyreWindow::USUAL_SURFACE);
    let state = windows.of_channel(main).or(usual).map(|window| state(now.into(), window));
    let damage = value(telemetry, Channel::TyreDamage, wheel).filter(|damage| *damage >= SLIGHT);
    let damage = damage.map(|damage| SmallValue {
        id: Channel::TyreDamage.id(),
        name: "damage",
        value: with_unit(damage, units.shown(Channel::TyreDamage.unit())),
    });
    let others = SMALL.into_iter().filter(|(channel, _)| *channel != main);
    let small = others.filter_map(|(channel, name)| {
        let value = value(telemetry, channel, wheel)?;
        let value = match channel {
            Channel::Surface => {
                Surface::from_number(value as u16).map_or("unknown", Surface::name).to_owned()
            }
            channel => with_unit(value, units.shown(channel.unit())),
        };
        Some(SmallValue { id: channel.id(), name, value })
    });
    TyreWords {
        state,
        large: degrees_or_number(main, now, units),
        small: damage.into_iter().chain(small).take(MOST_SMALL).collect(),
    }
}

/// The state of a tyre, or brake, at a temperature in degrees Celsius, for the style sheet.
fn state(celsius: f64, window: TyreWindow) -> &'static str {
    match window {
        window if window.contains(celsius) => "good",
        TyreWindow { from_c, .. } if celsius < from_c => "cold",
        TyreWindow { to_c, .. } if celsius < to_c + HOT_ABOVE_C => "warm",
        _ => "hot",
    }
}

/// The large value in words. Temperatures have a bare degree sign, to be read at a glance.
fn degrees_or_number(channel: Channel, value: f32, units: Units) -> String {
    let unit = units.shown(channel.unit());
    let words = with_unit(value, unit);
    match unit.suffix.strip_prefix('°') {
        Some(_) => words.replace(&format!(" {}", unit.suffix), "°"),
        None => words,
    }
}

/// The large value and its channel. `None` if the game sends none of them.
fn large(telemetry: &Telemetry, wheel: Wheel) -> Option<(Channel, f32)> {
    LARGE.into_iter().find_map(|channel| Some((channel, value(telemetry, channel, wheel)?)))
}

fn value(telemetry: &Telemetry, channel: Channel, wheel: Wheel) -> Option<f32> {
    let session = telemetry.session()?;
    session.car(session.watched()?)?.latest.value(channel.of(wheel))
}

/// The fitted compound, in the game's words.
fn fitted(telemetry: &Telemetry) -> Option<String> {
    let vehicle = || {
        let session = telemetry.session()?;
        session.car(session.watched()?)?.vehicle.as_ref()?.tyres.clone()
    };
    word(telemetry, Channel::TyreCompound).or_else(vehicle)
}

/// Whether the panel shows a channel.
#[cfg(test)]
pub(super) fn shows(channel: Channel) -> bool {
    let small = SMALL.iter().map(|(channel, _)| *channel);
    let others = [Channel::TyreDamage, Channel::TyreCompound];
    LARGE.into_iter().chain(small).chain(others).any(|other| other == channel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tyre_is_judged_by_its_window() {
        let window = TyreWindow { from_c: 80.0, to_c: 100.0 };
        let expected = [(79.9, "cold"), (80.0, "good"), (100.0, "good"), (100.1, "warm"), (110.0, "hot")];
        for (celsius, name) in expected {
            assert_eq!(state(celsius, window), name, "{celsius} °C");
        }
    }
}
