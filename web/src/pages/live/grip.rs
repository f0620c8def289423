//! What the tyres do: slip and load, for games that tell of that and not of their state.

use trailbrake_shared::model::{Channel, Wheel};

use crate::dom::{Part, part};
use crate::figures::figure;
use crate::telemetry::Telemetry;

/// What is told of a tyre, and what stands behind the figure.
const TOLD: [(Channel, &str); 4] = [
    (Channel::CombinedSlip, ""),
    (Channel::SlipAngle, "°"),
    (Channel::TyreLoad, " N"),
    (Channel::TyreDirt, " dirt"),
];
/// For the panel's head: the one figure that doesn't say what it is, and what other games tell of tyres.
const LEGEND: &str = "slip · not sent: heat, wear, pressure";

/// What is told and what is not, for the panel's head; `None` where nothing is told.
pub(super) fn legend(telemetry: &Telemetry) -> Option<String> {
    let told = TOLD.iter().any(|(channel, _)| value(telemetry, *channel, Wheel::FrontLeft).is_some());
    told.then(|| LEGEND.to_owned())
}

/// A tyre.
pub(super) fn tyre(telemetry: &Telemetry, wheel: Wheel) -> Part {
    let [slip, angle, load, dirt] = TOLD.map(|(channel, suffix)| match value(telemetry, channel, wheel) {
        Some(value) => format!("{}{suffix}", figure(Some(value), channel.unit().shown())),
        None => String::new(),
    });
    let shown = |tag, name: &str, words: &str| part(tag, "").set("data-figure", name).says(words);
    let touch =
        part("div", "").with(shown("b", "tyre-slip", &slip)).with(shown("span", "tyre-angle", &angle));
    part("div", "tyre")
        .set("data-wheel", wheel.short())
        .set("data-state", "unknown")
        .with(part("i", ""))
        .with(touch)
        .with(part("em", "").with(shown("span", "tyre-load", &load)).says(&dirt))
}

fn value(telemetry: &Telemetry, channel: Channel, wheel: Wheel) -> Option<f32> {
    let session = telemetry.session()?;
    session.car(session.watched()?)?.latest.value(channel.of(wheel))
}
