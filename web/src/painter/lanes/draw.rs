//! Drawing the three layers of a stack: grid and names; lines; cursor and values.

use trailbrake_shared::number::{self, write_signed};
use trailbrake_shared::plot::{Domain, Polyline, Scale, TickKind, Ticks, Tint, View};

use super::cursors::{draw_measured, draw_peers};
use super::flags::draw_flags;
use super::lane::Lane;
use super::marks::draw_brakings;
use super::scene::Scene;
use super::{Across, LaneSource, LaneSpec};
use crate::painter::{Align, Ink, Paint, Pen, Size, TextStyle};

/// CSS pixels: the least distance between two names, and the height of the bars of gaps.
const NAME_ROOM: f32 = 26.0;
const GAP: f32 = 3.0;
/// The height of the bars of coasting, CSS pixels.
const COAST: f32 = 4.0;
/// CSS pixels from the bottom of the lanes to the baseline of the axis labels.
const AXIS_BASELINE: f32 = 15.0;
/// CSS pixels between a scale's labels and the lanes, and from a value's line to the baseline of its label.
const SCALE: [f32; 2] = [5.0, 4.0];
/// The least CSS pixels between two labels of a scale.
const SCALE_ROOM: f32 = 13.0;
/// The labels of a scale have fewer decimals than this. Ends that need more get the decimals of the unit.
const MOST_DECIMALS: usize = 4;
/// Width and height of the cursor's label on the axis, CSS pixels.
const LABEL: [f32; 2] = [66.0, 17.0];

/// Buffers of lines, kept so that no frame asks for memory.
#[derive(Default)]
pub(super) struct Buffers {
    line: Polyline,
    areas: Tint,
}

/// Draws grid, names and flags.
pub(super) fn draw_background(scene: &Scene, size: Size, pen: &Pen<'_>) {
    let x = scene.x_scale(size);
    let (left, right) = x.pixels();
    let last = scene.lanes.len().saturating_sub(1);
    for (index, lane) in scene.lanes.iter().enumerate() {
        for guide in lane.spec.guides {
            pen.level(left, right, lane.at(*guide, pen), Ink::Line);
        }
        if let Some(zero) = lane.zero(pen) {
            pen.level(left, right, zero, Ink::LineStrong);
        }
        if index < last {
            pen.level(0.0, size.width as f32, lane.bottom, Ink::Line);
        }
        if let Some(gutter) = &scene.gutter {
            gutter.name(pen, &lane.spec, [lane.top, lane.bottom]);
            draw_scale(pen, lane, left, gutter.width);
        }
    }
    if let Across::Rolling { edge, ahead, .. } = scene.across
        && ahead > 0.0
    {
        let (top, bottom) = scene.heights();
        pen.upright(top, bottom, x.pixel(edge), Ink::Text);
    }
    draw_names(scene, pen, &x);
    draw_flags(pen, &x, scene.heights().0, &scene.flags);
    if let Across::Fixed { domain, kind } = scene.across {
        let (_, bottom) = scene.heights();
        for (from, to) in &scene.along.gaps {
            let (from, to) = (x.pixel(*from).max(left), x.pixel(*to).min(right));
            // Even the shortest gap is visible at any zoom.
            let width = (to - from).max(pen.px(2.0));
            if to >= left && from <= right {
                pen.rectangles([[from, bottom, width, pen.px(GAP)]], Ink::Warn);
            }
        }
        for at in scene.along.cuts.iter().map(|at| x.pixel(*at)).filter(|at| (left..=right).contains(at)) {
            pen.rectangles([[at - pen.px(1.0), bottom, pen.px(2.0), pen.px(2.0 * GAP)]], Ink::Text);
        }
        draw_axis(scene, pen, &x, &Ticks::new(kind, domain, most_ticks(&x, pen)));
    }
}

/// Draws a line through all lanes at each name, and the names above them as far as there is room.
fn draw_names(scene: &Scene, pen: &Pen<'_>, x: &Scale) {
    let (left, right) = x.pixels();
    let (top, bottom) = scene.heights();
    let mut free = f32::NEG_INFINITY;
    for (at, name) in &scene.along.names {
        let place = x.pixel(*at);
        if !(left..=right).contains(&place) {
            continue;
        }
        pen.upright(top, bottom, place, Ink::Line);
        if place >= free {
            let style = TextStyle { ink: Ink::Soft, align: Align::Centre };
            pen.text(name, place, top - pen.px(5.0), style);
            free = place + pen.px(NAME_ROOM);
        }
    }
}

fn draw_axis(scene: &Scene, pen: &Pen<'_>, x: &Scale, ticks: &Ticks) {
    let (top, bottom) = scene.heights();
    // If there are names, the lines through the lanes belong to them.
    let has_lines = scene.along.names.is_empty();
    for value in ticks.values() {
        let place = x.pixel(value);
        if has_lines {
            pen.upright(top, bottom, place, Ink::Line);
        } else {
            pen.upright(bottom, bottom + pen.px(4.0), place, Ink::LineStrong);
        }
    }
}

/// Writes the labels of the ticks, except where the cursor's label is: `taken` is its left and right edge.
fn write_axis(pen: &Pen<'_>, [edge, bottom]: [f32; 2], x: &Scale, ticks: &Ticks, taken: Option<[f32; 2]>) {
    for value in ticks.values() {
        let words = ticks.label(value);
        let half = pen.width(&words) / 2.0;
        let place = x.pixel(value).min(edge - half - pen.px(2.0));
        if taken.is_none_or(|[from, to]| place + half < from || place - half > to) {
            let style = TextStyle { ink: Ink::Faint, align: Align::Centre };
            pen.text(&words, place, bottom + pen.px(AXIS_BASELINE), style);
        }
    }
}

/// Draws the lines of all lanes. Returns how many brakings have a label.
pub(super) fn draw_data(
    scene: &Scene,
    x: &Scale,
    pen: &Pen<'_>,
    source: &impl LaneSource,
    Buffers { line, areas }: &mut Buffers,
) -> usize {
    for lane in &scene.lanes {
        for (spec, domain) in lane.spec.lines.iter().zip(&lane.domains) {
            let (bottom, top) = (lane.at(0.0, pen), lane.at(1.0, pen));
            let y = Scale::new(*domain, bottom, top);
            let view = View { x: *x, y, bridge: f64::INFINITY, drawing: spec.drawing };
            if spec.tinted {
                areas.clear();
                source.tint(spec.column, &view, areas);
                pen.areas(&areas.rising, Paint::thin(Ink::Loss, 0.25));
                pen.areas(&areas.falling, Paint::thin(Ink::Gain, 0.25));
            }
            line.clear();
            source.trace(spec.column, &view, line);
            pen.line(line, spec.paint, spec.width);
        }
    }
    draw_coasts(scene, pen, x);
    draw_brakings(pen, x, &scene.lanes, &scene.along.brakings, line)
}

/// Draws coasting along the bottoms of the pedal lanes.
fn draw_coasts(scene: &Scene, pen: &Pen<'_>, x: &Scale) {
    let (left, right) = x.pixels();
    for lane in scene.along.pedals.iter().filter_map(|lane| scene.lanes.get(*lane)) {
        let (bottom, high) = (lane.at(0.0, pen), pen.px(COAST));
        let bars = scene.along.coasts.iter();
        let bars = bars.map(|(from, to)| (x.pixel(*from).max(left), x.pixel(*to).min(right)));
        let bars = bars.filter(|(from, to)| from < to);
        pen.rectangles(bars.map(|(from, to)| [from, bottom - high, to - from, high]), Ink::Coast);
    }
}

/// Draws the cursors and the values at the cursor.
pub(super) fn draw_cursor(scene: &Scene, size: Size, pen: &Pen<'_>, source: &impl LaneSource) {
    let x = scene.x_scale(size);
    let (left, right) = x.pixels();
    let (top, bottom) = scene.heights();
    if let Some((from, to)) = scene.band {
        let (from, to) = (x.pixel(from.min(to)).max(left), x.pixel(from.max(to)).min(right));
        pen.rectangles([[from, top, (to - from).max(0.0), bottom - top]], Paint::thin(Ink::Main, 0.15));
    }
    draw_measured(pen, &x, (top, bottom), scene.measured);
    draw_peers(pen, &x, (top, bottom), &scene.peers);
    let cursor = scene.cursor.filter(|at| (left..=right).contains(&x.pixel(*at)));
    if let Some(at) = cursor {
        pen.upright(top, bottom, x.pixel(at), Paint::thin(Ink::Text, 0.75));
    }
    if let Across::Fixed { domain, kind } = scene.across {
        let taken = cursor.map(|at| label(pen, &x, bottom, at, kind));
        write_axis(
            pen,
            [size.width as f32, bottom],
            &x,
            &Ticks::new(kind, domain, most_ticks(&x, pen)),
            taken,
        );
    }
    let Some(gutter) = &scene.gutter else { return };
    for lane in &scene.lanes {
        gutter.rows(pen, &lane.spec.gutter_rows(source, scene.cursor), &lane.spec, [lane.top, lane.bottom]);
    }
}

/// Writes the values of a lane's scale left of the lanes: its ends, and zero between them. A narrow sheet has no room
/// beside its gutter, so they stand inside.
fn draw_scale(pen: &Pen<'_>, lane: &Lane, left: f32, gutter: f32) {
    let Some(domain) = lane.domains.last() else { return };
    let (low, high) = (lane.at(0.0, pen), lane.at(1.0, pen));
    let [low_words, high_words] = scale_ends(*domain, &lane.spec);
    let inside = left <= pen.px(gutter + SCALE[0]);
    let (x, align) = match inside {
        true => (left + pen.px(SCALE[0]), Align::Left),
        false => (left - pen.px(SCALE[0]), Align::Right),
    };
    let write = |words: &str, y: f32| {
        pen.text(words, x, y + pen.px(SCALE[1]), TextStyle { ink: Ink::Faint, align });
    };
    let room = pen.px(SCALE_ROOM);
    write(&high_words, high);
    // A lane of little height has room only for the high end.
    if low - high >= room {
        write(&low_words, low);
    }
    if let Some(zero) = lane.zero(pen).filter(|zero| zero - high >= room && low - zero >= room) {
        write("0", zero);
    }
}

/// The ends of a lane's scale as text, low and high, with as few decimals as both need.
fn scale_ends(domain: Domain, spec: &LaneSpec) -> [String; 2] {
    let shown = spec.unit;
    let ends = [domain.low(), domain.high()].map(|end| shown.value(end));
    let near = domain.span() * shown.scale.abs() * 1e-3;
    let is_exact = |decimals: usize| {
        let step = 10_f64.powi(-(decimals as i32));
        ends.iter().all(|end| ((end / step).round() * step - end).abs() <= near)
    };
    let decimals = (0..MOST_DECIMALS).find(|decimals| is_exact(*decimals)).unwrap_or(shown.decimals);
    let signed = spec.lines.iter().any(|line| line.tinted);
    ends.map(|end| if signed { write_signed(end, decimals) } else { number::write(end, decimals) })
}

/// Writes the cursor's label on the axis. Returns the label's left and right edge, device pixels.
fn label(pen: &Pen<'_>, x: &Scale, bottom: f32, at: f64, kind: TickKind) -> [f32; 2] {
    let (left, right) = x.pixels();
    let (width, height) = (pen.px(LABEL[0]), pen.px(LABEL[1]));
    let middle = x.pixel(at).clamp(left + width / 2.0, (right - width / 2.0).max(left + width / 2.0));
    pen.rectangles([[middle - width / 2.0, bottom + pen.px(3.0), width, height]], Ink::Raised);
    let words = match kind {
        TickKind::Time => crate::text::figures::precise_clock(at),
        TickKind::Distance => {
            format!("{} m", number::thousands(at.max(0.0).round() as u64))
        }
        TickKind::Number => number::write(at, 1),
        TickKind::Whole => number::write(at, 0),
    };
    let style = TextStyle { ink: Ink::Text, align: Align::Centre };
    pen.text(&words, middle, bottom + pen.px(AXIS_BASELINE), style);
    [middle - width / 2.0, middle + width / 2.0]
}

/// The most ticks whose labels have room.
fn most_ticks(x: &Scale, pen: &Pen<'_>) -> usize {
    let (left, right) = x.pixels();
    ((right - left) / pen.px(80.0)) as usize
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::model::Channel;
    use trailbrake_shared::units::Unit;

    use super::*;
    use crate::painter::LineSpec;

    #[test]
    fn ends_of_scales_have_the_decimals_they_need() {
        let speed = LaneSpec::of(Channel::Speed, 0, 1.0);
        assert_eq!(scale_ends(Domain::new(0.0, 300.0 / 3.6), &speed), ["0", "300"]);
        let steering = LaneSpec::of(Channel::Steering, 0, 1.0);
        let ends = scale_ends(Domain::new(-1.0, 1.0), &steering);
        assert!(ends[0].starts_with('−') && !ends[1].contains('.'), "{ends:?}");
        let mut delta = LaneSpec { unit: Unit::Seconds.shown(), ..LaneSpec::of(Channel::Speed, 0, 1.0) };
        delta.lines = vec![LineSpec { tinted: true, ..delta.lines[0] }];
        assert_eq!(scale_ends(Domain::new(0.66, 0.70), &delta), ["+0.66", "+0.70"]);
        assert_eq!(scale_ends(Domain::new(-0.5, 1.0), &delta), ["−0.5", "+1.0"]);
    }
}
