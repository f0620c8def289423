//! The projection of a map whose track is still being learnt: it stands still, and zooms out in steps as the car drives
//! out of it.

use super::{MapBox, MapProjection, TrackOutline, XAxis};

/// The least width and height of the shown area, in metres: the first metres of a track are a short line.
const LEAST_M: f32 = 400.0;
/// The area grows by this fraction of its longer side beyond the position that left it.
const STEP: f32 = 0.25;

/// The area of a map, and the projection that fits it.
#[derive(Clone, Debug, PartialEq)]
pub struct GrowingMap {
    x_axis: XAxis,
    drawn: Option<Drawn>,
}

/// What was drawn last.
#[derive(Clone, Debug, PartialEq)]
struct Drawn {
    /// The first position of the outline.
    first: Option<[f32; 2]>,
    /// How many positions of the outline were known.
    known: usize,
    is_whole: bool,
    space: MapBox,
    area: Area,
    projection: MapProjection,
}

impl GrowingMap {
    /// A map of nothing. `x_axis` is the side to which the game's x axis points.
    pub fn new(x_axis: XAxis) -> Self {
        Self { x_axis, drawn: None }
    }

    /// Follows the outline and the driver's own car, and returns whether the track has to be drawn again. A whole
    /// outline is drawn as large as it fits; until then the area grows.
    pub fn follow(&mut self, outline: &TrackOutline, own: Option<[f32; 2]>, space: MapBox) -> bool {
        let (first, known, is_whole) = (outline.places().next(), outline.known(), outline.is_whole());
        let last = self.drawn.take();
        let same = last.as_ref().filter(|drawn| {
            (drawn.first, drawn.is_whole, drawn.space) == (first, is_whole, space) && known >= drawn.known
        });
        // The area stays over changes of the canvas; only another track has another one. Places before the first one are
        // learnt once the car has crossed the line, or from another car.
        let is_known = |place: [f32; 2]| outline.places().any(|known| known == place);
        let same_track = |drawn: &&Drawn| drawn.first == first || drawn.first.is_none_or(is_known);
        let kept = last.as_ref().filter(same_track);
        let is_kept = |drawn: &&Drawn| drawn.is_whole == is_whole;
        let mut area = kept.filter(is_kept).map(|drawn| drawn.area).unwrap_or_default();
        if same.is_none_or(|drawn| drawn.known != known) {
            outline.places().for_each(|place| area.include(place, is_whole));
        }
        if !is_whole {
            own.into_iter().for_each(|place| area.include(place, false));
        }
        let projection = match &same {
            Some(drawn) if drawn.area == area => drawn.projection,
            _ => MapProjection::fit(area.corners(), self.x_axis, 0.0, space),
        };
        let changed = same.is_none_or(|drawn| drawn.known != known || drawn.area != area);
        self.drawn = Some(Drawn { first, known, is_whole, space, area, projection });
        changed
    }

    /// The projection. `None` before the first call of `follow`.
    pub fn projection(&self) -> Option<&MapProjection> {
        self.drawn.as_ref().map(|drawn| &drawn.projection)
    }
}

/// A rectangle of the world: lowest and highest x and z, in metres. `None` while it is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Area(Option<[[f32; 2]; 2]>);

impl Area {
    /// Grows until it includes a position: exactly, or in a step that leaves room for the next ones.
    fn include(&mut self, place: [f32; 2], exactly: bool) {
        if !place.iter().all(|metres| metres.is_finite()) {
            return;
        }
        let around = if exactly { 0.0 } else { LEAST_M / 2.0 };
        let [mut low, mut high] =
            self.0.unwrap_or([place.map(|at| at - around), place.map(|at| at + around)]);
        let longer = (high[0] - low[0]).max(high[1] - low[1]);
        let step = if exactly { 0.0 } else { longer * STEP };
        for ((low, high), at) in low.iter_mut().zip(&mut high).zip(place) {
            if at < *low {
                *low = at - step;
            } else if at > *high {
                *high = at + step;
            }
        }
        self.0 = Some([low, high]);
    }

    fn corners(&self) -> impl Iterator<Item = [f32; 2]> {
        self.0.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACE: MapBox = MapBox { width: 300.0, height: 200.0, margin: 10.0 };

    /// The position after so many metres of a circle of 1 km.
    fn on_circle(metres: f32) -> [f32; 2] {
        let angle = metres / 1000.0 * std::f32::consts::TAU;
        [159.0 * angle.cos(), 159.0 * angle.sin()].map(|at| at + 1000.0)
    }

    fn is_inside([x, y]: [f32; 2]) -> bool {
        (0.0..=SPACE.width).contains(&x) && (0.0..=SPACE.height).contains(&y)
    }

    #[test]
    fn the_line_and_the_car_are_in_sight_from_the_first_metres() {
        let (mut map, mut outline) = (GrowingMap::new(XAxis::Left), TrackOutline::open());
        let mut zooms = 0;
        let mut scale = 0.0;
        for metres in (0..1000_u16).map(f32::from) {
            let own = on_circle(metres + 8.0);
            let is_new = outline.learn(metres, on_circle(metres));
            let changed = map.follow(&outline, Some(own), SPACE);
            assert!(changed || !is_new, "{metres} m: a longer line is drawn");
            let projection = map.projection().expect("a projection");
            assert!(outline.places().chain([own]).all(|place| is_inside(projection.project(place))));
            // Not a dot in the middle either: 400 m fill the lower side.
            if metres >= 100.0 {
                let line: Vec<_> = outline.places().map(|place| projection.project(place)).collect();
                let long: f32 = line.windows(2).map(|pair| pair[0][1] - pair[1][1]).map(f32::abs).sum();
                assert!(long > 20.0, "{metres} m: {long} px");
            }
            zooms += u32::from(scale != projection.pixels_per_metre());
            scale = projection.pixels_per_metre();
        }
        assert!(zooms < 8, "the map zooms out in few steps: {zooms}");
    }

    #[test]
    fn a_whole_outline_fills_the_map_and_a_place_that_is_known_changes_nothing() {
        let (mut map, mut outline) = (GrowingMap::new(XAxis::Left), TrackOutline::new(1000.0));
        for metres in (0..1000_u16).map(f32::from) {
            outline.learn(metres, on_circle(metres));
        }
        assert!(outline.is_whole() && map.follow(&outline, Some([9e3, 9e3]), SPACE));
        let scale = map.projection().expect("a projection").pixels_per_metre();
        assert!((scale * 318.0 - 180.0).abs() < 2.0, "the height less its margins: {scale}");
        assert!(!map.follow(&outline, Some([0.0, 0.0]), SPACE));
        assert!(map.follow(&outline, None, MapBox { width: 400.0, ..SPACE }), "another size");
    }

    #[test]
    fn crossing_the_line_moves_nothing_that_is_in_sight() {
        let (mut map, mut outline) = (GrowingMap::new(XAxis::Left), TrackOutline::new(1000.0));
        for metres in (400..1000_u16).map(f32::from) {
            outline.learn(metres, on_circle(metres));
            map.follow(&outline, Some(on_circle(metres)), SPACE);
        }
        let before = *map.projection().expect("a projection");
        outline.learn(0.0, on_circle(0.0));
        assert!(map.follow(&outline, Some(on_circle(0.0)), SPACE), "a longer line is drawn");
        assert_eq!(*map.projection().expect("a projection"), before);
    }

    #[test]
    fn another_track_has_a_map_of_its_own() {
        let (mut map, mut outline) = (GrowingMap::new(XAxis::Left), TrackOutline::open());
        outline.learn(0.0, [5000.0, 5000.0]);
        outline.learn(50.0, [5050.0, 5000.0]);
        assert!(map.follow(&outline, Some([5000.0, 5000.0]), SPACE));
        let mut outline = TrackOutline::open();
        outline.learn(0.0, [0.0, 0.0]);
        assert!(map.follow(&outline, Some([0.0, 0.0]), SPACE));
        let centre = map.projection().expect("a projection").project([0.0, 0.0]);
        assert_eq!(centre, [150.0, 100.0]);
        let empty = TrackOutline::open();
        let mut map = GrowingMap::new(XAxis::Left);
        assert!(map.follow(&empty, Some([7.0, 7.0]), SPACE), "the car alone");
        assert_eq!(map.projection().expect("a projection").project([7.0, 7.0]), [150.0, 100.0]);
    }
}
