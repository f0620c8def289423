use trailbrake_model::time::Micros;

use super::*;

/// A point at `seconds` after the start, with this lap clock and x position.
fn point(seconds: f64, clock_ms: f64, x: f64) -> Point {
    let moment = Moment { at: Micros(0).plus_seconds(seconds), ..Moment::default() };
    Point { moment, clock_ms, speed_mps: Some(50.0), position: Some([x, 0.0, 0.0]) }
}

/// Feeds the points to `Laps` and returns a letter for each `Step`.
fn steps(points: &[Point]) -> (String, Laps) {
    let mut laps = Laps::default();
    let letters = points.iter().map(|point| match laps.step(*point) {
        Step::Begins | Step::Flows => '.',
        Step::NextLap => 'L',
        Step::Restarts => 'R',
        Step::Late | Step::Stray => '?',
        other => panic!("{other:?}"),
    });
    (letters.collect(), laps)
}

#[test]
fn a_clock_that_resets_on_the_way_is_a_lap_of_the_largest_value() {
    let (letters, laps) = steps(&[
        point(0.0, 90_000.0, 0.0),
        point(0.016, 90_016.0, 0.8),
        point(0.032, 8.0, 1.6),
        point(0.048, 24.0, 2.4),
    ]);
    assert_eq!(letters, "..L.");
    assert_eq!((laps.number(), laps.last(), laps.best()), (2, Some(LapTime(90_016)), Some(LapTime(90_016))));
    let metres = laps.metres().expect("a distance");
    assert!((metres - 1.2).abs() < 1e-6, "{metres}");
}

#[test]
fn a_car_that_was_moved_or_whose_clock_reset_too_soon_restarted() {
    let (letters, laps) =
        steps(&[point(0.0, 90_000.0, 0.0), point(0.016, 8.0, 400.0), point(0.032, 24.0, 400.0)]);
    assert_eq!((letters.as_str(), laps.number(), laps.last()), (".R.", 1, None));
    let (letters, _) = steps(&[point(0.0, 3_000.0, 0.0), point(0.016, 0.0, 0.0)]);
    assert_eq!(letters, ".R");
    // Before the line the clock stays at zero, wherever the car is.
    let (letters, _) = steps(&[point(0.0, 0.0, 0.0), point(0.016, 0.0, 0.8), point(0.032, 0.0, 400.0)]);
    assert_eq!(letters, "..R");
    // Without a position a move cannot be detected.
    let nowhere = |seconds, clock_ms| Point { position: None, ..point(seconds, clock_ms, 0.0) };
    assert_eq!(steps(&[nowhere(0.0, 90_000.0), nowhere(0.016, 8.0)]).0, ".L");
}

#[test]
fn a_gap_of_the_network_is_no_jump() {
    let (letters, _) = steps(&[point(0.0, 90_000.0, 0.0), point(2.0, 500.0, 100.0)]);
    assert_eq!(letters, ".L");
}

#[test]
fn overtaken_packets_change_nothing_on_either_side_of_the_line() {
    let (letters, laps) = steps(&[
        point(0.0, 90_000.0, 0.0),
        point(0.016, 90_016.0, 0.8),
        point(0.017, 90_000.0, 0.0),
        point(0.032, 8.0, 1.6),
        point(0.033, 90_016.0, 0.8),
        point(0.048, 24.0, 2.4),
    ]);
    assert_eq!((letters.as_str(), laps.number()), ("..?L?.", 2));
}

#[test]
fn a_clock_that_leapt_ahead_is_believed_once_it_stays_there() {
    let ahead =
        (0..8).map(|tick| point(1.0 + f64::from(tick) / 60.0, 50_000.0 + f64::from(tick) * 16.7, 0.0));
    let points: Vec<Point> = [point(0.0, 0.0, 0.0)].into_iter().chain(ahead).collect();
    let (letters, laps) = steps(&points);
    assert_eq!((letters.as_str(), laps.number()), (".?????...", 1));
    for nonsense in [f64::INFINITY, f64::NAN, -1.0, 1e12] {
        assert_eq!(steps(&[point(0.0, nonsense, 0.0)]).0, "?", "{nonsense}");
    }
}

#[test]
fn the_best_lap_is_the_shortest() {
    let mut points = Vec::new();
    let mut now = 0.0;
    for lap_ms in [90_000, 85_000, 88_000] {
        for clock in (0..lap_ms).step_by(500) {
            now += 0.5;
            points.push(point(now, f64::from(clock), 0.0));
        }
    }
    points.push(point(now + 0.5, 0.0, 0.0));
    let (_, laps) = steps(&points);
    assert_eq!((laps.last(), laps.best()), (Some(LapTime(87_500)), Some(LapTime(84_500))));
}
