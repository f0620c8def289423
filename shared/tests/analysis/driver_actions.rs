//! What the simulated driver and car did in a lap, by track position.

use trailbrake_shared::sim::PEDAL_ON;

use super::simulated::TrueLap;

/// From this fraction of its travel on, the throttle counts as full.
pub(super) const FULL: f64 = 0.95;
/// Below this fraction, a pedal counts as released.
const OFF: f64 = 0.05;

/// The state of driver and car at one frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct DriverAction {
    pub(super) seconds: f64,
    /// Metres along the middle of the track.
    pub(super) metres: f64,
    pub(super) speed_ms: f64,
    pub(super) throttle: f64,
    pub(super) brake: f64,
    pub(super) gear: i32,
    /// Electrical energy spent in the lap so far.
    pub(super) deployed_j: f64,
}

impl TrueLap {
    /// The frames between two places.
    pub(super) fn between(&self, from_m: f64, to_m: f64) -> impl Iterator<Item = &DriverAction> {
        self.did.iter().filter(move |did| (from_m..=to_m).contains(&did.metres))
    }

    /// The frame at a place.
    pub(super) fn at(&self, place_m: f64) -> &DriverAction {
        let after = self.did.partition_point(|did| did.metres < place_m);
        &self.did[after.min(self.did.len() - 1)]
    }

    /// Where the car was slowest in a bend. It starts at the brake point, or else at the fastest point before the apex.
    pub(super) fn slowest(
        &self,
        [entry_m, apex_m, exit_m]: [f64; 3],
        brake_on_m: Option<f64>,
    ) -> &DriverAction {
        let fastest = || {
            let rows = self.between(entry_m, apex_m);
            rows.max_by(|a, b| a.speed_ms.total_cmp(&b.speed_ms)).map_or(entry_m, |did| did.metres)
        };
        let slowed_m = brake_on_m.unwrap_or_else(fastest).max(entry_m);
        let rows = self.between(slowed_m, exit_m);
        rows.min_by(|a, b| a.speed_ms.total_cmp(&b.speed_ms)).expect("a row")
    }

    /// Seconds of coasting between two places.
    pub(super) fn coasted_s(&self, from_m: f64, to_m: f64) -> f64 {
        self.seconds(from_m, to_m, |did| did.throttle < OFF && did.brake < OFF)
    }

    /// Seconds below full throttle between two places.
    pub(super) fn eased_s(&self, from_m: f64, to_m: f64) -> f64 {
        self.seconds(from_m, to_m, |did| did.throttle < FULL)
    }

    /// The last throttle release between two places.
    pub(super) fn lift_m(&self, from_m: f64, to_m: f64) -> Option<f64> {
        let fell = |pair: &&[DriverAction]| pair[0].throttle >= PEDAL_ON && pair[1].throttle < PEDAL_ON;
        let places = self.did.windows(2).filter(fell).map(|pair| pair[1].metres);
        places.rev().find(|place| (from_m..=to_m).contains(place))
    }

    fn seconds(&self, from_m: f64, to_m: f64, is: impl Fn(&DriverAction) -> bool) -> f64 {
        let pairs = self.did.windows(2);
        let pairs = pairs.filter(|pair| (from_m..=to_m).contains(&pair[0].metres) && is(&pair[0]));
        pairs.map(|pair| pair[1].seconds - pair[0].seconds).sum()
    }
}
