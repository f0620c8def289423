//! Finds corners where the reference line bends.

use serde::{Deserialize, Serialize};

use crate::ReferenceLine;

/// A corner is where the curvature exceeds the first somewhere, and the second all along, 1/m.
const IN: f64 = 1.0 / 450.0;
const OUT: f64 = 1.0 / 1200.0;
/// Least turn of a corner, radians.
const LEAST_TURN: f64 = 0.15;
/// Between two corners to the same side, the curvature falls below this part of the smaller peak.
const DIP: f64 = 0.6;
/// Largest noise of the curvature in that test, as a part of the peak (standard deviation).
const NOISE: f64 = 0.04;
/// Half widths over which the line is smoothed for it, metres. Tight corners stand out from the noise at a small width,
/// wide ones only at a large width.
const HALVES_M: [f64; 4] = [22.0, 30.0, 42.0, 60.0];
/// Corners nearer to each other than this form a complex, metres.
const COMPLEX_M: f64 = 60.0;

/// A corner of a track.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Corner {
    /// Counted from 1 after the start line.
    pub number: u16,
    /// Its name, if somebody named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether it goes left, if known.
    pub left: Option<bool>,
    /// Where the line begins to bend, metres from the start line.
    pub entry_m: f64,
    /// The centre of the bend, weighted by curvature.
    pub apex_m: f64,
    /// Where the line is straight again.
    pub exit_m: f64,
    /// Its turn in degrees, if known.
    pub degrees: Option<f64>,
    /// Its smallest radius, metres, if known.
    pub radius_m: Option<f64>,
}

impl Corner {
    /// Its name, else its number: `Turn 5`.
    pub fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("Turn {}", self.number))
    }

    /// The same for a small place: `T5`.
    pub fn short_title(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("T{}", self.number))
    }

    /// Moves a corner before the start line to the lap's end, and clips the part on the other side of the line than the
    /// apex.
    fn within(self, length_m: f64) -> Self {
        let further_m = if self.apex_m < 0.0 { length_m } else { 0.0 };
        Self {
            entry_m: (self.entry_m + further_m).max(0.0),
            apex_m: self.apex_m + further_m,
            exit_m: (self.exit_m + further_m).min(length_m),
            ..self
        }
    }
}

/// Complexes: corners so close together that they are driven as one. Returns the numbers of the first and the last of
/// each.
pub fn complexes(corners: &[Corner]) -> Vec<[u16; 2]> {
    let close = |a: &Corner, b: &Corner| b.entry_m - a.exit_m < COMPLEX_M;
    let groups = corners.chunk_by(close).filter(|group| group.len() > 1);
    groups.filter_map(|group| Some([group.first()?.number, group.last()?.number])).collect()
}

/// A stretch that bends to one side, by the indices of its points.
#[derive(Clone, Copy, Debug)]
struct Bend {
    from: usize,
    to: usize,
}

/// The corners of a line, in driving order. A bend across the start line of a circuit is one corner, on the side of its
/// apex.
pub fn find_corners(line: &ReferenceLine) -> Vec<Corner> {
    let mut points: Vec<(f64, f64)> = line.points().map(|(place, pose)| (place, pose.curvature)).collect();
    let mut scales = HALVES_M
        .map(|half_m| Scale { curvature: line.curvature_over(half_m), noise: line.curvature_noise(half_m) });
    let step_m = line.length_m() / points.len().saturating_sub(1).max(1) as f64;
    if line.is_closed() {
        let begin = straightest(&points);
        points = from_there(&points, begin);
        for (place, _) in points.iter_mut().take_while(|(place, _)| *place > 0.0) {
            *place -= line.length_m();
        }
        for scale in &mut scales {
            scale.curvature = from_there(&scale.curvature, begin);
        }
    }
    let found = CornerFinder { points: &points, scales: &scales, step_m };
    let turning =
        bends(&points).into_iter().filter(|bend| found.turn(bend.from, bend.to).abs() >= LEAST_TURN);
    let parted = turning.flat_map(|bend| found.parted(bend));
    let mut corners: Vec<Corner> = parted.map(|bend| found.corner(bend).within(line.length_m())).collect();
    corners.sort_by(|a, b| a.apex_m.total_cmp(&b.apex_m));
    for (number, corner) in (1..).zip(&mut corners) {
        corner.number = number;
    }
    corners
}

/// The point with the least curvature: in no bend, unless there is nothing else. A closed line is cut there.
fn straightest(points: &[(f64, f64)]) -> usize {
    let bent = points.iter().map(|(_, curvature)| curvature.abs()).enumerate();
    bent.min_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(index, _)| index)
}

/// Rotates the points of a closed line to begin at `begin`. The last one equals the first, and is dropped.
fn from_there<T: Copy>(points: &[T], begin: usize) -> Vec<T> {
    let once = points.len().saturating_sub(1).max(1);
    points.iter().take(once).cycle().skip(begin % once).take(once).copied().collect()
}

/// A line's curvature, smoothed over some length, and its noise.
struct Scale {
    curvature: Vec<f64>,
    noise: f64,
}

/// A line's places with the curvature there, and the curvature smoothed at several scales.
struct CornerFinder<'a> {
    points: &'a [(f64, f64)],
    scales: &'a [Scale],
    step_m: f64,
}

impl CornerFinder<'_> {
    /// The turn of the line from one point to another, radians.
    fn turn(&self, from: usize, to: usize) -> f64 {
        self.points
            .get(from..=to)
            .unwrap_or_default()
            .iter()
            .map(|(_, curvature)| curvature * self.step_m)
            .sum()
    }

    /// The corner of a bend, without a number.
    fn corner(&self, bend: Bend) -> Corner {
        let within = self.points.get(bend.from..=bend.to).unwrap_or_default();
        let at = |index: usize| self.points.get(index).copied().unwrap_or_default();
        let peak = within.iter().map(|(_, curvature)| *curvature).max_by(|a, b| a.abs().total_cmp(&b.abs()));
        let peak = peak.unwrap_or_default();
        // Weighted by the square of the curvature, since a long corner's tightest point may be anywhere along it.
        let weight = |curvature: f64| curvature * curvature;
        let weights: f64 = within.iter().map(|(_, curvature)| weight(*curvature)).sum();
        let places: f64 = within.iter().map(|(place, curvature)| place * weight(*curvature)).sum();
        Corner {
            number: 0,
            name: None,
            left: Some(peak > 0.0),
            entry_m: at(bend.from).0,
            apex_m: places / weights,
            exit_m: at(bend.to).0,
            degrees: Some(self.turn(bend.from, bend.to).abs().to_degrees()),
            radius_m: Some(1.0 / peak.abs()),
        }
    }

    /// Splits a bend into its corners, where the line is nearly straight between two peaks.
    fn parted(&self, bend: Bend) -> Vec<Bend> {
        let Some(dip) = self.scales.iter().find_map(|scale| self.dip(bend, scale)) else { return vec![bend] };
        let mut corners = self.parted(Bend { to: dip, ..bend });
        corners.extend(self.parted(Bend { from: dip, ..bend }));
        corners
    }

    /// The point of least curvature between two peaks, if it is low enough and each part turns enough for a corner.
    fn dip(&self, bend: Bend, scale: &Scale) -> Option<usize> {
        let within = scale.curvature.get(bend.from..=bend.to)?;
        let highest = |highest: &mut f64, curvature: &f64| {
            *highest = highest.max(curvature.abs());
            Some(*highest)
        };
        // The highest peak before and after each point.
        let before = within.iter().scan(0.0, highest);
        let mut behind: Vec<f64> = within.iter().rev().scan(0.0, highest).collect();
        behind.reverse();
        let clear = |height: f64, before: f64, behind: f64| {
            let least = before.min(behind);
            least > IN.max(scale.noise / NOISE) && height < DIP * least
        };
        let turns = |index: usize| {
            let parts = [self.turn(bend.from, index), self.turn(index, bend.to)];
            parts.iter().all(|turn| turn.abs() >= LEAST_TURN)
        };
        let heights = within.iter().map(|curvature| curvature.abs());
        let dips = heights.zip(before.zip(behind)).zip(bend.from..);
        let deep = dips
            .filter(|((height, (before, behind)), index)| clear(*height, *before, *behind) && turns(*index));
        deep.min_by(|((a, _), _), ((b, _), _)| a.total_cmp(b)).map(|(_, index)| index)
    }
}

/// The stretches that bend to one side.
fn bends(points: &[(f64, f64)]) -> Vec<Bend> {
    let mut bends: Vec<Bend> = Vec::new();
    let mut rest = 0;
    while let Some(begin) = points.iter().skip(rest).position(|(_, curvature)| curvature.abs() > IN) {
        let begin = begin + rest;
        let left = points.get(begin).is_some_and(|(_, curvature)| *curvature > 0.0);
        let bent = |(_, curvature): &(f64, f64)| if left { *curvature > OUT } else { *curvature < -OUT };
        let before = points.iter().take(begin).rev().take_while(|point| bent(point)).count();
        let behind = points.iter().skip(begin).take_while(|point| bent(point)).count();
        let to = begin + behind.max(1) - 1;
        bends.push(Bend { from: begin - before.min(begin - rest), to });
        rest = to + 1;
    }
    bends
}
