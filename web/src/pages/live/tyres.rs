//! The four tyres.

use leptos::prelude::*;
use trailbrake_shared::model::{Channel, Wheel};

use super::why_missing;
use crate::cockpit::Cockpit;
use crate::figures::figure;
use crate::telemetry::Telemetry;

/// What is told of a tyre.
const TOLD: [Channel; 4] = [
    Channel::TyreSurfaceTemperature,
    Channel::TyreInnerTemperature,
    Channel::TyreWear,
    Channel::TyrePressure,
];
/// What each of them is called in the panel's head.
const CALLED: [&str; 4] = ["surface", "inner", "wear", "bar"];
/// From how many degrees of its surface a tyre is in which state.
const STATES: [(f32, &str); 4] =
    [(112.0, "hot"), (102.0, "warm"), (75.0, "good"), (f32::NEG_INFINITY, "cold")];

/// The panel.
pub(super) fn tyres() -> impl IntoView {
    let cockpit = Cockpit::here();
    let missing = cockpit.sampled(read_missing);
    let legend = cockpit.sampled(|telemetry| legend(read_sent(telemetry)));
    view! {
        <section class="panel tyres" aria-label="Tyres">
            <div class="head"><h2>"Tyres"</h2><span>{legend}</span></div>
            <Show
                when=move || missing.read().is_none()
                fallback=move || view! { <p class="missing">{missing.get()}</p> }
            >
                <div class="corners">{Wheel::ALL.map(|wheel| tyre(cockpit, wheel))}</div>
            </Show>
        </section>
    }
}

fn tyre(cockpit: Cockpit, wheel: Wheel) -> impl IntoView {
    let now = cockpit.sampled(move |telemetry| TOLD.map(|channel| value(telemetry, channel, wheel)));
    let printed = move |place: usize| {
        let channel = TOLD.get(place).copied().unwrap_or(Channel::TyreWear);
        let value = now.read().get(place).copied().flatten();
        let text = figure(value, channel.unit().shown());
        match value {
            Some(_) => format!("{text}{}{}", suffix(channel), if place == 1 { " inner" } else { "" }),
            // The head says which of them the game does not send.
            None => String::new(),
        }
    };
    let state = move || {
        let [surface, ..] = now.get();
        let known = surface.and_then(|degrees| STATES.iter().find(|(from, _)| degrees >= *from));
        known.map_or("unknown", |(_, state)| *state)
    };
    view! {
        <div class="tyre" data-wheel=wheel.short() data-state=state>
            <i></i>
            <div>
                <b data-figure="tyre-surface">{move || printed(0)}</b>
                <span>{move || printed(1)}</span>
            </div>
            <em>{move || printed(2)}<br />{move || printed(3)}</em>
        </div>
    }
}

/// Units stand in the panel's head; what stands behind the numbers is only what keeps them apart.
fn suffix(channel: Channel) -> &'static str {
    match channel {
        Channel::TyreSurfaceTemperature | Channel::TyreInnerTemperature => "°",
        Channel::TyreWear => " %",
        _ => "",
    }
}

fn value(telemetry: &Telemetry, channel: Channel, wheel: Wheel) -> Option<f32> {
    let session = telemetry.session()?;
    session.car(session.watched()?)?.latest.value(channel.of(wheel))
}

/// Which of the figures the game has sent.
fn read_sent(telemetry: &Telemetry) -> [bool; 4] {
    TOLD.map(|channel| value(telemetry, channel, Wheel::FrontLeft).is_some())
}

/// The figures in the order in which they are printed; what a game leaves out is named, never shown as zero.
fn legend(sent: [bool; 4]) -> String {
    let names = |wanted: bool| {
        let named = CALLED.iter().zip(sent).filter(|(_, sent)| *sent == wanted);
        named.map(|(name, _)| *name).collect::<Vec<_>>()
    };
    let (told, left_out) = (names(true), names(false));
    match (told.is_empty(), left_out.is_empty()) {
        (true, _) => String::new(),
        (false, true) => told.join(" · "),
        (false, false) => format!("{} · not sent: {}", told.join(" · "), left_out.join(", ")),
    }
}

fn read_missing(telemetry: &Telemetry) -> Option<String> {
    let sent = read_sent(telemetry).contains(&true);
    (!sent).then(|| why_missing(telemetry, "tyre temperatures, wear or pressures"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_names_what_is_left_out() {
        assert_eq!(legend([true; 4]), "surface · inner · wear · bar");
        assert_eq!(legend([true, false, false, true]), "surface · bar · not sent: inner, wear");
        assert_eq!(legend([false; 4]), "");
    }
}
