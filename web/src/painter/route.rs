//! The map of a lap: its path, coloured row by row, with corner names, marks, cars and notes.

use std::rc::Rc;
use std::sync::Arc;

use trailbrake_shared::analysis::ledger::PartGroup;
use trailbrake_shared::plot::colouring::{Band, ColouredLap, Tone};
use trailbrake_shared::plot::{MapBox, MapProjection, MapWindow, Polyline, TrackPath, XAxis, bar_m};
use web_sys::HtmlCanvasElement;

use super::{Align, Ink, Layer, Paint, Pen, Sheet, TextStyle};

/// CSS pixels: the margin, and the widths of the track, of its colours, and of colours that stand out.
const MARGIN: f32 = 26.0;
const TRACK: f32 = 8.0;
const COLOUR: f32 = 3.0;
const WIDE: f32 = 4.5;
/// CSS pixels: the radius of a note's badge, from the track to its centre, and from there to the baseline.
const BADGE: f32 = 7.5;
const ASIDE: f32 = 14.0;
const BASELINE: f32 = 4.0;
/// CSS pixels: the radii of a car, of the ring that sets a dot off, and of a mark; from the track to a corner's name.
const DOT: f32 = 5.5;
const RING: f32 = 1.5;
const MARK: f32 = 2.5;
const NAME: f32 = 15.0;
/// CSS pixels from a mark to its label.
const BESIDE: f32 = 9.0;
/// CSS pixels: the widths of the top racing line, of those below, and of the band of colours under them; the longest
/// scale bar.
const LINE: f32 = 1.6;
const LOWER: f32 = 4.0;
const BAND: f32 = 12.0;
const BAR: f32 = 80.0;
/// The least scale at which racing lines can be distinguished, CSS pixels per metre.
const NEAR_PX: f64 = 0.4;

/// Everything that is drawn of the laps, except for what moves.
#[derive(Clone, Default)]
pub struct Route {
    /// The main lap's path.
    pub way: Rc<TrackPath>,
    /// The colours, if it is coloured.
    pub coloured: Option<Arc<ColouredLap>>,
    /// The names of corners, each at a row of the path.
    pub names: Vec<(usize, String)>,
    /// The marks, those at the back first.
    pub marks: Vec<Spot>,
    /// The racing lines of all laps, those at the back first. They are drawn only at scales that tell them apart,
    /// unless [`Looked::lines`] is set.
    pub lines: Vec<(Rc<TrackPath>, Ink)>,
}

/// A mark or a car on a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Its x and z in metres.
    pub place: [f32; 2],
    /// Its colour.
    pub ink: Ink,
    /// Its label, where there is room.
    pub says: String,
}

/// A numbered note on a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    /// Its x and z in metres.
    pub place: [f32; 2],
    /// Points of the path shortly before and after it.
    pub around: [[f32; 2]; 2],
    /// Its colour.
    pub ink: Ink,
    /// Its number.
    pub number: usize,
}

/// The visible part of the path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Framed {
    /// The complete path.
    #[default]
    All,
    /// From one row of the path to another.
    Rows(usize, usize),
    /// A part of the world, whatever is there.
    At(MapWindow),
}

/// The view of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Looked {
    /// The visible part.
    pub framed: Framed,
    /// Whether the racing lines of all laps are drawn at every scale.
    pub lines: bool,
}

/// The map of a route.
pub struct RouteMap {
    sheet: Sheet,
    projection: Option<MapProjection>,
    route: Route,
    looked: Looked,
    dots: Vec<Spot>,
    pins: Vec<Pin>,
    lines: Vec<Polyline>,
    dirty: bool,
}

impl RouteMap {
    /// A map without a path.
    pub fn new(sheet: Sheet) -> Self {
        Self {
            sheet,
            projection: None,
            route: Route::default(),
            looked: Looked::default(),
            dots: Vec::new(),
            pins: Vec::new(),
            lines: Vec::new(),
            dirty: true,
        }
    }

    /// Shows another route.
    pub fn show(&mut self, route: Route) {
        self.dirty = true;
        self.route = route;
    }

    /// Changes the view.
    pub fn look(&mut self, looked: Looked) {
        self.dirty |= looked != self.looked;
        self.looked = looked;
    }

    /// A picture of the map as it is on screen, below a legend; `None` while it is not visible.
    pub fn picture(&self, legend: &[(Ink, String)]) -> Option<HtmlCanvasElement> {
        self.sheet.picture(legend)
    }

    /// The visible part of the world; `None` if there is none.
    pub fn window(&self) -> Option<MapWindow> {
        MapWindow::of(&self.fit(), self.space())
    }

    /// The x and z in metres at a point of the canvas, which is in CSS pixels from its upper left corner.
    pub fn place_at(&self, css: [f32; 2]) -> [f32; 2] {
        let density = self.sheet.size().density;
        self.fit().place_at(css.map(|at| at * density))
    }

    fn space(&self) -> MapBox {
        let size = self.sheet.size();
        MapBox { width: size.width as f32, height: size.height as f32, margin: MARGIN * size.density }
    }

    /// The projection of the visible part.
    fn fit(&self) -> MapProjection {
        let (way, space) = (&self.route.way, self.space());
        match self.looked.framed {
            Framed::At(window) => window.projection(XAxis::MODEL, space),
            Framed::All => MapProjection::fit(way.outline(), XAxis::MODEL, 0.0, space),
            Framed::Rows(from, to) => {
                // A few hundred rows are enough for the extent.
                let step = to.saturating_sub(from) / 500 + 1;
                let rows = (from..=to).step_by(step).filter_map(|row| way.place(row));
                MapProjection::fit(rows, XAxis::MODEL, 0.0, space)
            }
        }
    }

    /// Draws what has changed. `dots` are cars and cursors, `pins` are notes; the first of each is in front.
    pub fn paint(&mut self, dots: &[Spot], pins: &[Pin]) {
        let refreshed = self.sheet.refresh();
        if !self.sheet.is_visible() {
            return;
        }
        let is_dirty = refreshed || std::mem::take(&mut self.dirty);
        if is_dirty {
            self.draw_route();
        }
        if is_dirty || self.dots != dots || self.pins != pins {
            self.dots.clear();
            self.dots.extend_from_slice(dots);
            self.pins.clear();
            self.pins.extend_from_slice(pins);
            self.draw_dots();
        }
    }

    fn draw_route(&mut self) {
        let (projection, space) = (self.fit(), self.space());
        self.projection = Some(projection);
        let Route { way, coloured, names, marks, lines: ways } = &self.route;
        let bands = coloured.as_ref().map_or(&[][..], |coloured| coloured.bands.as_slice());
        let density = f64::from(self.sheet.size().density);
        let near = projection.pixels_per_metre() >= NEAR_PX * density;
        let ways = if ways.len() > 1 && (near || self.looked.lines) { ways.as_slice() } else { &[] };
        let lines = &mut self.lines;
        lines.iter_mut().for_each(Polyline::clear);
        // The path, its rows without a colour, a racing line for each lap, and a line for each band.
        lines.resize(2 + ways.len() + bands.len(), Polyline::default());
        let extent = [space.width, space.height];
        let (own, colours) = lines.split_at_mut(2 + ways.len());
        let band = |row: usize| coloured.as_ref().and_then(|coloured| coloured.band(row));
        way.draw(&projection, extent, &|_| Some(0), own);
        way.draw(&projection, extent, &|row| band(row).is_none().then_some(1), own);
        way.draw(&projection, extent, &band, colours);
        for (place, (way, _)) in ways.iter().enumerate() {
            way.draw(&projection, extent, &|_| Some(2 + place), own);
        }
        let (own, colours) = lines.split_at(2 + ways.len());
        self.sheet.draw(Layer::Background, |pen| {
            if let [all, bare, each @ ..] = own {
                // Below racing lines the colours are a wide, translucent band.
                let (track, opacity) = if each.is_empty() { (TRACK, 1.0) } else { (BAND + TRACK, 0.45) };
                pen.line(all, Ink::Line, track);
                if each.is_empty() {
                    pen.line(bare, Ink::LineStrong, COLOUR);
                }
                for (line, Band { tone, .. }) in colours.iter().zip(bands) {
                    // Colours that need attention are also wider, as colour must not be the only cue.
                    let width = match tone {
                        _ if !each.is_empty() => BAND,
                        Tone::Gain | Tone::Loss | Tone::Part(_) => WIDE,
                        _ => COLOUR,
                    };
                    pen.line(line, Paint::thin(ink_of(*tone), opacity), width);
                }
                for (place, (line, (_, ink))) in each.iter().zip(ways).enumerate() {
                    // Lower lines are wider, so that they show on both sides of an upper line that covers them.
                    let width = if place + 1 == ways.len() { LINE } else { LOWER };
                    pen.line(line, *ink, width);
                }
            }
            let bar = Bar::of(pen, &projection, space.height);
            let mut taken = vec![bar.edges];
            for Spot { place, ink, says } in marks {
                let [x, y] = projection.project(*place);
                pen.dots([[x, y]], MARK + RING, Ink::Panel);
                pen.dots([[x, y]], MARK, *ink);
                if near && !says.is_empty() {
                    let (wide, beside) = (pen.width(says), pen.px(BESIDE));
                    let edges = |left: f32| [left, y - pen.px(8.0), left + wide, y + pen.px(6.0)];
                    // A label that would be cut off or overlap another one goes to the other side, or is left out.
                    let free = |edges: &Edges| {
                        edges[0] >= 0.0
                            && edges[2] <= space.width
                            && !taken.iter().any(|one| meet(one, edges))
                    };
                    let sides = [x + beside, x - beside - wide].map(edges);
                    if let Some(edges) = sides.into_iter().find(free) {
                        taken.push(edges);
                        let style = TextStyle { ink: Ink::Text, align: Align::Left };
                        pen.text(says, edges[0], y + pen.px(4.0), style);
                    }
                }
            }
            draw_names(pen, way.places(), names, &projection);
            bar.draw(pen);
        });
    }

    fn draw_dots(&self) {
        let Some(projection) = self.projection else { return };
        self.sheet.draw(Layer::Data, |pen| {
            for Pin { place, around, ink, number } in self.pins.iter().rev() {
                let [before, after] = around.map(|place| projection.project(place));
                let [x, y] = projection.project(*place);
                pen.dots([[x, y]], MARK + RING, Ink::Panel);
                pen.dots([[x, y]], MARK, *ink);
                // Badges are on the inside of bends, as corner names are on the outside.
                let [beside, below] = inside(before, [x, y], after).map(|part| part * pen.px(ASIDE));
                let badge = [x + beside, y + below];
                pen.dots([badge], BADGE + RING, Ink::Panel);
                pen.dots([badge], BADGE, *ink);
                let style = TextStyle { ink: Ink::Panel, align: Align::Centre };
                pen.text(&number.to_string(), badge[0], badge[1] + pen.px(BASELINE), style);
            }
            for Spot { place, ink, says } in self.dots.iter().rev() {
                let [x, y] = projection.project(*place);
                pen.dots([[x, y]], DOT + RING, Paint::from(Ink::Panel));
                pen.dots([[x, y]], DOT, *ink);
                let style = TextStyle { ink: *ink, align: Align::Left };
                pen.text(says, x + pen.px(BESIDE), y + pen.px(4.0), style);
            }
        });
    }
}

/// The unit vector across a path at a point, towards the inside of its bend. `before` and `after` are points of the
/// path before and after it.
fn inside(before: [f32; 2], at: [f32; 2], after: [f32; 2]) -> [f32; 2] {
    let along = [after[0] - before[0], after[1] - before[1]];
    let length = along[0].hypot(along[1]);
    if !length.is_finite() || length < 0.01 {
        return [0.0, 1.0];
    }
    let across = [-along[1] / length, along[0] / length];
    let middle = [(before[0] + after[0]) / 2.0 - at[0], (before[1] + after[1]) / 2.0 - at[1]];
    let is_inside = across[0] * middle[0] + across[1] * middle[1] >= 0.0;
    if is_inside { across } else { across.map(|part| -part) }
}

/// The ink of a tone.
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
        Tone::Part(group) => match group {
            PartGroup::BroughtIn => Ink::PartBroughtIn,
            PartGroup::BrakePoint => Ink::PartBrakePoint,
            PartGroup::Braking => Ink::PartBraking,
            PartGroup::Release => Ink::PartRelease,
            PartGroup::MinimumSpeed => Ink::PartMinimumSpeed,
            PartGroup::Line => Ink::PartLine,
            PartGroup::Throttle => Ink::PartThrottle,
            PartGroup::Gears => Ink::PartGear,
            // A table shows these two hatched and hollow. On a map, their greys would look like no loss.
            PartGroup::NotDriving => Ink::Text,
            PartGroup::Excursion => Ink::PartExcursion,
            PartGroup::Rest => Ink::Soft,
        },
    }
}

/// Left, upper, right and lower edges, in device pixels.
type Edges = [f32; 4];

fn meet(
    [left, top, right, bottom]: &Edges,
    [other_left, other_top, other_right, other_bottom]: &Edges,
) -> bool {
    left < other_right && other_left < right && top < other_bottom && other_top < bottom
}

/// The scale bar in the lower left corner, of a round number of metres.
struct Bar {
    words: String,
    left: f32,
    wide: f32,
    y: f32,
    edges: Edges,
}

impl Bar {
    fn of(pen: &Pen<'_>, projection: &MapProjection, height: f32) -> Self {
        let metres = bar_m(projection, f64::from(pen.px(BAR)));
        let [left, y, wide] =
            [pen.px(10.0), height - pen.px(10.0), (metres * projection.pixels_per_metre()) as f32];
        let words = if metres < 1000.0 { format!("{metres} m") } else { format!("{} km", metres / 1e3) };
        let right = left + wide.max(pen.width(&words) + pen.px(8.0));
        Self { words, left, wide, y, edges: [0.0, y - pen.px(16.0), right, height] }
    }

    fn draw(&self, pen: &Pen<'_>) {
        let Self { words, left, wide, y, .. } = self;
        pen.level(*left, left + wide, *y, Ink::Soft);
        for end in [*left, left + wide] {
            pen.upright(y - pen.px(4.0), *y, end, Ink::Soft);
        }
        let style = TextStyle { ink: Ink::Soft, align: Align::Left };
        pen.text(words, left + pen.px(4.0), y - pen.px(4.0), style);
    }
}

/// Writes names on the outside of their corners. A name that would overlap an earlier one is left out.
fn draw_names(pen: &Pen<'_>, path: &[[f32; 2]], names: &[(usize, String)], projection: &MapProjection) {
    let mut taken: Vec<[f32; 2]> = Vec::new();
    for (at, name) in names {
        let place = |at: usize| path.get(at).map(|place| projection.project(*place));
        let reach = path.len() / 60 + 1;
        let near = (
            place(at.saturating_sub(reach)),
            place(*at),
            place((at + reach).min(path.len().saturating_sub(1))),
        );
        let (Some(before), Some(apex), Some(after)) = near else { continue };
        // Seen from the middle between the points before and after it, the apex lies towards the outside.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inside_of_a_bend_is_where_it_bends_to() {
        let (before, after) = ([0.0, 0.0], [10.0, 0.0]);
        assert_eq!(inside(before, [5.0, 4.0], after), [0.0, -1.0]);
        assert_eq!(inside(before, [5.0, -4.0], after), [0.0, 1.0]);
        // A straight has an inside as well.
        assert_eq!(inside(before, [5.0, 0.0], after), [0.0, 1.0]);
        assert_eq!(inside(before, before, before), [0.0, 1.0]);
    }
}
