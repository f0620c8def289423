//! How drivers react to each other: keep a gap, use the slipstream, pull out, leave room.

use super::super::circuit::Circuit;
use super::racer::Racer;
use super::traffic_view::Traffic;

const CAR_LENGTH_M: f64 = 5.2;

/// Cars closer than this laterally can't be side by side, in metres.
const ROOM_M: f64 = 2.4;

/// Lateral distance between the middles of cars side by side, in metres.
const SIDE_BY_SIDE_M: f64 = 2.9;

/// Deceleration that a driver counts on behind another car, in m/s².
const FOLLOWING_MS2: f64 = 14.0;

/// Reach of the slipstream, in metres.
const SLIPSTREAM_M: f64 = 45.0;

/// Evaluates the traffic around one driver.
pub(super) fn look_around(circuit: &Circuit, racers: &[Racer], own: usize, may_pass: bool) -> Traffic {
    let mut traffic = Traffic::default();
    let Some(me) = racers.get(own) else { return traffic };
    let lap_m = me.car.lap_m(circuit);
    let line_m = circuit.racing_line_m(lap_m);
    let straight = on_a_straight(circuit, lap_m);
    let mut nearest_m = f64::MAX;
    for (index, other) in racers.iter().enumerate() {
        if index == own || other.parked || other.in_pit_lane(circuit) != me.in_pit_lane(circuit) {
            continue;
        }
        let apart_m = half_way(other.car.travelled_m - me.car.travelled_m, circuit.length_m);
        let across_m = other.car.offset_m - me.car.offset_m;
        // A car clearly ahead has priority; a car behind or alongside leaves room.
        if (-0.5 * CAR_LENGTH_M..CAR_LENGTH_M + 4.0).contains(&apart_m) {
            let [right_m, left_m] = &mut traffic.room_m;
            if across_m > 0.0 || (across_m == 0.0 && index > own) {
                *left_m = left_m.min(other.car.offset_m - SIDE_BY_SIDE_M);
            } else {
                *right_m = right_m.max(other.car.offset_m + SIDE_BY_SIDE_M);
            }
        }
        let off_line_m = me.car.offset_m.abs() - circuit.half_width_m;
        if off_line_m > 0.0 && (-90.0..6.0).contains(&apart_m) && other.car.speed_ms > 1.2 * me.car.speed_ms {
            // A car returning to the track stays at the edge until faster cars are past.
            let edge_m = circuit.half_width_m - 0.6;
            let side = usize::from(me.car.offset_m < 0.0);
            if let Some(bound_m) = traffic.room_m.get_mut(side) {
                *bound_m = if side == 0 { bound_m.max(edge_m) } else { bound_m.min(-edge_m) };
            }
        }
        if apart_m <= 0.0 || apart_m > 90.0 {
            continue;
        }
        let gap_m = (apart_m - CAR_LENGTH_M).max(0.0);
        if gap_m < SLIPSTREAM_M && across_m.abs() < 3.0 {
            traffic.slipstream = traffic.slipstream.max(0.25 * (1.0 - gap_m / SLIPSTREAM_M));
        }
        // In corners a car behind also yields to one alongside.
        let in_the_way_m = if straight { ROOM_M } else { 2.0 * ROOM_M };
        if across_m.abs() < in_the_way_m && apart_m > 0.3 {
            let (room_m, time_s) = if straight { (1.5, 0.02) } else { (3.0, 0.05) };
            let free_m = gap_m - room_m - time_s * me.car.speed_ms;
            let other_ms = other.car.speed_ms;
            // The speed from which the driver can still brake behind the other car.
            let safe_ms = (other_ms * other_ms + 2.0 * FOLLOWING_MS2 * free_m.max(0.0)).sqrt();
            traffic.follow_ms = traffic.follow_ms.min(safe_ms.min(other_ms + free_m / 0.5).max(0.0));
        }
        if apart_m < nearest_m {
            nearest_m = apart_m;
            traffic.gap_s = apart_m / me.car.speed_ms.max(5.0);
            let faster = me.car.speed_ms > other.car.speed_ms - 1.0;
            if may_pass && gap_m < 24.0 && faster && straight {
                // To the side with more room.
                let aside = if other.car.offset_m > 0.0 { -1.0 } else { 1.0 };
                traffic.shift_m = other.car.offset_m + aside * (SIDE_BY_SIDE_M + 0.3) - line_m;
            }
        }
    }
    traffic
}

/// A distance along the lap, taken the shorter way around.
fn half_way(apart_m: f64, length_m: f64) -> f64 {
    (apart_m + 0.5 * length_m).rem_euclid(length_m) - 0.5 * length_m
}

fn on_a_straight(circuit: &Circuit, lap_m: f64) -> bool {
    circuit.corners.iter().all(|corner| lap_m < corner.entry_m - 90.0 || lap_m > corner.exit_m)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shorter_way_around_counts() {
        assert_eq!(half_way(10.0, 1000.0), 10.0);
        assert_eq!(half_way(990.0, 1000.0), -10.0);
        assert_eq!(half_way(-2990.0, 1000.0), 10.0);
    }
}
