//! Slip and load of the tyres, for games that send these and not their state.

use trailbrake_shared::model::{Channel, Wheel};
use trailbrake_shared::units::Units;

use crate::figures::figure;
use crate::telemetry::Telemetry;

const CHANNELS: [Channel; 4] =
    [Channel::CombinedSlip, Channel::SlipAngle, Channel::TyreLoad, Channel::TyreDirt];
/// For the panel's head: the one value that doesn't name itself, and what other games send of tyres.
pub(super) const LEGEND: &str = "slip · not sent: heat, wear, pressure";

/// A tyre in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct GripWords {
    pub(super) slip: String,
    pub(super) angle: String,
    pub(super) load: String,
    pub(super) dirt: String,
}

/// Whether the game sends any of it.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    CHANNELS.iter().any(|channel| value(telemetry, *channel, Wheel::FrontLeft).is_some())
}

pub(super) fn words(telemetry: &Telemetry, wheel: Wheel, units: Units) -> GripWords {
    let [slip, angle, load, dirt] = CHANNELS.map(|channel| {
        let Some(value) = value(telemetry, channel, wheel) else { return String::new() };
        let unit = units.shown(channel.unit());
        let number = figure(Some(value), unit);
        match (channel, unit.suffix) {
            (Channel::TyreDirt, _) => format!("{number} dirt"),
            (_, "" | "°") => number + unit.suffix,
            (_, suffix) => format!("{number} {suffix}"),
        }
    });
    GripWords { slip, angle, load, dirt }
}

fn value(telemetry: &Telemetry, channel: Channel, wheel: Wheel) -> Option<f32> {
    let session = telemetry.session()?;
    session.car(session.watched()?)?.latest.value(channel.of(wheel))
}
