//! A lap seen from above: its way, coloured by what is told of each stretch, with corners, marks and cars.

use std::rc::Rc;

use trailbrake_shared::plot::colouring::{Band, Coloured, Tone};
use trailbrake_shared::plot::{MapBox, MapProjection, Polyline, Way, XAxis};

use super::{Align, Ink, Layer, Paint, Pen, Sheet, TextStyle};

/// CSS pixels: the free edge, the track's width, that of its colour and of a colour that stands out, dots, marks, and from the track to a name.
const MARGIN: f32 = 26.0;
const TRACK: f32 = 8.0;
const COLOUR: f32 = 3.0;
const WIDE: f32 = 4.5;
const DOT: f32 = 5.5;
const RING: f32 = 1.5;
const MARK: f32 = 2.5;
const NAME: f32 = 15.0;

/// What is drawn of a lap.
#[derive(Clone, Default)]
pub struct Route {
    /// The way.
    pub way: Rc<Way>,
    /// The colours, if it is coloured.
    pub coloured: Option<Rc<Coloured>>,
    /// What corners are called, each at a row of the way.
    pub names: Vec<(usize, String)>,
    /// What is marked, the hindmost first.
    pub marks: Vec<Spot>,
}

/// Something marked on a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Where: x and z in metres.
    pub place: [f32; 2],
    /// In which colour.
    pub ink: Ink,
}

/// The figure.
pub struct RouteMap {
    sheet: Sheet,
    projection: Option<MapProjection>,
    route: Route,
    dots: Vec<Spot>,
    lines: Vec<Polyline>,
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
            lines: Vec::new(),
            dirty: true,
        }
    }

    /// Shows another way.
    pub fn show(&mut self, route: Route) {
        self.dirty = true;
        self.route = route;
    }

    /// Draws what has changed; `dots` are cars, the first one above the others.
    pub fn paint(&mut self, dots: &[Spot]) {
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
        let Route { way, coloured, names, marks } = &self.route;
        let projection = MapProjection::fit(way.outline(), XAxis::MODEL, 0.0, space);
        self.projection = Some(projection);
        let bands = coloured.as_ref().map_or(&[][..], |coloured| coloured.bands.as_slice());
        let lines = &mut self.lines;
        lines.iter_mut().for_each(Polyline::clear);
        // The way itself, what of it has no colour, and a line for each band.
        lines.resize(bands.len() + 2, Polyline::default());
        let extent = [space.width, space.height];
        if let [all, bare, colours @ ..] = lines.as_mut_slice() {
            way.draw(&projection, extent, &|_| Some(0), std::slice::from_mut(all));
            let band = |row: usize| coloured.as_ref().and_then(|coloured| coloured.band(row));
            let without = |row: usize| band(row).is_none().then_some(0);
            way.draw(&projection, extent, &without, std::slice::from_mut(bare));
            way.draw(&projection, extent, &band, colours);
        }
        self.sheet.draw(Layer::Background, |pen| {
            if let [all, bare, colours @ ..] = lines.as_slice() {
                pen.line(all, Ink::Line, TRACK);
                pen.line(bare, Ink::LineStrong, COLOUR);
                for (line, Band { tone, .. }) in colours.iter().zip(bands) {
                    // What asks to be looked at is seen by its width, too.
                    let width = if matches!(tone, Tone::Gain | Tone::Loss) { WIDE } else { COLOUR };
                    pen.line(line, ink_of(*tone), width);
                }
            }
            for Spot { place, ink } in marks {
                let at = projection.project(*place);
                pen.dots([at], MARK + RING, Ink::Panel);
                pen.dots([at], MARK, *ink);
            }
            draw_names(pen, way.places(), names, &projection);
        });
    }

    fn draw_dots(&self) {
        let Some(projection) = self.projection else { return };
        self.sheet.draw(Layer::Data, |pen| {
            for Spot { place, ink } in self.dots.iter().rev() {
                let place = projection.project(*place);
                pen.dots([place], DOT + RING, Paint::from(Ink::Panel));
                pen.dots([place], DOT, *ink);
            }
        });
    }
}

/// The colour for a part that colours play.
pub fn ink_of(tone: Tone) -> Ink {
    match tone {
        Tone::Ramp(step) => Ink::RAMP.get(usize::from(step)).copied().unwrap_or(Ink::Faint),
        Tone::Plain => Ink::Faint,
        Tone::Gain => Ink::Gain,
        Tone::SomeGain => Ink::GainSome,
        Tone::SomeLoss => Ink::LossSome,
        Tone::Loss => Ink::Loss,
        Tone::Throttle => Ink::Throttle,
        Tone::Brake => Ink::Brake,
        Tone::Coast => Ink::Coast,
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
