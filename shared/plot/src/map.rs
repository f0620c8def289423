//! The track from above: projects metres to device pixels, with the same scale in both directions and never mirrored.

use super::Polyline;

/// The direction of a game's x axis, seen from above with its z axis ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XAxis {
    /// To the left: every right-handed world with y up, such as F1's.
    Left,
    /// To the right: left-handed worlds.
    Right,
}

impl XAxis {
    /// The direction in the model's worlds, as defined by [`Axis`](trailbrake_model::Axis): decoders convert other worlds.
    pub const MODEL: Self = Self::Left;
}

/// The part of a canvas that a map may fill, in device pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapBox {
    /// Its width.
    pub width: f32,
    /// Its height.
    pub height: f32,
    /// The margin at each edge.
    pub margin: f32,
}

/// Projects world positions to the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapProjection {
    x_axis: XAxis,
    sine: f64,
    cosine: f64,
    /// Pixels per metre.
    scale: f64,
    /// The middle of the world after rotation, in metres to the right and up the page.
    middle: [f64; 2],
    /// The middle of the map in pixels.
    centre: [f64; 2],
}

impl MapProjection {
    /// Fits positions (x and z in metres) into `space`, after rotating the picture clockwise by `turn` radians. Without
    /// rotation z points up the page.
    pub fn fit(places: impl IntoIterator<Item = [f32; 2]>, x_axis: XAxis, turn: f64, space: MapBox) -> Self {
        let (sine, cosine) = turn.sin_cos();
        let centre = [f64::from(space.width) / 2.0, f64::from(space.height) / 2.0];
        let mut fit = Self { x_axis, sine, cosine, scale: 1.0, middle: [0.0; 2], centre };

        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for place in places {
            let turned = fit.turned(place);
            if turned.iter().all(|metres| metres.is_finite()) {
                low = [low[0].min(turned[0]), low[1].min(turned[1])];
                high = [high[0].max(turned[0]), high[1].max(turned[1])];
            }
        }
        if low[0] > high[0] {
            return fit;
        }
        fit.middle = [(low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0];
        let room = |pixels: f32| f64::from((pixels - 2.0 * space.margin).max(1.0));
        // At least one metre is shown: a stationary car is a point, not a division by zero.
        let across = room(space.width) / (high[0] - low[0]).max(1.0);
        let up = room(space.height) / (high[1] - low[1]).max(1.0);
        fit.scale = across.min(up);
        fit
    }

    /// Like `fit`, rotated so that the track is drawn as large as possible.
    pub fn fill(places: impl IntoIterator<Item = [f32; 2]> + Clone, x_axis: XAxis, space: MapBox) -> Self {
        let turns = (0..36).map(|step| f64::from(step) * 5f64.to_radians());
        let fits = turns.map(|turn| Self::fit(places.clone(), x_axis, turn, space));
        fits.reduce(|best, next| if next.scale > best.scale * 1.0001 { next } else { best })
            .unwrap_or_else(|| Self::fit([], x_axis, 0.0, space))
    }

    /// The pixel of a position, x and z in metres.
    pub fn project(&self, place: [f32; 2]) -> [f32; 2] {
        let [right, up] = self.turned(place);
        [
            (self.centre[0] + (right - self.middle[0]) * self.scale) as f32,
            (self.centre[1] - (up - self.middle[1]) * self.scale) as f32,
        ]
    }

    /// The position, x and z in metres, at a pixel.
    pub fn place_at(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        let right = (f64::from(x) - self.centre[0]) / self.scale + self.middle[0];
        let up = (self.centre[1] - f64::from(y)) / self.scale + self.middle[1];
        let (across, ahead) = (right * self.cosine - up * self.sine, right * self.sine + up * self.cosine);
        let x = match self.x_axis {
            XAxis::Left => -across,
            XAxis::Right => across,
        };
        [x as f32, ahead as f32]
    }

    /// Pixels per metre.
    pub fn pixels_per_metre(&self) -> f64 {
        self.scale
    }

    /// Adds a line through positions; a missing one interrupts it.
    pub fn line(&self, places: impl IntoIterator<Item = Option<[f32; 2]>>, line: &mut Polyline) {
        let mut drawing = false;
        for place in places {
            match place.map(|place| self.project(place)) {
                Some([x, y]) if drawing => line.line_to(x, y),
                Some([x, y]) => line.move_to(x, y),
                None => {}
            }
            drawing = place.is_some();
        }
    }

    /// Metres to the right and up the page.
    fn turned(&self, [x, z]: [f32; 2]) -> [f64; 2] {
        let right = match self.x_axis {
            XAxis::Left => -f64::from(x),
            XAxis::Right => f64::from(x),
        };
        let ahead = f64::from(z);
        [right * self.cosine + ahead * self.sine, ahead * self.cosine - right * self.sine]
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, TAU};

    use proptest::prelude::*;

    use super::*;

    const SPACE: MapBox = MapBox { width: 300.0, height: 200.0, margin: 10.0 };

    /// The corners of a track, x and z in metres.
    const TRACK: [[f32; 2]; 4] = [[0.0, 0.0], [0.0, 400.0], [100.0, 400.0], [100.0, 0.0]];

    #[test]
    fn a_left_turn_is_a_left_turn_on_the_map() {
        // In F1's world a car that drives towards +z and turns left continues towards +x.
        let map = MapProjection::fit(TRACK, XAxis::Left, 0.0, SPACE);
        let [start, corner, after] = [TRACK[0], TRACK[1], TRACK[2]].map(|place| map.project(place));
        assert!(corner[1] < start[1], "ahead is up the page");
        assert!(after[0] < corner[0], "and left is left");
        let mirrored = MapProjection::fit(TRACK, XAxis::Right, 0.0, SPACE);
        assert!(mirrored.project(TRACK[2])[0] > mirrored.project(TRACK[1])[0]);
    }

    #[test]
    fn turning_is_clockwise() {
        let map = MapProjection::fit(TRACK, XAxis::Left, FRAC_PI_2, SPACE);
        let (start, corner) = (map.project(TRACK[0]), map.project(TRACK[1]));
        assert!(corner[0] > start[0] && (corner[1] - start[1]).abs() < 1e-3, "{start:?} {corner:?}");
    }

    #[test]
    fn filling_turns_a_long_track_along_the_longer_edge() {
        let upright = MapProjection::fit(TRACK, XAxis::Left, 0.0, SPACE);
        let filled = MapProjection::fill(TRACK, XAxis::Left, SPACE);
        assert!(filled.pixels_per_metre() > 1.4 * upright.pixels_per_metre());
    }

    #[test]
    fn a_single_place_and_none_lie_in_the_middle() {
        let single = MapProjection::fit([[512.0, -90.0]], XAxis::Left, 0.3, SPACE);
        assert_eq!(single.project([512.0, -90.0]), [150.0, 100.0]);
        let none = MapProjection::fit([[f32::NAN, 0.0]], XAxis::Left, 0.0, SPACE);
        assert_eq!(none.project([0.0, 0.0]), [150.0, 100.0]);
    }

    #[test]
    fn a_missing_place_interrupts_the_line() {
        let map = MapProjection::fit(TRACK, XAxis::Left, 0.0, SPACE);
        let mut line = Polyline::default();
        map.line([Some(TRACK[0]), Some(TRACK[1]), None, Some(TRACK[2])], &mut line);
        assert_eq!(line.runs().map(<[_]>::len).collect::<Vec<_>>(), [2, 1]);
    }

    fn places() -> impl Strategy<Value = Vec<[f32; 2]>> {
        proptest::collection::vec([-3000f32..3000.0, -3000f32..3000.0], 3..40)
    }

    fn distance(a: [f32; 2], b: [f32; 2]) -> f64 {
        f64::from(a[0] - b[0]).hypot(f64::from(a[1] - b[1]))
    }

    /// Twice the area of a triangle, positive or negative by the direction of its corners.
    fn turn_of([a, b, c]: [[f32; 2]; 3]) -> f64 {
        let side = |from: [f32; 2], to: [f32; 2]| [f64::from(to[0] - from[0]), f64::from(to[1] - from[1])];
        let ([x1, y1], [x2, y2]) = (side(a, b), side(a, c));
        x1 * y2 - x2 * y1
    }

    proptest! {
        #[test]
        fn everything_fits_and_touches_the_margin(places in places(), turn in 0.0..TAU) {
            let map = MapProjection::fit(places.iter().copied(), XAxis::Left, turn, SPACE);
            let mut slack = f32::INFINITY;
            for &place in &places {
                let [x, y] = map.project(place);
                let free = x.min(SPACE.width - x).min(y).min(SPACE.height - y) - SPACE.margin;
                prop_assert!(free > -0.01, "{x} {y}");
                slack = slack.min(free);
            }
            prop_assert!(slack < 0.01, "as large as possible");
        }

        #[test]
        fn a_metre_is_a_metre_in_every_direction(places in places(), turn in 0.0..TAU) {
            let map = MapProjection::fit(places.iter().copied(), XAxis::Left, turn, SPACE);
            for pair in places.windows(2) {
                let shown = distance(map.project(pair[0]), map.project(pair[1]));
                let real = distance(pair[0], pair[1]) * map.pixels_per_metre();
                prop_assert!((shown - real).abs() < 0.01, "{shown} {real}");
            }
        }

        #[test]
        fn what_lies_at_a_pixel_is_drawn_there(places in places(), turn in 0.0..TAU) {
            for x_axis in [XAxis::Left, XAxis::Right] {
                let map = MapProjection::fit(places.iter().copied(), x_axis, turn, SPACE);
                for &place in &places {
                    prop_assert!(distance(map.place_at(map.project(place)), place) < 0.05);
                }
            }
        }

        #[test]
        fn no_turn_mirrors(places in places(), turn in 0.0..TAU) {
            let map = MapProjection::fit(places.iter().copied(), XAxis::Left, turn, SPACE);
            let corners = [places[0], places[1], places[2]];
            let (world, page) = (turn_of(corners), turn_of(corners.map(|corner| map.project(corner))));
            let size = world * map.pixels_per_metre().powi(2);
            // x points left and the canvas counts down: two flips, which cancel out.
            prop_assert!((page - size).abs() < 1.0 + size.abs() * 1e-3, "{page} {size}");
        }
    }
}
