//! A lap seen from above: its way, coloured by what is told of each stretch, with corners, marks and cars.

use trailbrake_shared::plot::{MapBox, MapProjection, Polyline, XAxis};

use super::{Align, Ink, Layer, Paint, Pen, Sheet, TextStyle};

/// CSS pixels: the free edge, the track's width and that of its colour, dots, marks, and from the track to a name.
const MARGIN: f32 = 26.0;
const TRACK: f32 = 8.0;
const COLOUR: f32 = 3.0;
const DOT: f32 = 5.5;
const RING: f32 = 1.5;
const MARK: f32 = 2.5;
const NAME: f32 = 15.0;

/// What is drawn of a lap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// The way: x and z in metres; what was not heard is no number.
    pub way: Vec<[f32; 2]>,
    /// Stretches of the way, from one of its points to another, with their colours.
    pub pieces: Vec<(usize, usize, Ink)>,
    /// What corners are called, each at a point of the way.
    pub names: Vec<(usize, String)>,
    /// Marks on the way.
    pub marks: Vec<([f32; 2], Ink)>,
}

/// The figure.
pub struct RouteMap {
    sheet: Sheet,
    projection: Option<MapProjection>,
    route: Route,
    dots: Vec<([f32; 2], Ink)>,
    line: Polyline,
    dirty: bool,
}

impl RouteMap {
    /// A map without a way.
    pub fn new(sheet: Sheet) -> Self {
        Self {
            sheet,
            projection: None,
            route: Route::default(),
            dots: Vec::new(),
            line: Polyline::default(),
            dirty: true,
        }
    }

    /// Shows another way.
    pub fn show(&mut self, route: Route) {
        self.dirty |= route != self.route;
        self.route = route;
    }

    /// Draws what has changed; `dots` are cars, the first one above the others.
    pub fn paint(&mut self, dots: &[([f32; 2], Ink)]) {
        let refreshed = self.sheet.refresh();
        if !self.sheet.is_visible() {
            return;
        }
        let anew = refreshed || std::mem::take(&mut self.dirty);
        if anew {
            self.draw_route();
        }
        if anew || self.dots != dots {
            self.dots.clear();
            self.dots.extend_from_slice(dots);
            self.draw_dots();
        }
    }

    fn draw_route(&mut self) {
        let size = self.sheet.size();
        let margin = MARGIN * size.density;
        let space = MapBox { width: size.width as f32, height: size.height as f32, margin };
        let heard =
            self.route.way.iter().copied().filter(|place| place.iter().all(|metres| metres.is_finite()));
        let projection = MapProjection::fit(heard, XAxis::MODEL, 0.0, space);
        self.projection = Some(projection);
        let mut line = std::mem::take(&mut self.line);
        let Route { way, pieces, names, marks } = &self.route;
        let places = |from: usize, to: usize| {
            let piece = way.get(from..(to + 1).min(way.len())).unwrap_or_default();
            piece.iter().map(|place| place.iter().all(|metres| metres.is_finite()).then_some(*place))
        };
        self.sheet.draw(Layer::Background, |pen| {
            line.clear();
            projection.line(places(0, way.len()), &mut line);
            pen.line(&line, Ink::LineStrong, TRACK);
            // All stretches of a colour at once.
            for ink in [Ink::Soft, Ink::Gain, Ink::Loss] {
                line.clear();
                for (from, to, _) in pieces.iter().filter(|(.., own)| *own == ink) {
                    projection.line(places(*from, *to), &mut line);
                }
                pen.line(&line, ink, COLOUR);
            }
            for (place, ink) in marks {
                let [x, y] = projection.project(*place);
                pen.dots([[x, y]], MARK + RING, Ink::Panel);
                pen.dots([[x, y]], MARK, *ink);
            }
            draw_names(pen, way, names, &projection);
        });
        self.line = line;
    }

    fn draw_dots(&self) {
        let Some(projection) = self.projection else { return };
        self.sheet.draw(Layer::Data, |pen| {
            for (place, ink) in self.dots.iter().rev() {
                let place = projection.project(*place);
                pen.dots([place], DOT + RING, Paint::from(Ink::Panel));
                pen.dots([place], DOT, *ink);
            }
        });
    }
}

/// Names stand on the outside of their corners, and are left out where another one stands already.
fn draw_names(pen: &Pen<'_>, way: &[[f32; 2]], names: &[(usize, String)], projection: &MapProjection) {
    let mut taken: Vec<[f32; 2]> = Vec::new();
    for (at, name) in names {
        let place = |at: usize| way.get(at).map(|place| projection.project(*place));
        let reach = way.len() / 60 + 1;
        let near = (
            place(at.saturating_sub(reach)),
            place(*at),
            place((at + reach).min(way.len().saturating_sub(1))),
        );
        let (Some(before), Some(apex), Some(after)) = near else { continue };
        // From the middle between what is before and behind it, the apex lies towards the outside.
        let out = [apex[0] - (before[0] + after[0]) / 2.0, apex[1] - (before[1] + after[1]) / 2.0];
        let length = out[0].hypot(out[1]);
        let side = match length > 0.01 {
            true => out.map(|part| part / length),
            false => [0.0, -1.0],
        };
        let [x, y] = [apex[0] + side[0] * pen.px(NAME), apex[1] + side[1] * pen.px(NAME)];
        let free = taken.iter().all(|[other_x, other_y]| {
            (other_x - x).abs() > pen.px(20.0) || (other_y - y).abs() > pen.px(12.0)
        });
        if free && x.is_finite() && y.is_finite() {
            taken.push([x, y]);
            pen.text(name, x, y + pen.px(4.0), TextStyle { ink: Ink::Soft, align: Align::Centre });
        }
    }
}
