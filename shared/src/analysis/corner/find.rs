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
/// And by so much less that it is not the noise of the positions, turn per metre.
const DEEP: f64 = 1.0 / 700.0;
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
    /// Where it bends most.
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
    peak: usize,
    to: usize,
}

/// The corners of a line, in the order in which they are driven.
pub fn find_corners(line: &ReferenceLine) -> Vec<Corner> {
    let points: Vec<(f64, f64)> = line.points().map(|(place, pose)| (place, pose.curvature)).collect();
    let mut corners: Vec<Corner> = Vec::new();
    for bend in bends(&points).into_iter().flat_map(|bend| parted(&points, bend)) {
        let within = points.get(bend.from..=bend.to).unwrap_or_default();
        let step = line.length_m() / points.len().saturating_sub(1).max(1) as f64;
        let turn: f64 = within.iter().map(|(_, curvature)| curvature * step).sum();
        let at = |index: usize| points.get(index).copied().unwrap_or_default();
        let (apex_m, peak) = at(bend.peak);
        if turn.abs() < LEAST_TURN {
            continue;
        }
        corners.push(Corner {
            number: corners.len() as u16 + 1,
            name: None,
            left: Some(peak > 0.0),
            entry_m: at(bend.from).0,
            apex_m,
            exit_m: at(bend.to).0,
            degrees: Some(turn.abs().to_degrees()),
            radius_m: Some(1.0 / peak.abs()),
        });
    }
    corners
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
        let bend = (begin - before.min(begin - rest), to);
        bends.push(Bend { from: bend.0, peak: peak(points, bend.0, bend.1), to: bend.1 });
        rest = to + 1;
    }
    bends
}

fn peak(points: &[(f64, f64)], from: usize, to: usize) -> usize {
    let within = points.iter().enumerate().take(to + 1).skip(from);
    within.max_by(|(_, (_, a)), (_, (_, b))| a.abs().total_cmp(&b.abs())).map_or(from, |(index, _)| index)
}

/// A bend in its corners: parted where the line is nearly straight between two peaks.
fn parted(points: &[(f64, f64)], bend: Bend) -> Vec<Bend> {
    let within = points.get(bend.from..=bend.to).unwrap_or_default();
    let highest = |highest: &mut f64, (_, curvature): &(f64, f64)| {
        *highest = highest.max(curvature.abs());
        Some(*highest)
    };
    // The highest peak before each point and behind it.
    let before = within.iter().scan(0.0, highest);
    let mut behind: Vec<f64> = within.iter().rev().scan(0.0, highest).collect();
    behind.reverse();
    // The deepest dip that is deep enough as seen from both sides.
    let dip = within
        .iter()
        .map(|(_, curvature)| curvature.abs())
        .zip(before.zip(behind))
        .enumerate()
        .filter(|(_, (height, (before, behind)))| {
            let least = before.min(*behind);
            least > IN && *height < (DIP * least).min(least - DEEP)
        })
        .min_by(|(_, (a, _)), (_, (b, _))| a.total_cmp(b))
        .map(|(index, _)| bend.from + index);
    let Some(dip) = dip else { return vec![bend] };
    let part = |from: usize, to: usize| Bend { from, peak: peak(points, from, to), to };
    let mut corners = parted(points, part(bend.from, dip));
    corners.extend(parted(points, part(dip, bend.to)));
    corners
}
