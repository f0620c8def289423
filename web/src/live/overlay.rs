//! The overlay: values of the live session on a transparent background, for a broadcast:
//! `/overlay?show=delta,gear,map`.

use leptos::prelude::*;
use trailbrake_shared::model::Channel;
use trailbrake_shared::units::Unit;

use super::dash::in_gear;
use super::delta::DeltaFigure;
use super::track::TrackPanel;
use super::words::latest;
use crate::browser;
use crate::cockpit::{Display, TelemetryStore};
use crate::route;
use crate::text::figures::figure;

/// A part of the overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Delta,
    Gear,
    Speed,
    Map,
}

impl Part {
    const ALL: [Self; 4] = [Self::Delta, Self::Gear, Self::Speed, Self::Map];
    /// The parts that are shown when the address names none.
    const USUAL: [Self; 3] = [Self::Delta, Self::Gear, Self::Speed];

    /// The part's name in the address.
    const fn id(self) -> &'static str {
        match self {
            Self::Delta => "delta",
            Self::Gear => "gear",
            Self::Speed => "speed",
            Self::Map => "map",
        }
    }

    /// The parts that an address names, in the address's order. Unknown names are skipped.
    fn named(search: &str) -> Vec<Self> {
        let names = route::value(search, "show").unwrap_or_default().replace("%2C", ",");
        let part = |name: &str| Self::ALL.into_iter().find(|part| part.id() == name);
        let parts: Vec<Self> = names.split(',').filter_map(part).collect();
        if parts.is_empty() { Self::USUAL.to_vec() } else { parts }
    }
}

/// The page.
#[component]
pub(crate) fn Overlay() -> impl IntoView {
    browser::clear_ground();
    let parts = Part::named(&browser::search()).into_iter().map(|part| {
        let content = match part {
            Part::Delta => view! { <DeltaFigure/> }.into_any(),
            Part::Gear => view! { <Gear/> }.into_any(),
            Part::Speed => view! { <Speed/> }.into_any(),
            Part::Map => view! { <TrackPanel/> }.into_any(),
        };
        view! { <div data-part=part.id()>{content}</div> }
    });
    view! { <main id="main" class="overlay" data-page="overlay">{parts.collect_view()}</main> }
}

#[component]
fn Gear() -> impl IntoView {
    let gear = TelemetryStore::here().sampled(in_gear);
    view! { <div class="gear" data-figure="gear">{move || gear.get()}</div> }
}

#[component]
fn Speed() -> impl IntoView {
    let (telemetry, display) = (TelemetryStore::here(), Display::here());
    let unit = move || display.units.get().shown(Unit::MetresPerSecond);
    let speed = telemetry.sampled(move |telemetry| figure(latest(telemetry, Channel::Speed), unit()));
    view! {
        <span class="speed">
            <b data-figure="speed">{move || speed.get()}</b>
            <small>{move || unit().suffix}</small>
        </span>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_names_the_parts_in_their_order() {
        assert_eq!(Part::named("?show=map,delta"), [Part::Map, Part::Delta]);
        assert_eq!(Part::named("?show=gear%2Cspeed"), [Part::Gear, Part::Speed]);
        assert_eq!(Part::named("?show=gear,weather"), [Part::Gear]);
        for usual in ["", "?", "?show=", "?show=weather", "?demo=1"] {
            assert_eq!(Part::named(usual), Part::USUAL, "{usual}");
        }
    }
}
