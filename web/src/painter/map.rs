//! The live map: the track with every car on it.

use trailbrake_shared::plot::{GrowingMap, MapBox, Polyline, TrackOutline, XAxis};

use super::{Ink, Layer, Paint, Sheet};

/// A car on the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapCar {
    /// Its x and z in metres.
    pub place: [f32; 2],
    /// Its colour.
    pub ink: Ink,
    /// Which car it is.
    pub kind: MapCarKind,
}

/// The kinds of cars on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapCarKind {
    /// Any other car.
    Other,
    /// The driver's own, drawn larger and above the others.
    Own,
    /// The reference at the same lap time, drawn as a ring.
    Ghost,
}

impl MapCar {
    /// Any other car.
    pub fn other(place: [f32; 2]) -> Self {
        Self { place, ink: Ink::Soft, kind: MapCarKind::Other }
    }

    /// The driver's own car.
    pub fn own(place: [f32; 2]) -> Self {
        Self { place, ink: Ink::Main, kind: MapCarKind::Own }
    }

    /// The reference's ghost.
    pub fn ghost(place: [f32; 2]) -> Self {
        Self { place, ink: Ink::Reference, kind: MapCarKind::Ghost }
    }
}

/// CSS pixels: the margin, the track's width, the radii of dots and of the ghost, the ghost's line width, and the ring
/// that sets the own dot off.
const MARGIN: f32 = 16.0;
const TRACK: f32 = 7.0;
const DOT: f32 = 3.5;
const OWN_DOT: f32 = 6.5;
const GHOST: f32 = 9.0;
const GHOST_WIDTH: f32 = 2.5;
const RING: f32 = 1.5;

/// The live map.
pub struct TrackMap {
    sheet: Sheet,
    map: GrowingMap,
    line: Polyline,
    drawn: Vec<MapCar>,
}

impl TrackMap {
    /// An empty map. `x_axis` is the side to which the game's x axis points.
    pub fn new(sheet: Sheet, x_axis: XAxis) -> Self {
        Self { sheet, map: GrowingMap::new(x_axis), line: Polyline::default(), drawn: Vec::new() }
    }

    /// Draws the track if more of it is known than before, and the cars if any of them changed.
    pub fn paint(&mut self, outline: &TrackOutline, cars: &[MapCar]) {
        let refreshed = self.sheet.refresh();
        if !self.sheet.is_visible() {
            return;
        }
        let size = self.sheet.size();
        let margin = MARGIN * size.density;
        let space = MapBox { width: size.width as f32, height: size.height as f32, margin };
        let own = cars.iter().find(|car| car.kind == MapCarKind::Own).map(|car| car.place);
        let track_changed = self.map.follow(outline, own, space) | refreshed;
        if track_changed {
            self.draw_track(outline);
        }
        if track_changed || self.drawn != cars {
            self.drawn.clear();
            self.drawn.extend_from_slice(cars);
            self.draw_cars();
        }
    }

    fn draw_track(&mut self, outline: &TrackOutline) {
        let Some(projection) = self.map.projection() else { return };
        self.line.clear();
        projection.line(outline.line(), &mut self.line);
        self.sheet.draw(Layer::Background, |pen| pen.line(&self.line, Ink::LineStrong, TRACK));
    }

    fn draw_cars(&self) {
        let Some(projection) = self.map.projection() else { return };
        let placed = |kind: MapCarKind| {
            let cars = self.drawn.iter().filter(move |car| car.kind == kind);
            let seen = cars.filter(|car| car.place.iter().all(|metres| metres.is_finite()));
            seen.map(move |car| (projection.project(car.place), car.ink))
        };
        self.sheet.draw(Layer::Data, |pen| {
            // One batch for the usual colour; the few other cars one by one.
            pen.dots(
                placed(MapCarKind::Other).filter(|(_, ink)| *ink == Ink::Soft).map(|(place, _)| place),
                DOT,
                Ink::Soft,
            );
            for (place, ink) in placed(MapCarKind::Other).filter(|(_, ink)| *ink != Ink::Soft) {
                pen.dots([place], DOT, ink);
            }
            for (place, ink) in placed(MapCarKind::Own) {
                pen.dots([place], OWN_DOT + RING, Paint::from(Ink::Panel));
                pen.dots([place], OWN_DOT, ink);
            }
            // The ghost is drawn last: close to the own car it is a ring around it.
            for (place, ink) in placed(MapCarKind::Ghost) {
                pen.rings([place], GHOST, GHOST_WIDTH, ink);
            }
        });
    }
}
