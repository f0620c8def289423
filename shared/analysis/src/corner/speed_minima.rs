//! Corners of laps without positions: speed minima between two faster places.

use trailbrake_model::Channel;

use super::find::Corner;
use crate::{LapColumns, PlacedLap};

/// The car is faster by this much before and after a corner, m/s.
const DROP_MS: f64 = 6.0;
/// The corner reaches as far as the speed is within this part of the drop from its minimum.
const NEAR_LOWEST: f64 = 0.35;

/// A speed minimum between two faster places.
#[derive(Clone, Copy, Debug)]
struct Valley {
    row: usize,
    lowest_ms: f64,
    /// How much faster the car was before, m/s.
    drop_ms: f64,
}

/// The corners that a lap slowed for. Their direction and radius are unknown.
pub fn slow_corners(lap: &LapColumns<'_>, placed: &PlacedLap) -> Vec<Corner> {
    let Some(speeds) = lap.values(Channel::Speed.slot()) else { return Vec::new() };
    let place = |row: usize| placed.distance_m.get(row).copied().unwrap_or_default();
    let corner = |(number, valley): (u16, Valley)| {
        let within = |speed: &f64| *speed <= valley.lowest_ms + NEAR_LOWEST * valley.drop_ms;
        let before = speeds.iter().take(valley.row).rev().take_while(|speed| within(speed)).count();
        let behind = speeds.iter().skip(valley.row + 1).take_while(|speed| within(speed)).count();
        Corner {
            number,
            name: None,
            left: None,
            entry_m: place(valley.row - before),
            apex_m: place(valley.row),
            exit_m: place(valley.row + behind),
            degrees: None,
            radius_m: None,
        }
    };
    (1..).zip(valleys(&speeds)).map(corner).collect()
}

/// The minima of a speed trace that drop and rise again by at least [`DROP_MS`].
fn valleys(speeds: &[f64]) -> Vec<Valley> {
    let mut valleys = Vec::new();
    let mut top = f64::NEG_INFINITY;
    let mut lowest: Option<(usize, f64)> = None;
    for (row, &speed) in speeds.iter().enumerate() {
        match lowest {
            None if speed > top => top = speed,
            None if speed < top - DROP_MS => lowest = Some((row, speed)),
            Some((_, low)) if speed < low => lowest = Some((row, speed)),
            Some((at, low)) if speed > low + DROP_MS => {
                valleys.push(Valley { row: at, lowest_ms: low, drop_ms: top - low });
                (top, lowest) = (speed, None);
            }
            _ => {}
        }
    }
    valleys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slowest_place_between_two_faster_ones_is_found() {
        let speeds: Vec<f64> = (0..900)
            .map(|row| 50.0 + 20.0 * (f64::from(row) / 900.0 * std::f64::consts::TAU * 3.0).cos())
            .collect();
        let rows: Vec<usize> = valleys(&speeds).iter().map(|valley| valley.row).collect();
        assert_eq!(rows, [150, 450, 750]);
        let ripples: Vec<f64> = (0..900).map(|row| 50.0 + 2.0 * (f64::from(row) / 20.0).sin()).collect();
        assert!(valleys(&ripples).is_empty() && valleys(&[]).is_empty());
    }
}
