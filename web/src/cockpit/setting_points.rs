//! Sets, moves and deletes the driver's own brake points.

use super::Cockpit;

impl Cockpit {
    /// Sets a point at the car's lap distance. Returns whether that is known.
    pub(crate) fn set_brake_point(self) -> bool {
        let place_m = self.look(|telemetry| telemetry.session()?.live_comparison().corners().place_m());
        if let Some(place_m) = place_m.filter(|place_m| *place_m >= 0.0) {
            self.brake_points.add(place_m);
            self.give_points();
        }
        place_m.is_some()
    }

    /// Moves the point at `at_m` by `by_m` metres. If the lap length is known, it wraps around at the start line.
    pub(crate) fn move_brake_point(self, at_m: f64, by_m: f64) {
        let length_m = self.look(|telemetry| {
            let reference = telemetry.session()?.live_comparison().reference()?;
            Some(f64::from(reference.curve.length_m()))
        });
        let to_m = at_m + by_m;
        let to_m = length_m.map_or(to_m.max(0.0), |length_m| to_m.rem_euclid(length_m));
        self.brake_points.change(|points| {
            points.iter_mut().filter(|point| **point == at_m).for_each(|point| *point = to_m);
        });
        self.give_points();
    }

    /// Deletes a point.
    pub(crate) fn delete_brake_point(self, at_m: f64) {
        self.brake_points.change(|points| points.retain(|point| *point != at_m));
        self.give_points();
    }

    /// Deletes all points of this track.
    pub(crate) fn clear_brake_points(self) {
        self.brake_points.change(Vec::clear);
        self.give_points();
    }

    /// Gives the changed points to the session.
    fn give_points(self) {
        self.give_choices();
        self.telemetry.beat();
    }
}
