//! Puts latitude and longitude on a plane in metres, as maps and comparisons need them.

/// The earth's ellipsoid, WGS 84: its larger half-axis in metres, and the square of its eccentricity.
const EQUATOR_M: f64 = 6_378_137.0;
const ECCENTRICITY_2: f64 = 6.694_379_990_14e-3;
/// Nearer to the poles a degree of longitude is too short to be a measure.
const NORTHERNMOST_DEG: f64 = 85.0;

/// A plane that touches the earth at a track. Its axes are those of every world here: x to the west, y up, z to the
/// north.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plane {
    latitude_deg: f64,
    longitude_deg: f64,
    /// Metres per degree.
    north_m: f64,
    east_m: f64,
}

impl Plane {
    /// The plane that touches at a place in degrees; `None` for what is no place of a track. Zeros stand for an unknown
    /// place.
    pub(super) fn at(latitude_deg: f64, longitude_deg: f64) -> Option<Self> {
        let is_place = latitude_deg.abs() <= NORTHERNMOST_DEG && longitude_deg.abs() <= 180.0;
        if !is_place || (latitude_deg == 0.0 && longitude_deg == 0.0) {
            return None;
        }
        let sine = libm::sin(latitude_deg.to_radians());
        let flattened = 1.0 - ECCENTRICITY_2 * sine * sine;
        let across_m = EQUATOR_M / flattened.sqrt();
        let along_m = across_m * (1.0 - ECCENTRICITY_2) / flattened;
        Some(Self {
            latitude_deg,
            longitude_deg,
            north_m: along_m.to_radians(),
            east_m: (across_m * libm::cos(latitude_deg.to_radians())).to_radians(),
        })
    }

    /// A place on the plane: x and z in metres.
    pub(super) fn place(&self, latitude_deg: f64, longitude_deg: f64) -> [f32; 2] {
        let west_m = (self.longitude_deg - longitude_deg) * self.east_m;
        let north_m = (latitude_deg - self.latitude_deg) * self.north_m;
        [west_m as f32, north_m as f32]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_have_the_length_of_the_ellipsoids() {
        // From published tables: a degree of latitude and of longitude, in metres.
        for (latitude, north_m, east_m) in
            [(0.01, 110_574.0, 111_320.0), (45.0, 111_132.0, 78_847.0), (60.0, 111_412.0, 55_800.0)]
        {
            let plane = Plane::at(latitude, 14.75).expect("a place");
            assert!((plane.north_m - north_m).abs() < 2.0, "{plane:?}");
            assert!((plane.east_m - east_m).abs() < 2.0, "{plane:?}");
        }
    }

    #[test]
    fn west_and_north_are_positive() {
        let plane = Plane::at(47.2, 14.75).expect("a place");
        assert_eq!(plane.place(47.2, 14.75), [0.0, 0.0]);
        let [x, z] = plane.place(47.21, 14.74);
        assert!((x - 757.7).abs() < 0.1 && (z - 1111.7).abs() < 0.1, "{x} {z}");
    }

    #[test]
    fn what_is_no_place_has_no_plane() {
        for (latitude, longitude) in [(0.0, 0.0), (90.0, 0.0), (f64::NAN, 3.0), (4.0, f64::INFINITY)] {
            assert_eq!(Plane::at(latitude, longitude), None, "{latitude} {longitude}");
        }
    }
}
