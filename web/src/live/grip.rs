//! Slip and load of the tyres, for games that send these and not their state.

use trailbrake_shared::model::{Channel, Wheel};

use crate::figures::figure;
use crate::telemetry::Telemetry;

/// The channels, and what follows the value.
const CHANNELS: [(Channel, &str); 4] = [
    (Channel::CombinedSlip, ""),
    (Channel::SlipAngle, "°"),
    (Channel::TyreLoad, " N"),
    (Channel::TyreDirt, " dirt"),
];
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
    CHANNELS.iter().any(|(channel, _)| value(telemetry, *channel, Wheel::FrontLeft).is_some())
}

pub(super) fn words(telemetry: &Telemetry, wheel: Wheel) -> GripWords {
    let [slip, angle, load, dirt] =
        CHANNELS.map(|(channel, suffix)| match value(telemetry, channel, wheel) {
            Some(value) => format!("{}{suffix}", figure(Some(value), channel.unit().shown())),
            None => String::new(),
        });
    GripWords { slip, angle, load, dirt }
}

fn value(telemetry: &Telemetry, channel: Channel, wheel: Wheel) -> Option<f32> {
    let session = telemetry.session()?;
    session.car(session.watched()?)?.latest.value(channel.of(wheel))
}
