//! The positions of all cars, lap by lap.

use trailbrake_model::Car;
use trailbrake_session::Session;

/// A car's positions over the laps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionLine {
    /// The car.
    pub car: Car,
    /// Its driver in three letters.
    pub short: String,
    /// Whether the car is watched.
    pub watched: bool,
    /// The laps, in order, with the car's position at the end of each.
    pub places: Vec<(u16, u8)>,
}

/// The positions that the game lists, the car in front first. Empty if it lists none.
pub fn position_lines(session: &Session) -> Vec<PositionLine> {
    let positions = &session.reported().positions;
    let cars = positions.values().map(Vec::len).max().unwrap_or(0);
    let line = |car: Car| {
        let of_lap = |(lap, places): (&u16, &Vec<u8>)| {
            places.get(usize::from(car.0)).filter(|place| **place > 0).map(|place| (*lap, *place))
        };
        let places: Vec<(u16, u8)> = positions.iter().filter_map(of_lap).collect();
        let watched = session.watched() == Some(car);
        (!places.is_empty()).then(|| PositionLine { car, short: session.short(car), watched, places })
    };
    let cars = (0..=u8::MAX).take(cars).map(Car);
    let mut lines: Vec<PositionLine> = cars.filter_map(line).collect();
    // A car that left the race earlier stands further down.
    let last = |line: &PositionLine| line.places.last().copied().unwrap_or_default();
    lines.sort_by_key(|line| {
        let (lap, place) = last(line);
        (std::cmp::Reverse(lap), place, line.car)
    });
    lines
}
