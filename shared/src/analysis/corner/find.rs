//! Corners, found where the reference line bends.

use serde::{Deserialize, Serialize};

use crate::analysis::ReferenceLine;

/// A line that bends more than this is in a corner, and one that bends less is out of it again: turn per metre.
const IN: f64 = 1.0 / 450.0;
const OUT: f64 = 1.0 / 1200.0;
/// A corner turns by more than this, radians.
const LEAST_TURN: f64 = 0.15;
/// Between two corners to the same side the line bends by less than this part of what it does in either.
const DIP: f64 = 0.6;
/// Noise is at most this part of what they bend where that is looked at, its standard deviation.
const NOISE: f64 = 0.04;
/// Over how many metres to either side the line is evened out for that: tight corners rise above the noise of a close look,
/// wide ones only above that of one from afar.
const HALVES_M: [f64; 4] = [22.0, 30.0, 42.0, 60.0];
/// Corners nearer to one another than this belong together, metres.
const COMPLEX_M: f64 = 60.0;

/// A corner of a track.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Corner {
    /// Counted from 1 behind the line.
    pub number: u16,
    /// What people call it, where somebody has named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether it goes left, where the line tells.
    pub left: Option<bool>,
    /// Where the line begins to bend, metres from the line at which laps begin.
    pub entry_m: f64,
    /// The middle of where it bends, the tighter the more.
    pub apex_m: f64,
    /// Where it is straight again.
    pub exit_m: f64,
    /// By how many degrees it turns, where the line tells.
    pub degrees: Option<f64>,
    /// The radius at its tightest, metres, where the line tells.
    pub radius_m: Option<f64>,
}

impl Corner {
    /// Its name, else its number: `Turn 5`.
    pub fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("Turn {}", self.number))
    }

    /// The same within a lap that is so long: a place before the line is one at the lap's end, and what lies on the other
    /// side of the line than the apex is left out.
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

/// Corners that follow one another so closely that they are driven as one: the numbers of the first and the last of each.
pub fn complexes(corners: &[Corner]) -> Vec<[u16; 2]> {
    let close = |a: &Corner, b: &Corner| b.entry_m - a.exit_m < COMPLEX_M;
    let groups = corners.chunk_by(close).filter(|group| group.len() > 1);
    groups.filter_map(|group| Some([group.first()?.number, group.last()?.number])).collect()
}

/// A stretch that bends to one side: the indices of its points.
#[derive(Clone, Copy, Debug)]
struct Bend {
    from: usize,
    to: usize,
}

/// The corners of a line, in the order in which they are driven. A bend that goes on across the line of a circuit is one
/// corner, kept on that side on which its apex lies.
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

/// The point at which a line bends least: in no bend, unless there is nothing else.
fn straightest(points: &[(f64, f64)]) -> usize {
    let bent = points.iter().map(|(_, curvature)| curvature.abs()).enumerate();
    bent.min_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(index, _)| index)
}

/// What is known of the points of a line that goes around, told from one of them on. Its last is where its first is, and
/// counts once.
fn from_there<T: Copy>(points: &[T], begin: usize) -> Vec<T> {
    let once = points.len().saturating_sub(1).max(1);
    points.iter().take(once).cycle().skip(begin % once).take(once).copied().collect()
}

/// A line's turn per metre evened out over some length, and what noise leaves in it.
struct Scale {
    curvature: Vec<f64>,
    noise: f64,
}

/// What corners are found in: a line's places with its turn per metre there, and the latter looked at closely and from afar.
struct CornerFinder<'a> {
    points: &'a [(f64, f64)],
    scales: &'a [Scale],
    step_m: f64,
}

impl CornerFinder<'_> {
    /// By how much the line turns from one point to another, radians.
    fn turn(&self, from: usize, to: usize) -> f64 {
        self.points
            .get(from..=to)
            .unwrap_or_default()
            .iter()
            .map(|(_, curvature)| curvature * self.step_m)
            .sum()
    }

    /// The corner that a bend is; it has no number yet.
    fn corner(&self, bend: Bend) -> Corner {
        let within = self.points.get(bend.from..=bend.to).unwrap_or_default();
        let at = |index: usize| self.points.get(index).copied().unwrap_or_default();
        let peak = within.iter().map(|(_, curvature)| *curvature).max_by(|a, b| a.abs().total_cmp(&b.abs()));
        let peak = peak.unwrap_or_default();
        // The middle of where it bends, the tighter the more: a long corner's tightest point is anywhere along it.
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

    /// A bend in its corners: parted where the line is nearly straight between two peaks.
    fn parted(&self, bend: Bend) -> Vec<Bend> {
        let Some(dip) = self.scales.iter().find_map(|scale| self.dip(bend, scale)) else { return vec![bend] };
        let mut corners = self.parted(Bend { to: dip, ..bend });
        corners.extend(self.parted(Bend { from: dip, ..bend }));
        corners
    }

    /// The point of a bend where it bends least between two peaks, where that is clear enough and each part is a corner.
    fn dip(&self, bend: Bend, scale: &Scale) -> Option<usize> {
        let within = scale.curvature.get(bend.from..=bend.to)?;
        let highest = |highest: &mut f64, curvature: &f64| {
            *highest = highest.max(curvature.abs());
            Some(*highest)
        };
        // The highest peak before each point and behind it.
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
