//! The four tyres.

use trailbrake_shared::model::{Channel, Wheel};

use super::{grip, why_missing};
use crate::dom::{Part, part};
use crate::figures::figure;
use crate::telemetry::Telemetry;

/// What is told of a tyre, and what each is called in the panel's head. Where a game does not send the first of a place,
/// the second may stand there: it is a measure of the game's own, or degrees of no
/// said layer.
const TOLD: [[(Channel, &str); 2]; 4] = [
    [(Channel::TyreSurfaceTemperature, "surface"), (Channel::TyreTemperature, "°C")],
    [(Channel::TyreInnerTemperature, "inner"); 2],
    [(Channel::TyreWear, "wear"), (Channel::TyreWearLevel, "wear as sent")],
    [(Channel::TyrePressure, "bar"); 2],
];
/// From how many degrees of its surface a tyre is in which state.
const STATES: [(f32, &str); 4] =
    [(112.0, "hot"), (102.0, "warm"), (75.0, "good"), (f32::NEG_INFINITY, "cold")];

/// The panel.
pub(super) fn tyres(telemetry: &Telemetry) -> Part {
    let missing = read_missing(telemetry);
    let grip = grip::legend(telemetry).filter(|_| missing.is_some());
    let each = |tyre: fn(&Telemetry, Wheel) -> Part| {
        part("div", "corners").with_all(Wheel::ALL.map(|wheel| tyre(telemetry, wheel)).into())
    };
    let shown = match (&missing, &grip) {
        (None, _) => each(tyre),
        (Some(_), Some(_)) => each(grip::tyre),
        (Some(missing), None) => part("p", "missing").says(missing),
    };
    let legend = grip.unwrap_or_else(|| legend(read_sent(telemetry)));
    let told = part("span", "").set("data-figure", "tyres-told").says(&legend);
    part("section", "panel tyres")
        .set("aria-label", "Tyres")
        .with(part("div", "head").with(part("h2", "").says("Tyres")).with(told))
        .with(shown)
}

fn tyre(telemetry: &Telemetry, wheel: Wheel) -> Part {
    let now = TOLD.map(|told| sent(telemetry, told, wheel));
    let [surface, inner, wear, pressure] = now.map(|now| match now {
        Some(((channel, _), value)) => {
            format!("{}{}", figure(Some(value), channel.unit().shown()), suffix(channel))
        }
        // The head says which of them the game does not send.
        None => String::new(),
    });
    let inner = if inner.is_empty() { inner } else { inner + " inner" };
    let [degrees, ..] = now;
    // Of another layer nobody knows what is hot.
    let degrees = degrees.filter(|((channel, _), _)| *channel == Channel::TyreSurfaceTemperature);
    let known = degrees.and_then(|(_, degrees)| STATES.iter().find(|(from, _)| degrees >= *from));
    let heat = part("div", "")
        .with(part("b", "").set("data-figure", "tyre-surface").says(&surface))
        .with(part("span", "").says(&inner));
    part("div", "tyre")
        .set("data-wheel", wheel.short())
        .set("data-state", known.map_or("unknown", |(_, state)| *state))
        .with(part("i", ""))
        .with(heat)
        .with(part("em", "").says(&wear).with(part("br", "")).says(&pressure))
}

/// Units stand in the panel's head; what stands behind the numbers is only what keeps them apart.
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
fn sent<const N: usize>(
    telemetry: &Telemetry,
    told: [(Channel, &'static str); N],
    wheel: Wheel,
) -> Option<((Channel, &'static str), f32)> {
    told.into_iter().find_map(|told| Some((told, value(telemetry, told.0, wheel)?)))
}

/// What the game has sent for each place, by name.
fn read_sent(telemetry: &Telemetry) -> [Option<&'static str>; 4] {
    TOLD.map(|told| sent(telemetry, told, Wheel::FrontLeft).map(|((_, name), _)| name))
}

/// The figures in the order in which they are printed; what a game leaves out is named, never shown as zero.
fn legend(sent: [Option<&'static str>; 4]) -> String {
    let told: Vec<&str> = sent.into_iter().flatten().collect();
    let missing = TOLD.into_iter().zip(sent).filter(|(_, sent)| sent.is_none());
    let left_out: Vec<&str> = missing.map(|([(_, name), _], _)| name).collect();
    match (told.is_empty(), left_out.is_empty()) {
        (true, _) => String::new(),
        (false, true) => told.join(" · "),
        (false, false) => format!("{} · not sent: {}", told.join(" · "), left_out.join(", ")),
    }
}

fn read_missing(telemetry: &Telemetry) -> Option<String> {
    let sent = read_sent(telemetry).iter().any(Option::is_some);
    (!sent).then(|| why_missing(telemetry, "tyre temperatures, wear or pressures"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_names_what_is_left_out() {
        let first = TOLD.map(|[(_, name), _]| Some(name));
        assert_eq!(legend(first), "surface · inner · wear · bar");
        let [surface, _, _, bar] = first;
        assert_eq!(legend([surface, None, None, bar]), "surface · bar · not sent: inner, wear");
        let [[_, (_, layer)], _, [_, (_, wear)], _] = TOLD;
        assert_eq!(legend([Some(layer), None, Some(wear), None]), "°C · wear as sent · not sent: inner, bar");
        assert_eq!(legend([None; 4]), "");
    }
}
