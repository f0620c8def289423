//! Brake point, peak and release of each lap in each corner, by lap distance and by the lap's own clock.

use trailbrake_shared::analysis::{CornerTable, PlacedLap};
use trailbrake_shared::number;

use crate::analyse::Axis;

/// How a lap braked for a corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Braked {
    /// The corner's number.
    pub(crate) corner: u16,
    /// Brake point, peak and release: lap distance on the axis that all laps share, metres. NaN where unknown.
    places_m: [f64; 3],
    /// The lap's own clock at these points, seconds. NaN where unknown.
    clocks_s: [f64; 3],
}

impl Braked {
    /// Brake point, peak and release on an axis. On the time axis every lap goes by its own clock.
    pub(crate) const fn on(&self, axis: Axis) -> [f64; 3] {
        match axis {
            Axis::Distance => self.places_m,
            Axis::Time => self.clocks_s,
        }
    }

    /// The lap distance of the brake point, metres.
    pub(crate) const fn on_m(&self) -> f64 {
        let [on, _, _] = self.places_m;
        on
    }
}

/// How a lap braked for each corner; corners without a brake point are left out.
///
/// `table` and `placed` are on the lap's own line. `place` converts the lap's clock to lap distance on the shared axis,
/// if that axis is of another line.
pub(crate) fn of(
    table: &CornerTable,
    placed: &PlacedLap,
    place: Option<&dyn Fn(f64) -> Option<f64>>,
) -> Vec<Braked> {
    let mut all = Vec::new();
    for row in &table.rows {
        let mut braked = Braked { corner: row.number, places_m: [f64::NAN; 3], clocks_s: [f64::NAN; 3] };
        let own_places = [row.brake_on_m, row.peak_m, row.release_m];
        let points = braked.places_m.iter_mut().zip(&mut braked.clocks_s);
        for ((place_m, clock_s), own_m) in points.zip(own_places) {
            let Some((own_m, own_s)) = own_m.and_then(|own_m| Some((own_m, placed.clock_at(own_m)?))) else {
                continue;
            };
            *clock_s = own_s;
            *place_m = place.map_or(Some(own_m), |place| place(own_s)).unwrap_or(f64::NAN);
        }
        if braked.on_m().is_finite() {
            all.push(braked);
        }
    }
    all
}

/// The label of a brake point: how many metres earlier or later than the reference the lap braked.
pub(crate) fn apart(lap_m: f64, reference_m: f64) -> String {
    let suffix = if lap_m < reference_m { " m earlier" } else { " m later" };
    match number::write((lap_m - reference_m).abs(), 0).as_str() {
        "0" => "same point".to_owned(),
        metres => [metres, suffix].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metres_against_the_reference_are_words() {
        assert_eq!(apart(2_012.0, 2_026.4), "14 m earlier");
        assert_eq!(apart(2_026.4, 2_012.0), "14 m later");
        assert_eq!(apart(2_012.0, 2_012.4), "same point");
    }
}
