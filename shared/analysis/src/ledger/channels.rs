//! The channels of a lap that the ledger reads.

use trailbrake_model::{Axis, Channel};

use super::grip::GripConditions;
use crate::statistics::median;
use crate::{CloseCar, LapColumns};

/// A velocity that differs more from the speed is something else, m/s.
const SAME_MS: f64 = 0.5;

/// The channels beside the speed, and whether they change in steps.
pub(super) const CHANNELS: [(Channel, bool); 7] = [
    (Channel::Throttle, false),
    (Channel::Brake, false),
    (Channel::Gear, true),
    (Channel::ErsDeployed, false),
    (Channel::Drs, true),
    (Channel::GLateral, false),
    (Channel::Fuel, false),
];

/// The channels of a lap, with a value for each row.
#[derive(Clone, Debug)]
pub(crate) struct LedgerChannels {
    /// Lap clock, seconds.
    pub(super) clock_s: Vec<f64>,
    /// Speed, m/s. `None` if the game does not send it.
    pub(super) speed: Option<Vec<f64>>,
    /// The other [channels](CHANNELS), as far as the game sends them.
    pub(super) others: [Option<Vec<f64>>; CHANNELS.len()],
    /// Where another car was in the way.
    traffic: Vec<CloseCar>,
    pub(super) conditions: GripConditions,
}

impl LedgerChannels {
    /// The channels of a lap in the order of its places.
    pub(crate) fn of(lap: &LapColumns<'_>) -> Self {
        Self {
            clock_s: lap.clock_s().to_vec(),
            speed: speeds(lap),
            others: CHANNELS.map(|(channel, _)| lap.values(channel.slot())),
            traffic: lap.close().iter().filter(|close| close.is_in_the_way()).cloned().collect(),
            conditions: GripConditions::of(lap),
        }
    }

    /// The smallest gap to a car that was in the way between two places, seconds. `None` if there was none.
    pub(super) fn gap_s(&self, from_m: f64, to_m: f64) -> Option<f64> {
        let there =
            self.traffic.iter().filter(|car| f64::from(car.to_m) > from_m && f64::from(car.from_m) < to_m);
        there.map(|car| f64::from(car.least_s)).min_by(f64::total_cmp)
    }

    /// One of the other channels.
    pub(super) fn values(&self, channel: Channel) -> Option<&[f64]> {
        let place = CHANNELS.iter().position(|(known, _)| *known == channel)?;
        self.others.get(place)?.as_deref()
    }
}

/// The speed in each row, m/s: that of the velocity where it is sent, since a speed may be sent in whole km/h. `None` if
/// the game sends neither.
fn speeds(lap: &LapColumns<'_>) -> Option<Vec<f64>> {
    let sent = lap.values(Channel::Speed.slot());
    let [x, y, z] = Axis::ALL.map(|axis| lap.values(Channel::Velocity.along(axis)));
    let (Some(x), Some(y), Some(z)) = (x, y, z) else { return sent };
    let velocity: Vec<f64> =
        x.iter().zip(&y).zip(&z).map(|((x, y), z)| (x * x + y * y + z * z).sqrt()).collect();
    let Some(sent) = sent else { return Some(velocity) };
    let differ: Vec<f64> = velocity.iter().zip(&sent).map(|(one, other)| (one - other).abs()).collect();
    let agree = median(&differ).is_some_and(|differ| differ <= SAME_MS);
    Some(if agree { velocity } else { sent })
}
