//! The car's orientation: the game's quaternion, and conversion between the world's axes and the car's.

/// The car's orientation in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rotation {
    vector: [f64; 3],
    scalar: f64,
}

impl Rotation {
    /// The rotation of a quaternion of any length; `None` if the length is zero or not finite.
    pub(super) fn new([x, y, z]: [f32; 3], w: f32) -> Option<Self> {
        let [x, y, z, w] = [x, y, z, w].map(f64::from);
        let length = (x * x + y * y + z * z + w * w).sqrt();
        (length.is_finite() && length > 1e-6)
            .then(|| Self { vector: [x / length, y / length, z / length], scalar: w / length })
    }

    /// The direction ahead, in world axes. The game's car axes are x right, y up, z back.
    pub(super) fn forward(&self) -> [f64; 3] {
        self.to_world([0.0, 0.0, -1.0])
    }

    /// The direction to the right, in world axes.
    pub(super) fn right(&self) -> [f64; 3] {
        self.to_world([1.0, 0.0, 0.0])
    }

    /// Converts a vector from world axes to the driver's axes: left, up, ahead.
    pub(super) fn to_driver(self, world: [f32; 3]) -> [f64; 3] {
        let [x, y, z] = self.vector;
        let back = Self { vector: [-x, -y, -z], scalar: self.scalar };
        let [right, up, behind] = back.to_world(world.map(f64::from));
        [-right, up, -behind]
    }

    fn to_world(self, vector: [f64; 3]) -> [f64; 3] {
        let across = cross(self.vector, vector);
        let twice = cross(self.vector, across);
        let [x, y, z] = vector;
        let [ax, ay, az] = across.map(|part| 2.0 * self.scalar * part);
        let [tx, ty, tz] = twice.map(|part| 2.0 * part);
        [x + ax + tx, y + ay + ty, z + az + tz]
    }
}

/// Converts a vector from the game's car axes to the driver's axes: left, up, ahead.
pub(super) fn left_up_ahead([right, up, behind]: [f32; 3]) -> [f32; 3] {
    [-right, up, -behind]
}

fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: [f64; 3], expected: [f64; 3]) {
        let near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6);
        assert!(near, "{found:?} is not {expected:?}");
    }

    #[test]
    fn without_a_rotation_the_nose_points_along_negative_z() {
        let straight = Rotation::new([0.0; 3], 3.0).expect("a rotation");
        check(straight.forward(), [0.0, 0.0, -1.0]);
        check(straight.right(), [1.0, 0.0, 0.0]);
        check(straight.to_driver([1.0, 2.0, 3.0]), [-1.0, 2.0, -3.0]);
    }

    #[test]
    fn a_quarter_turn_about_the_vertical_is_one_to_the_left() {
        let half = std::f32::consts::FRAC_PI_4;
        let turned = Rotation::new([0.0, half.sin(), 0.0], half.cos()).expect("a rotation");
        check(turned.forward(), [-1.0, 0.0, 0.0]);
        check(turned.right(), [0.0, 0.0, -1.0]);
        // The car moves ahead in the world, so also for the driver.
        check(turned.to_driver([-5.0, 0.0, 0.0]), [0.0, 0.0, 5.0]);
    }

    #[test]
    fn a_quaternion_without_length_is_no_rotation() {
        assert_eq!(Rotation::new([0.0; 3], 0.0), None);
        assert_eq!(Rotation::new([f32::NAN, 0.0, 0.0], 1.0), None);
    }
}
