//! The laps of the open recording that are ticked for export.

use trailbrake_shared::recording::OtherCars;
use trailbrake_shared::session::LapId;

/// The ticked laps, and how to export them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ticked {
    pub(super) laps: Vec<LapId>,
    /// What stays of other cars.
    pub(crate) other_cars: OtherCars,
}

impl Ticked {
    /// Whether a lap is ticked.
    pub(crate) fn has(&self, lap: LapId) -> bool {
        self.laps.contains(&lap)
    }

    /// How many laps are ticked.
    pub(crate) fn count(&self) -> usize {
        self.laps.len()
    }

    pub(super) fn toggle(&mut self, lap: LapId) {
        let before = self.laps.len();
        self.laps.retain(|other| *other != lap);
        if self.laps.len() == before {
            self.laps.push(lap);
        }
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::model::Car;

    use super::*;

    #[test]
    fn a_lap_is_ticked_and_unticked() {
        let lap = |car| LapId { session: 0, car: Car(car), serial: 4 };
        let mut ticked = Ticked::default();
        ticked.toggle(lap(1));
        ticked.toggle(lap(2));
        assert_eq!((ticked.count(), ticked.has(lap(1)), ticked.has(lap(3))), (2, true, false));
        ticked.toggle(lap(1));
        assert_eq!((ticked.count(), ticked.has(lap(1))), (1, false));
    }
}
