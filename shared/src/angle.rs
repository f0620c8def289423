//! Sine and cosine in little code: the library's own carry all that angles of millions take, and the page has to be small.

use std::f64::consts::{FRAC_PI_2, TAU};

/// What π/2 is more than the number that stands for it.
const FRAC_PI_2_REST: f64 = 6.123_233_995_736_766e-17;

/// The sine and the cosine of an angle, right to the fifteenth digit for angles of a few turns.
pub fn sin_cos(radians: f64) -> (f64, f64) {
    let within = radians % TAU;
    let quarters = (within / FRAC_PI_2).round();
    let rest = within - quarters * FRAC_PI_2 - quarters * FRAC_PI_2_REST;
    // The series of both, up to what an eighth of a turn can make of their next part.
    let square = rest * rest;
    let (mut sine, mut cosine) = (1.0, 1.0);
    for power in [16.0, 14.0, 12.0, 10.0, 8.0, 6.0, 4.0, 2.0] {
        sine = 1.0 - sine * square / (power * (power + 1.0));
        cosine = 1.0 - cosine * square / (power * (power - 1.0));
    }
    sine *= rest;
    match (quarters as i8).rem_euclid(4) {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn they_are_what_the_library_says(radians in -20.0_f64..20.0) {
            let (sine, cosine) = sin_cos(radians);
            prop_assert!((sine - radians.sin()).abs() < 4e-15, "{sine}");
            prop_assert!((cosine - radians.cos()).abs() < 4e-15, "{cosine}");
        }

        #[test]
        fn no_number_is_too_large(radians in prop::num::f64::ANY) {
            let (sine, cosine) = sin_cos(radians);
            prop_assert_eq!(sine.is_nan(), !radians.is_finite());
            prop_assert!(!(sine.abs() > 1.0 + 1e-12 || cosine.abs() > 1.0 + 1e-12), "{sine} {cosine}");
        }
    }

    #[test]
    fn quarters_are_what_they_are() {
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        for (quarter, (sine, cosine)) in
            [(1.0, (1.0, 0.0)), (2.0, (0.0, -1.0)), (3.0, (-1.0, 0.0)), (-1.0, (-1.0, 0.0))]
        {
            let (told, other) = sin_cos(quarter * FRAC_PI_2);
            assert!(
                (told - sine).abs() < 1e-15 && (other - cosine).abs() < 1e-15,
                "{quarter}: {told} {other}"
            );
        }
    }
}
