//! The lanes: delta, mini-sectors and channels along the lap, the main lap drawn over the reference.

use trailbrake_analysis::{BrakeSource, Hole, coverage, named_parts};
use trailbrake_model::number;
use trailbrake_model::units::Unit;
use trailbrake_model::{Channel, Drawing};

use super::axis::{self, Names};
use super::{LEVEL_S, Report, SMALL, Side, TINY, gear, mini_sectors};
use crate::lane_table::{DEFAULT_LANES, DefaultLane};
use crate::sheet::{At, Frame, Ink, Sheet, Words, thinned};
use crate::{Domain, Polyline, Pyramid, Scale, Series, TickKind, Ticks, View, trace};

/// Width for a lane's name and the numbers of its scale.
const GUTTER: f32 = 21.0;
/// Gap between lanes.
const BETWEEN: f32 = 1.6;
/// Height below the lanes: the coverage strip and the metres.
const BELOW: f32 = 6.0;
/// Resolution of traces, pixels per millimetre.
const FINE: f32 = 6.0;
/// Maximum distance of a dropped point from the line, millimetres.
const SEEN: f32 = 0.03;
/// Laps longer than this are drawn with thinner lines, metres.
const LONG_M: f64 = 9_000.0;
/// Samples further apart than this are not joined, metres.
const BRIDGE_M: f64 = 60.0;
/// Minimum height of a legible lane.
const LOWEST: f32 = 7.0;
/// Minimum distance between the numbers of a scale, millimetres.
const TICK_ROOM: f64 = 2.2;
/// Maximum numbers of a scale.
const MOST_TICKS: usize = 5;

/// The vertical range of a lane.
#[derive(Clone, Copy, PartialEq)]
enum Span {
    /// From zero to the highest value.
    FromZero,
    /// From zero to 100 %.
    Share,
    /// Equally far to both sides of zero.
    Symmetric,
    /// From lowest to highest, with a name for each value.
    Gears,
}

impl Span {
    fn of(channel: Channel) -> Self {
        match (channel.drawing(), channel.unit()) {
            (Drawing::Step, _) => Self::Gears,
            (Drawing::Centred, _) => Self::Symmetric,
            (Drawing::Line, Unit::Ratio) => Self::Share,
            (Drawing::Line, _) => Self::FromZero,
        }
    }
}

const DELTA_WEIGHT: f32 = 1.7;
const MINIS_WEIGHT: f32 = 1.1;

fn printed_lanes() -> impl Iterator<Item = &'static DefaultLane> {
    DEFAULT_LANES.into_iter().filter(|lane| lane.printed)
}

/// The names of the lanes that neither lap has anything for.
pub(super) fn wanted_but_not_sent(report: &Report<'_>) -> Vec<String> {
    printed_lanes()
        .filter(|lane| channel_of(lane, report).is_none())
        .map(|lane| lane.name.to_lowercase())
        .collect()
}

fn channel_of(lane: &DefaultLane, report: &Report<'_>) -> Option<Channel> {
    let sides = [&report.lap, &report.reference];
    let sent = |channel: &&Channel| sides.iter().any(|side| side.columns.has(channel.slot()));
    lane.channels.iter().find(sent).copied()
}

/// Draws the lanes with their axis.
pub(super) fn write(report: &Report<'_>, sheet: &mut Sheet, frame: &Frame) {
    let (left, right) = (frame.left + GUTTER, frame.right);
    let scale = axis::scale(report, left, right);
    let names = Names::of(report, &scale, left, right);
    let (top, bottom) = (frame.top + names.height(), frame.bottom - BELOW);
    let mut kinds: Vec<(&DefaultLane, Channel)> =
        printed_lanes().filter_map(|lane| Some((lane, channel_of(lane, report)?))).collect();
    let unit = |kinds: &[(&DefaultLane, Channel)]| {
        let weights: f32 = kinds.iter().map(|(kind, _)| kind.weight).sum();
        (bottom - top - (kinds.len() + 1) as f32 * BETWEEN) / (weights + DELTA_WEIGHT + MINIS_WEIGHT)
    };
    while kinds.len() > 3 && unit(&kinds) < LOWEST {
        kinds.pop();
    }
    let unit = unit(&kinds);
    Names::rules(report, sheet, &scale, top, bottom);
    let mut y = top;
    let mut next = |weight: f32| {
        let lane = Frame { left, right, top: y, bottom: y + weight * unit };
        y = lane.bottom + BETWEEN;
        lane
    };
    delta(report, sheet, &scale, &next(DELTA_WEIGHT));
    let lane = next(MINIS_WEIGHT);
    gutter(sheet, &lane, "Mini-sectors", "ms lost");
    mini_sectors::write(report, sheet, &scale, &lane);
    for (kind, channel) in kinds {
        let lane = next(kind.weight);
        channel_lane(report, sheet, &scale, &lane, kind, channel);
        if kind.channels.contains(&Channel::Speed) {
            braking_marks(report, sheet, &scale, &lane);
        }
    }
    quality_strip(report, sheet, &scale, bottom + 0.6);
    axis::metres(sheet, &scale, bottom + 2.0);
    names.write(sheet, top);
}

/// Writes a lane's name and unit.
fn gutter(sheet: &mut Sheet, lane: &Frame, name: &str, unit: &str) {
    let left = lane.left - GUTTER;
    sheet.write(Words::new(name, [left, lane.top + 2.2], SMALL, Ink::Text).bold());
    sheet.write(Words::new(unit, [left, lane.top + 5.0], TINY, Ink::Soft));
}

/// Writes the numbers of a lane's scale, each with a horizontal line.
fn grid(sheet: &mut Sheet, lane: &Frame, up: &Scale, numbers: impl Iterator<Item = (f64, String)>) {
    for (value, label) in numbers {
        let y = up.pixel(value);
        sheet.rule(lane.left, lane.right, y, Ink::Hairline, 0.1);
        let line = (y + 0.27 * TINY).min(lane.bottom).max(lane.top + 0.6 * TINY);
        let words = Words::new(&label, [lane.left - 1.2, line], TINY, Ink::Soft).ending();
        sheet.write(words.within(GUTTER / 2.0));
    }
}

/// As many round numbers as the lane has room for.
fn round(lane: &Frame, domain: Domain) -> Ticks {
    let ticks = |most| Ticks::new(TickKind::Number, domain, most);
    let roomy = |ticks: &Ticks| ticks.step() / domain.span() * f64::from(lane.height()) >= TICK_ROOM;
    (2..=MOST_TICKS).rev().map(ticks).find(roomy).unwrap_or(ticks(2))
}

/// Zero, and the widest one-digit number to either side.
fn either_side(domain: Domain) -> impl Iterator<Item = (f64, String)> {
    let most = domain.high();
    let digit = 10_f64.powi(most.log10().floor() as i32);
    let end = (most / digit).floor() * digit;
    let decimals = if digit < 1.0 { (-digit.log10()).round() as usize } else { 0 };
    [-end, 0.0, end].into_iter().map(move |value| (value, number::write(value, decimals)))
}

/// Draws the delta, tinted where time was lost or gained.
fn delta(report: &Report<'_>, sheet: &mut Sheet, scale: &Scale, lane: &Frame) {
    let points = &report.comparison().delta;
    let low = points.iter().map(|(_, delta)| *delta).fold(0.0, f64::min);
    let high = points.iter().map(|(_, delta)| *delta).fold(0.0, f64::max);
    // A lap compared with itself is level, not magnified noise.
    let domain = Domain::new(low, high.max(low + 0.05)).nice(4);
    let up = Scale::new(domain, lane.bottom, lane.top);
    let zero = up.pixel(0.0);
    let place = |(metres, delta): &(f64, f64)| [scale.pixel(*metres), up.pixel(*delta)];
    for part in named_parts(report.comparison()) {
        let ink = match part.loss_s {
            loss if loss >= LEVEL_S => Ink::LossTint,
            loss if loss <= -LEVEL_S => Ink::GainTint,
            _ => continue,
        };
        let from = points.partition_point(|(metres, _)| *metres < part.from_m).saturating_sub(1);
        let to = points.partition_point(|(metres, _)| *metres < part.to_m);
        let line: Vec<At> = points.get(from..=to).unwrap_or_default().iter().map(place).collect();
        let mut edge = thinned(&line, SEEN);
        if let (Some([first, _]), Some([last, _])) = (edge.first().copied(), edge.last().copied()) {
            edge.extend([[last, zero], [first, zero]]);
            sheet.area(edge, ink);
        }
    }
    gutter(sheet, lane, "Delta", "s");
    let ticks = round(lane, domain);
    let label = |value: f64| {
        let sign = if value > 0.5 * ticks.step() { "+" } else { "" };
        (value, format!("{sign}{}", ticks.label(value)))
    };
    grid(sheet, lane, &up, ticks.values().map(label));
    let left = lane.left - GUTTER;
    sheet.write(Words::new("↑ slower", [left, lane.top + 7.8], TINY, Ink::Loss));
    if lane.height() > 13.0 {
        sheet.write(Words::new("↓ quicker", [left, lane.top + 10.6], TINY, Ink::Gain));
    }
    sheet.rule(lane.left, lane.right, zero, Ink::Soft, 0.15);
    for piece in report.comparison().delta_pieces() {
        let line: Vec<At> = piece.iter().map(place).collect();
        sheet.line(thinned(&line, SEEN), Ink::Text, 0.35);
    }
}

/// Draws a channel of both laps.
fn channel_lane(
    report: &Report<'_>,
    sheet: &mut Sheet,
    scale: &Scale,
    lane: &Frame,
    kind: &DefaultLane,
    channel: Channel,
) {
    let shown = report.units.shown(channel.unit());
    let [own_placed, best_placed] = &report.comparison().placed;
    let of = |side: &Side<'_>| -> Option<Vec<f32>> {
        let values = side.columns.values(channel.slot())?;
        Some(values.into_iter().map(|value| shown.value(value) as f32).collect())
    };
    // On a long lap lines are dense. The reference is behind.
    let width = if report.comparison().length_m > LONG_M { 0.28 } else { 0.4 };
    let lines = [
        (of(&report.reference), &best_placed.distance_m, Ink::Reference, 0.75 * width),
        (of(&report.lap), &own_placed.distance_m, Ink::Main, width),
    ];
    let domain = domain(Span::of(channel), lines.iter().filter_map(|(values, ..)| values.as_deref()));
    let up = Scale::new(domain, lane.bottom, lane.top);
    gutter(sheet, lane, kind.name, shown.suffix);
    let span = Span::of(channel);
    match span {
        Span::Gears => {
            let gears = round(lane, domain).values();
            grid(sheet, lane, &up, gears.map(|number| (number, gear(number))));
        }
        Span::FromZero | Span::Share => {
            let ticks = round(lane, domain);
            grid(sheet, lane, &up, ticks.values().map(|value| (value, ticks.label(value))));
        }
        Span::Symmetric => grid(sheet, lane, &up, either_side(domain)),
    }
    let fine = |scale: &Scale| {
        let (from, to) = scale.pixels();
        Scale::new(scale.domain(), from * FINE, to * FINE)
    };
    let drawing = if span == Span::Gears { Drawing::Step } else { Drawing::Line };
    let view = View { x: fine(scale), y: fine(&up), bridge: BRIDGE_M, drawing };
    for (values, metres, ink, width) in lines {
        let Some(values) = values else { continue };
        let series = Series { x: metres, y: &values, extents: &Pyramid::over(&values) };
        let mut line = Polyline::default();
        trace(&series, &view, &mut line);
        for run in line.runs() {
            let run: Vec<At> = run.iter().map(|pixel| pixel.map(|part| part / FINE)).collect();
            sheet.line(thinned(&run, SEEN), ink, width);
        }
    }
}

fn domain<'a>(span: Span, lines: impl Iterator<Item = &'a [f32]>) -> Domain {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in lines.flatten().copied().filter(|value| value.is_finite()) {
        (low, high) = (low.min(f64::from(value)), high.max(f64::from(value)));
    }
    match span {
        Span::FromZero => Domain::new(0.0, high * 1.04),
        Span::Share => Domain::new(0.0, 100.0),
        Span::Symmetric => {
            let reach = Domain::new(low, high).symmetric().high() * 1.05;
            Domain::new(-reach, reach)
        }
        Span::Gears => Domain::new(low.min(1.0) - 0.4, high.max(1.0) + 0.4),
    }
}

/// Marks the brake points of both laps: filled for the main lap, hollow for the reference.
fn braking_marks(report: &Report<'_>, sheet: &mut Sheet, scale: &Scale, lane: &Frame) {
    const SIZE: f32 = 0.95;
    let [own, best] = &report.comparison().tables;
    let marks = [(best, lane.bottom - 0.3, Ink::Reference, true), (own, lane.bottom - 2.6, Ink::Main, false)];
    for (table, base, ink, hollow) in marks {
        for place in table.rows.iter().filter_map(|row| row.brake_on_m) {
            let x = scale.pixel(place);
            let tip = [x, base - 2.0 * SIZE];
            let edge = vec![[x - SIZE, base], [x + SIZE, base], tip];
            sheet.area(edge, ink);
            if hollow {
                let (low, side) = (base - 0.25, SIZE - 0.42);
                sheet.area(vec![[x - side, low], [x + side, low], [x, base - 1.3 * SIZE]], Ink::Paper);
            }
        }
    }
    let measured_by = own.brake_source.or(best.brake_source);
    let words = match measured_by {
        Some(BrakeSource::Pedal) => "brake on",
        Some(BrakeSource::Slowing) => "slows",
        None => return,
    };
    let (left, line) = (lane.left - GUTTER, lane.bottom - 0.4);
    sheet.write(Words::new(words, [left, line], TINY, Ink::Soft));
}

/// Draws the coverage strip: grey where samples were received, black in gaps, and excursions in colour.
fn quality_strip(report: &Report<'_>, sheet: &mut Sheet, scale: &Scale, y: f32) {
    let (left, right) = scale.pixels();
    sheet.rule(left, right, y, Ink::Hairline, 0.5);
    let [placed, _] = &report.comparison().placed;
    for excursion in &placed.excursions {
        sheet.rule(scale.pixel(excursion.from_m), scale.pixel(excursion.to_m), y, Ink::Loss, 0.9);
    }
    for Hole { from_s, to_s } in coverage(report.lap.columns).into_iter().flat_map(|coverage| coverage.holes)
    {
        if let Some((from, to)) = placed.place_at(from_s).zip(placed.place_at(to_s)) {
            let (from, to) = (scale.pixel(from), scale.pixel(to));
            sheet.rule(from, to.max(from + 0.3), y, Ink::Text, 0.9);
        }
    }
}
