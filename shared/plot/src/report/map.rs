//! The track map: where time was lost and gained, and the brake points of both laps.

use trailbrake_analysis::{PlacedLap, named_parts};

use super::{LEVEL_S, Report, TINY, badge, section};
use crate::sheet::{At, Frame, Ink, Sheet, Words, thinned};
use crate::{MapBox, MapProjection, XAxis};

/// A car that moves further than this between two positions was moved by the game, metres.
const JUMP_M: f32 = 80.0;
/// Margin around the track for names and marks.
const EDGE: f32 = 6.5;
/// Height of the legend.
const LEGEND: f32 = 4.0;
/// With more corners than this the marks are shorter.
const MANY: usize = 20;
const SEEN: f32 = 0.04;
/// Distances of a corner's number from the track, tried in this order.
const AWAY: [f32; 4] = [3.4, 4.4, 5.6, 7.2];

/// The path of the main lap, or of the reference if the main lap has no positions.
pub(super) struct Map<'a> {
    report: &'a Report<'a>,
    /// Metres from the line, and x and z there.
    way: Vec<(f64, [f32; 2])>,
}

impl<'a> Map<'a> {
    /// `None` if neither lap has positions.
    pub(super) fn of(report: &'a Report<'a>) -> Option<Self> {
        let [own, best] = &report.comparison().placed;
        let way =
            |columns: &trailbrake_analysis::LapColumns<'_>, placed: &PlacedLap| -> Vec<(f64, [f32; 2])> {
                let position = |(row, [x, _, z]): (usize, [f64; 3])| {
                    Some((*placed.distance_m.get(row)?, [x as f32, z as f32]))
                };
                columns.positions().filter_map(position).collect()
            };
        let ways = [way(report.lap.columns, own), way(report.reference.columns, best)];
        let way = ways.into_iter().find(|way| way.len() > 1)?;
        Some(Self { report, way })
    }

    pub(super) fn write(&self, sheet: &mut Sheet, frame: &Frame) {
        let top = section(sheet, frame, "Where", "");
        let inner = Frame { top: top + 0.5, bottom: frame.bottom - LEGEND, ..*frame };
        let space = MapBox { width: inner.width(), height: inner.height(), margin: EDGE };
        let projection = MapProjection::fill(self.way.iter().map(|(_, place)| *place), XAxis::MODEL, space);
        let drawn: Vec<(f64, At)> = self
            .way
            .iter()
            .map(|(metres, place)| {
                let [x, y] = projection.project(*place);
                (*metres, [x + inner.left, y + inner.top])
            })
            .collect();
        let jump = JUMP_M * projection.pixels_per_metre() as f32;
        let drawn = DrawnPath { points: drawn, jump };
        self.track(sheet, &drawn);
        self.brakings(sheet, &drawn);
        drawn.start(sheet);
        self.names(sheet, &drawn, &inner);
        legend(sheet, &Frame { top: frame.bottom - LEGEND, ..*frame });
    }

    /// Draws the track: a full line where time was lost, a hollow one where it was gained, a thin one elsewhere.
    fn track(&self, sheet: &mut Sheet, drawn: &DrawnPath) {
        for run in drawn.between(f64::NEG_INFINITY, f64::INFINITY) {
            sheet.line(run, Ink::Soft, 0.35);
        }
        for part in named_parts(self.report.comparison()) {
            let runs = drawn.between(part.from_m, part.to_m);
            for run in runs {
                if part.loss_s >= LEVEL_S {
                    sheet.line(run, Ink::Loss, 1.3);
                } else if part.loss_s <= -LEVEL_S {
                    sheet.line(run.clone(), Ink::Gain, 1.3);
                    sheet.line(run, Ink::Paper, 0.7);
                }
            }
        }
    }

    /// Marks the brake points: the main lap's on the left of the track, the reference's on the right.
    fn brakings(&self, sheet: &mut Sheet, drawn: &DrawnPath) {
        let [own, best] = &self.report.comparison().tables;
        let long = if own.rows.len() > MANY { 1.6 } else { 2.5 };
        for (table, ink, width, side) in [(best, Ink::Reference, 0.45, -1.0), (own, Ink::Main, 0.6, 1.0)] {
            for place in table.rows.iter().filter_map(|row| row.brake_on_m) {
                let Some(([x, y], [along, down])) = drawn.at(place) else { continue };
                // To the left of the driving direction, on paper whose y points down.
                let [dx, dy] = [down * side, -along * side];
                let end = |far: f32| [x + dx * far, y + dy * far];
                sheet.line(vec![end(0.3), end(long)], ink, width);
            }
        }
    }

    /// Writes corner numbers beside the track, those with advice first. A number without free space is left out.
    fn names(&self, sheet: &mut Sheet, drawn: &DrawnPath, inner: &Frame) {
        let mut taken: Vec<Frame> = Vec::new();
        let comparison = self.report.comparison();
        let mut order: Vec<usize> = (0..comparison.corners.len()).collect();
        let loss = |index: &usize| comparison.loss_of(*index).map_or(0.0, f64::abs);
        order.sort_by(|a, b| loss(b).total_cmp(&loss(a)));
        let rank =
            |index: &usize| comparison.corners.get(*index).and_then(|one| self.report.rank(one.number));
        order.sort_by_key(|index| rank(index).unwrap_or(usize::MAX));
        for corner in order.iter().filter_map(|index| comparison.corners.get(*index)) {
            let Some(([x, y], [along, down])) = drawn.at(corner.apex_m) else { continue };
            let rank = self.report.rank(corner.number);
            let half = if rank.is_some() { [1.8, 1.8] } else { [1.0 + 0.7 * digits(corner.number), 1.1] };
            // There is more room outside of a bend than inside.
            let outside = if corner.left.unwrap_or_default() { -1.0 } else { 1.0 };
            let places = AWAY.iter().flat_map(|far| [outside * far, -outside * far]);
            let frames = places.map(|far| {
                let [x, y] = [x + down * far, y - along * far];
                Frame { left: x - half[0], top: y - half[1], right: x + half[0], bottom: y + half[1] }
            });
            let free = |frame: &Frame| {
                inner.holds(frame) && !taken.iter().any(|one| one.overlaps(frame)) && !drawn.touches(frame)
            };
            let mut frames = frames.filter(free);
            let Some(frame) = frames.next() else { continue };
            let middle = [(frame.left + frame.right) / 2.0, (frame.top + frame.bottom) / 2.0];
            match rank {
                Some(rank) => badge(sheet, middle, rank),
                None => {
                    let [x, y] = middle;
                    let words = Words::new(&corner.number.to_string(), [x, y + 0.27 * TINY], TINY, Ink::Soft);
                    sheet.write(words.centred());
                }
            }
            taken.push(frame);
        }
    }
}

fn digits(number: u16) -> f32 {
    if number < 10 { 0.0 } else { 1.0 }
}

/// The path on paper.
struct DrawnPath {
    points: Vec<(f64, At)>,
    /// Points further apart than this are not joined.
    jump: f32,
}

impl DrawnPath {
    /// The path between two positions, split where the car was moved.
    fn between(&self, from_m: f64, to_m: f64) -> Vec<Vec<At>> {
        let from = self.points.partition_point(|(metres, _)| *metres < from_m).saturating_sub(1);
        let to = self.points.partition_point(|(metres, _)| *metres <= to_m);
        let within = self.points.get(from..(to + 1).min(self.points.len())).unwrap_or_default();
        let joined = |(_, [x, y]): &(f64, At), (_, [next_x, next_y]): &(f64, At)| {
            (next_x - x).hypot(next_y - y) <= self.jump
        };
        let runs = within.chunk_by(joined);
        runs.map(|run| thinned(&run.iter().map(|(_, at)| *at).collect::<Vec<_>>(), SEEN)).collect()
    }

    /// The point at a position on the track, and the unit vector of the driving direction there.
    fn at(&self, place_m: f64) -> Option<(At, [f32; 2])> {
        let after = self.points.partition_point(|(metres, _)| *metres < place_m).min(self.points.len() - 1);
        let (to_m, to) = *self.points.get(after)?;
        let (from_m, from) = *self.points.get(after.saturating_sub(1))?;
        let share =
            if to_m > from_m { ((place_m - from_m) / (to_m - from_m)).clamp(0.0, 1.0) as f32 } else { 0.0 };
        let at = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
        // Direct neighbours are too near to give a direction.
        let (_, behind) = *self.points.get(after.saturating_sub(8))?;
        let (_, ahead) = *self.points.get((after + 8).min(self.points.len() - 1))?;
        let [along, down] = [ahead[0] - behind[0], ahead[1] - behind[1]];
        let long = along.hypot(down);
        (long > 0.0).then(|| (at, [along / long, down / long]))
    }

    /// Draws a bar across the start line, and an arrowhead in driving direction.
    fn start(&self, sheet: &mut Sheet) {
        let begin = self.points.first().map_or(0.0, |(metres, _)| *metres);
        let Some(([x, y], [along, down])) = self.at(begin) else { return };
        let place =
            |ahead: f32, left: f32| [x + along * ahead + down * left, y + down * ahead - along * left];
        sheet.line(vec![place(0.0, -1.6), place(0.0, 1.6)], Ink::Text, 0.5);
        sheet.area(vec![place(0.6, 0.9), place(0.6, -0.9), place(2.6, 0.0)], Ink::Text);
    }

    /// Whether the track runs through a frame.
    fn touches(&self, frame: &Frame) -> bool {
        const CLEAR: f32 = 0.7;
        let within = |(_, [x, y]): &(f64, At)| {
            (frame.left - CLEAR..=frame.right + CLEAR).contains(x)
                && (frame.top - CLEAR..=frame.bottom + CLEAR).contains(y)
        };
        self.points.iter().any(within)
    }
}

fn legend(sheet: &mut Sheet, frame: &Frame) {
    let y = frame.bottom - 0.8;
    let line = y - 0.75;
    let mut x = frame.left;
    let word = |sheet: &mut Sheet, x: &mut f32, text: &str| {
        let words = Words::new(text, [*x, y], TINY, Ink::Soft);
        *x += words.width_mm() + 3.0;
        sheet.write(words);
    };
    sheet.rule(x, x + 4.0, line, Ink::Loss, 1.3);
    x += 5.0;
    word(sheet, &mut x, "lost");
    sheet.rule(x, x + 4.0, line, Ink::Gain, 1.3);
    sheet.rule(x, x + 4.0, line, Ink::Paper, 0.7);
    x += 5.0;
    word(sheet, &mut x, "gained");
    sheet.line(vec![[x + 0.5, line - 1.1], [x + 0.5, line + 1.1]], Ink::Main, 0.6);
    x += 2.0;
    word(sheet, &mut x, "braked, left");
    sheet.line(vec![[x + 0.5, line - 1.1], [x + 0.5, line + 1.1]], Ink::Reference, 0.45);
    x += 2.0;
    word(sheet, &mut x, "reference, right");
}
