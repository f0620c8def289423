//! The visible part of a map, and its scale bar.

use super::step::Step;
use super::{MapBox, MapProjection, XAxis};

/// Minimum and maximum size of a window, metres: less shows nothing, and no track is larger.
const LEAST_M: f64 = 5.0;
const MOST_M: f64 = 200_000.0;

/// A square part of the world, shown in the middle of a map as large as possible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapWindow {
    /// Its middle, x and z in metres.
    pub middle: [f64; 2],
    /// Its edge, metres.
    pub across_m: f64,
}

impl MapWindow {
    /// A window; `None` if it is not finite or has no size.
    pub fn new(middle: [f64; 2], across_m: f64) -> Option<Self> {
        let is_finite = middle.iter().chain([&across_m]).all(|metres| metres.is_finite());
        (is_finite && across_m > 0.0).then(|| Self { middle, across_m: across_m.clamp(LEAST_M, MOST_M) })
    }

    /// The window that a projection shows in the middle of a canvas.
    pub fn of(projection: &MapProjection, space: MapBox) -> Option<Self> {
        let middle = projection.place_at([space.width / 2.0, space.height / 2.0]).map(f64::from);
        let room = f64::from((space.width.min(space.height) - 2.0 * space.margin).max(1.0));
        Self::new(middle, room / projection.pixels_per_metre())
    }

    /// The projection that shows it.
    pub fn projection(&self, x_axis: XAxis, space: MapBox) -> MapProjection {
        let reach = self.across_m / 2.0;
        let [x, z] = self.middle;
        let corners = [[x - reach, z - reach], [x + reach, z + reach]];
        MapProjection::fit(corners.map(|corner| corner.map(|metres| metres as f32)), x_axis, 0.0, space)
    }

    /// The window scaled by a factor, with `about` at the same place on screen.
    pub fn zoomed(&self, factor: f64, about: [f32; 2]) -> Option<Self> {
        let across_m = (self.across_m * factor).clamp(LEAST_M, MOST_M);
        let factor = across_m / self.across_m;
        let [x, z] = about.map(f64::from);
        let [middle_x, middle_z] = self.middle;
        Self::new([x + (middle_x - x) * factor, z + (middle_z - z) * factor], across_m)
    }

    /// The window moved so that the position `from` appears where `to` was.
    pub fn moved(&self, from: [f32; 2], to: [f32; 2]) -> Option<Self> {
        let by =
            |axis: usize| f64::from(from.get(axis).zip(to.get(axis)).map_or(0.0, |(from, to)| from - to));
        let [x, z] = self.middle;
        Self::new([x + by(0), z + by(1)], self.across_m)
    }
}

/// The length of a scale bar: a round number of metres of at most `most_px` pixels.
pub fn bar_m(projection: &MapProjection, most_px: f64) -> f64 {
    let most_m = most_px / projection.pixels_per_metre();
    let step = Step::at_least(most_m / 2.0).size();
    // Each round number is at most two and a half times the one before.
    if step <= most_m { step } else { Step::at_least(most_m / 2.5).size().min(most_m) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SPACE: MapBox = MapBox { width: 300.0, height: 200.0, margin: 10.0 };

    #[test]
    fn a_window_is_what_its_projection_shows() {
        let window = MapWindow::new([120.0, -40.0], 90.0).expect("a window");
        let projection = window.projection(XAxis::MODEL, SPACE);
        assert_eq!(projection.project([120.0, -40.0]), [150.0, 100.0]);
        assert_eq!(projection.pixels_per_metre(), 2.0, "180 pixels for 90 metres");
        let again = MapWindow::of(&projection, SPACE).expect("a window");
        assert!((again.across_m - 90.0).abs() < 1e-6 && (again.middle[0] - 120.0).abs() < 1e-3, "{again:?}");
    }

    #[test]
    fn no_window_is_of_no_size() {
        assert_eq!(MapWindow::new([f64::NAN, 0.0], 10.0), None);
        assert_eq!(MapWindow::new([0.0, 0.0], 0.0), None);
        assert_eq!(MapWindow::new([0.0, 0.0], 1e-9).map(|window| window.across_m), Some(5.0));
        let window = MapWindow::new([0.0, 0.0], 10.0).expect("a window");
        assert_eq!(window.zoomed(1e-9, [3.0, 3.0]).map(|window| window.across_m), Some(5.0));
    }

    #[test]
    fn bars_are_round_and_short_enough() {
        let bar = |across_m: f64| {
            let window = MapWindow::new([0.0, 0.0], across_m).expect("a window");
            bar_m(&window.projection(XAxis::MODEL, SPACE), 80.0)
        };
        assert_eq!([bar(90.0), bar(900.0), bar(5000.0), bar(10.0)], [20.0, 200.0, 2000.0, 2.0]);
    }

    proptest! {
        #[test]
        fn what_lies_under_a_finger_stays_there(
            x in -3000f32..3000.0, z in -3000f32..3000.0, across in 20f64..5000.0, factor in 0.3f64..3.0,
            right in 0f32..300.0, down in 0f32..200.0, left in 0f32..300.0
        ) {
            let window = MapWindow::new([x.into(), z.into()], across).expect("a window");
            let before = window.projection(XAxis::MODEL, SPACE);
            let place = before.place_at([right, down]);
            let zoomed = window.zoomed(factor, place).expect("a window").projection(XAxis::MODEL, SPACE);
            let near = |one: [f32; 2], other: [f32; 2]| (one[0] - other[0]).hypot(one[1] - other[1]) < 0.5;
            prop_assert!(near(zoomed.project(place), [right, down]));
            let moved = window.moved(place, before.place_at([left, down])).expect("a window");
            prop_assert!(near(moved.projection(XAxis::MODEL, SPACE).project(place), [left, down]));
        }

        #[test]
        fn bars_take_most_of_the_room(across in 5f64..100_000.0) {
            let projection = MapWindow::new([0.0, 0.0], across).expect("a window").projection(XAxis::MODEL, SPACE);
            let pixels = bar_m(&projection, 80.0) * projection.pixels_per_metre();
            prop_assert!((30.0..=80.001).contains(&pixels), "{}", pixels);
        }
    }
}
