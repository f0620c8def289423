//! The four tyres.

use leptos::prelude::*;
use trailbrake_shared::model::{Channel, Wheel};
use trailbrake_shared::units::Units;

use super::grip::{self, GripWords};
use crate::cockpit::Cockpit;
use crate::figures::figure;
use crate::telemetry::Telemetry;

/// The values of a tyre. Where a game does not send the first channel of a place, the second takes it: a measure of the
/// game's own, or degrees of an unknown layer.
const CHANNELS: [[Channel; 2]; 4] = [
    [Channel::TyreSurfaceTemperature, Channel::TyreTemperature],
    [Channel::TyreInnerTemperature; 2],
    [Channel::TyreWear, Channel::TyreWearLevel],
    [Channel::TyrePressure; 2],
];
/// From how many degrees of its surface a tyre is in which state.
const STATES: [(f32, &str); 4] =
    [(112.0, "hot"), (102.0, "warm"), (75.0, "good"), (f32::NEG_INFINITY, "cold")];

/// A tyre in words.
#[derive(Clone, Debug, Default, PartialEq)]
struct TyreWords {
    state: &'static str,
    surface: String,
    inner: String,
    wear: String,
    pressure: String,
}

/// What the game sends of the tyres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sent {
    /// Temperatures, wear or pressures.
    State,
    /// Slip and load.
    Grip,
    Nothing,
}

/// Whether the game sends anything of the tyres.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    sent_of(telemetry) != Sent::Nothing
}

/// The panel.
#[component]
pub(super) fn TyrePanel() -> impl IntoView {
    let cockpit = Cockpit::here();
    let sent = cockpit.sampled(sent_of);
    let legend = cockpit.sampled(move |telemetry| match sent_of(telemetry) {
        Sent::Grip => grip::LEGEND.to_owned(),
        Sent::State | Sent::Nothing => legend(read_sent(telemetry), cockpit.units.get()),
    });
    let content = move || match sent.get() {
        Sent::State => {
            let tyres = Wheel::ALL.map(|wheel| view! { <Tyre wheel/> });
            view! { <div class="corners">{tyres}</div> }.into_any()
        }
        Sent::Grip => {
            let tyres = Wheel::ALL.map(|wheel| view! { <TyreGrip wheel/> });
            view! { <div class="corners">{tyres}</div> }.into_any()
        }
        Sent::Nothing => ().into_any(),
    };
    view! {
        <section class="panel tyres" aria-label="Tyres">
            <div class="head">
                <h2>"Tyres"</h2>
                <span data-figure="tyre-legend">{move || legend.get()}</span>
            </div>
            {content}
        </section>
    }
    .into_any()
}

#[component]
fn Tyre(wheel: Wheel) -> impl IntoView {
    let cockpit = Cockpit::here();
    let tyre = cockpit.sampled(move |telemetry| words(telemetry, wheel, cockpit.units.get()));
    let word = move |read: fn(&TyreWords) -> String| move || tyre.with(read);
    view! {
        <div class="tyre" data-wheel=wheel.short() data-state=move || tyre.with(|tyre| tyre.state)>
            <i></i>
            <div>
                <b data-figure="tyre-surface">{word(|tyre| tyre.surface.clone())}</b>
                <span>{word(|tyre| tyre.inner.clone())}</span>
            </div>
            <em>{word(|tyre| tyre.wear.clone())}<br/>{word(|tyre| tyre.pressure.clone())}</em>
        </div>
    }
}

#[component]
fn TyreGrip(wheel: Wheel) -> impl IntoView {
    let cockpit = Cockpit::here();
    let tyre = cockpit.sampled(move |telemetry| grip::words(telemetry, wheel, cockpit.units.get()));
    let word = move |read: fn(&GripWords) -> String| move || tyre.with(read);
    view! {
        <div class="tyre" data-wheel=wheel.short() data-state="unknown">
            <i></i>
            <div>
                <b data-figure="tyre-slip">{word(|tyre| tyre.slip.clone())}</b>
                <span data-figure="tyre-angle">{word(|tyre| tyre.angle.clone())}</span>
            </div>
            <em>
                <span data-figure="tyre-load">{word(|tyre| tyre.load.clone())}</span>
                {word(|tyre| tyre.dirt.clone())}
            </em>
        </div>
    }
}

fn sent_of(telemetry: &Telemetry) -> Sent {
    match read_sent(telemetry).iter().any(Option::is_some) {
        true => Sent::State,
        false if grip::is_sent(telemetry) => Sent::Grip,
        false => Sent::Nothing,
    }
}

fn words(telemetry: &Telemetry, wheel: Wheel, units: Units) -> TyreWords {
    let now = CHANNELS.map(|of| sent(telemetry, of, wheel));
    let [surface, inner, wear, pressure] = now.map(|now| match now {
        Some((channel, value)) => {
            format!("{}{}", figure(Some(value), units.shown(channel.unit())), suffix(channel))
        }
        // The head names what the game does not send.
        None => String::new(),
    });
    let [degrees, ..] = now;
    // For another layer the ideal window is unknown.
    let degrees = degrees.filter(|(channel, _)| *channel == Channel::TyreSurfaceTemperature);
    let known = degrees.and_then(|(_, degrees)| STATES.iter().find(|(from, _)| degrees >= *from));
    TyreWords {
        state: known.map_or("unknown", |(_, state)| *state),
        surface,
        inner: if inner.is_empty() { inner } else { inner + " inner" },
        wear,
        pressure,
    }
}

/// Units are in the panel's head; what follows a number only keeps the numbers apart.
fn suffix(channel: Channel) -> &'static str {
    match channel {
        Channel::TyreSurfaceTemperature | Channel::TyreInnerTemperature | Channel::TyreTemperature => "°",
        Channel::TyreWear => " %",
        _ => "",
    }
}

fn value(telemetry: &Telemetry, channel: Channel, wheel: Wheel) -> Option<f32> {
    let session = telemetry.session()?;
    session.car(session.watched()?)?.latest.value(channel.of(wheel))
}

/// What the game has sent for one place, with its value.
fn sent<const N: usize>(telemetry: &Telemetry, of: [Channel; N], wheel: Wheel) -> Option<(Channel, f32)> {
    of.into_iter().find_map(|channel| Some((channel, value(telemetry, channel, wheel)?)))
}

/// What the game has sent for each place.
fn read_sent(telemetry: &Telemetry) -> [Option<Channel>; 4] {
    CHANNELS.map(|of| sent(telemetry, of, Wheel::FrontLeft).map(|(channel, _)| channel))
}

/// A channel's name in the panel's head: its unit, where the number doesn't name it.
fn name(channel: Channel, units: Units) -> &'static str {
    match channel {
        Channel::TyreSurfaceTemperature => "surface",
        Channel::TyreInnerTemperature => "inner",
        Channel::TyreWear => "wear",
        Channel::TyreWearLevel => "wear (raw)",
        channel => units.shown(channel.unit()).suffix,
    }
}

/// The figures in the order in which they are printed; what a game leaves out is named, never shown as zero.
fn legend(sent: [Option<Channel>; 4], units: Units) -> String {
    let names: Vec<&str> = sent.into_iter().flatten().map(|channel| name(channel, units)).collect();
    let missing = CHANNELS.into_iter().zip(sent).filter(|(_, sent)| sent.is_none());
    let left_out: Vec<&str> = missing.map(|([channel, _], _)| name(channel, units)).collect();
    match (names.is_empty(), left_out.is_empty()) {
        (true, _) => String::new(),
        (false, true) => names.join(" · "),
        (false, false) => format!("{} · not sent: {}", names.join(" · "), left_out.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_names_what_is_left_out() {
        let units = Units::default();
        let first = CHANNELS.map(|[channel, _]| Some(channel));
        assert_eq!(legend(first, units), "surface · inner · wear · bar");
        assert_eq!(legend(first, Units::from_words("psi")), "surface · inner · wear · psi");
        let [surface, _, _, bar] = first;
        assert_eq!(legend([surface, None, None, bar], units), "surface · bar · not sent: inner, wear");
        let [[_, layer], _, [_, wear], _] = CHANNELS;
        let other = [Some(layer), None, Some(wear), None];
        assert_eq!(legend(other, units), "°C · wear (raw) · not sent: inner, bar");
        assert_eq!(legend([None; 4], units), "");
    }
}
