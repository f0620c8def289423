//! Finds coasting: stretches on neither pedal.

use std::ops::Range;

/// Below this pedal travel the foot is off.
pub(super) const OFF: f64 = 0.05;
/// Changing from one pedal to the other takes less than this, and is not coasting, seconds.
const LEAST_S: f64 = 0.15;
/// Rows further apart than this have a gap between them, seconds.
const APART_S: f64 = 0.5;

/// Ranges of rows in which the car coasted, by both pedals and the lap's clock in each row.
pub fn coasts(throttle: &[f32], brake: &[f32], clock_s: &[f64]) -> Vec<Range<usize>> {
    let off = |pedal: &[f32], row: usize| pedal.get(row).is_some_and(|pedal| f64::from(*pedal) < OFF);
    let rests = |row: usize| off(throttle, row) && off(brake, row);
    let goes_on = |row: usize| {
        let step = clock_s.get(row).zip(clock_s.get(row + 1)).map(|(from, to)| to - from);
        step.is_some_and(|step| step <= APART_S)
    };
    let (mut found, mut from) = (Vec::new(), None);
    for row in 0..clock_s.len() {
        let began = *from.get_or_insert(row);
        if rests(row) && goes_on(row) {
            continue;
        }
        let long_s = clock_s.get(row).zip(clock_s.get(began)).map_or(0.0, |(to, from)| to - from);
        if long_s >= LEAST_S {
            found.push(began..row);
        }
        from = None;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pedals at fifty rows a second: stretches of a number of rows, throttle and brake.
    fn driven(stretches: &[(usize, f32, f32)]) -> Vec<Range<usize>> {
        let (mut throttle, mut brake) = (Vec::new(), Vec::new());
        for (rows, gas, stop) in stretches {
            throttle.extend(std::iter::repeat_n(*gas, *rows));
            brake.extend(std::iter::repeat_n(*stop, *rows));
        }
        let clock_s: Vec<f64> = (0..throttle.len()).map(|row| row as f64 / 50.0).collect();
        coasts(&throttle, &brake, &clock_s)
    }

    #[test]
    fn a_car_coasts_while_neither_pedal_is_pressed() {
        let full_rest_brake = [(100, 1.0, 0.0), (30, 0.02, 0.0), (50, 0.0, 0.9), (20, 0.0, 0.04)];
        assert_eq!(driven(&full_rest_brake), [100..130, 180..199]);
        assert_eq!(driven(&[(40, 0.0, 0.0)]).first(), Some(&(0..39)));
    }

    #[test]
    fn changing_pedals_is_no_coasting_and_neither_is_missing_data() {
        assert_eq!(driven(&[(100, 1.0, 0.0), (6, 0.0, 0.0), (50, 0.0, 0.9)]), []);
        assert_eq!(driven(&[(40, f32::NAN, 0.0), (40, 0.0, f32::NAN)]), []);
        assert_eq!(coasts(&[0.0; 3], &[0.0; 3], &[0.0, 9.0, 9.1]), []);
    }
}
