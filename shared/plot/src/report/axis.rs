//! The axis that all lanes share: metres below, corner names above.

use super::{Report, TINY};
use crate::sheet::{Ink, Sheet, Words};
use crate::{Domain, Scale, TickKind, Ticks};

/// Maximum width of a corner's name, millimetres.
const LONGEST_NAME: f32 = 24.0;
/// Minimum distance between two names, millimetres.
const APART: f32 = 1.0;
/// Maximum distance of a name from its corner, millimetres: further away it is hard to find.
const FURTHEST: f32 = 9.0;
const ROW: f32 = 3.3;
/// Distance from the names to the lanes, millimetres.
const LEADER: f32 = 3.2;

/// The layout of the corner names.
pub(super) struct Names {
    placed: Vec<Name>,
    rows: u8,
}

struct Name {
    text: String,
    rank: Option<usize>,
    row: u8,
    /// The middle of the name.
    x: f32,
    apex: f32,
}

/// The scale from metres on the track to millimetres on paper.
pub(super) fn scale(report: &Report<'_>, left: f32, right: f32) -> Scale {
    Scale::new(Domain::new(0.0, report.comparison().length_m), left, right)
}

impl Names {
    /// Lays out the names: in one row where they fit, else in two rows, else as numbers only; if even the numbers do
    /// not fit, corners that matter least are left out.
    pub(super) fn of(report: &Report<'_>, scale: &Scale, left: f32, right: f32) -> Self {
        let corners = &report.comparison().corners;
        let named = |corner: &trailbrake_analysis::Corner, long: bool| match &corner.name {
            Some(name) => name.clone(),
            None if long => format!("T{}", corner.number),
            None => corner.number.to_string(),
        };
        let texts = |text: &dyn Fn(&trailbrake_analysis::Corner) -> String| -> Vec<Name> {
            let name = |corner| {
                let text = text(corner);
                let apex = scale.pixel(corner.apex_m);
                Name { text, rank: report.rank(corner.number), row: 0, x: apex, apex }
            };
            corners.iter().map(name).collect()
        };
        let numbers = |corner: &trailbrake_analysis::Corner| corner.number.to_string();
        for (names, rows) in [
            (texts(&|corner| named(corner, true)), 1),
            (texts(&|corner| named(corner, true)), 2),
            (texts(&numbers), 1),
            (texts(&numbers), 2),
        ] {
            if let Some(placed) = placed(names, rows, left, right) {
                return Self { placed, rows };
            }
        }
        let mut order: Vec<usize> = (0..corners.len()).collect();
        let loss = |index: &usize| report.comparison().loss_of(*index).map_or(0.0, f64::abs);
        order.sort_by(|a, b| loss(b).total_cmp(&loss(a)));
        for kept in (1..order.len()).rev() {
            let few = order.get(..kept).unwrap_or_default();
            let names = texts(&numbers).into_iter().enumerate().filter(|(index, _)| few.contains(index));
            if let Some(placed) = placed(names.map(|(_, name)| name).collect(), 2, left, right) {
                return Self { placed, rows: 2 };
            }
        }
        Self { placed: Vec::new(), rows: 0 }
    }

    /// The height of the rows and leader lines.
    pub(super) fn height(&self) -> f32 {
        if self.placed.is_empty() { 0.0 } else { f32::from(self.rows) * ROW + LEADER }
    }

    /// Writes the names above `bottom`, with leader lines to their corners.
    pub(super) fn write(&self, sheet: &mut Sheet, bottom: f32) {
        for name in &self.placed {
            let y = bottom - LEADER - f32::from(name.row) * ROW;
            let ink = if name.rank.is_some() { Ink::Loss } else { Ink::Hairline };
            sheet.line(vec![[name.x, y + 0.7], [name.x, bottom - 1.8], [name.apex, bottom]], ink, 0.1);
        }
        for name in &self.placed {
            let y = bottom - LEADER - f32::from(name.row) * ROW;
            let words = name.words(y);
            sheet.fill(&words.frame(), Ink::Paper);
            sheet.write(words);
        }
    }

    /// Draws a line through all lanes at each apex.
    pub(super) fn rules(report: &Report<'_>, sheet: &mut Sheet, scale: &Scale, top: f32, bottom: f32) {
        for corner in &report.comparison().corners {
            let x = scale.pixel(corner.apex_m);
            let ink = if report.rank(corner.number).is_some() { Ink::Loss } else { Ink::Hairline };
            sheet.line(vec![[x, top], [x, bottom]], ink, 0.1);
        }
    }
}

impl Name {
    fn words(&self, y: f32) -> Words {
        let ink = if self.rank.is_some() { Ink::Loss } else { Ink::Soft };
        let words = Words::new(&self.text, [self.x, y], TINY, ink).centred();
        let words = if self.rank.is_some() { words.bold() } else { words };
        words.within(LONGEST_NAME)
    }
}

/// Places names side by side in this many rows; `None` if they do not fit.
fn placed(mut names: Vec<Name>, rows: u8, left: f32, right: f32) -> Option<Vec<Name>> {
    for row in 0..rows {
        let own = names.iter_mut().zip((0..rows).cycle()).filter(|(_, place)| *place == row);
        let mut own: Vec<&mut Name> = own.map(|(name, _)| name).collect();
        let wanted: Vec<(f32, f32)> =
            own.iter().map(|name| (name.apex, name.words(0.0).width_mm() + APART)).collect();
        let places = side_by_side(&wanted, left, right)?;
        for (name, x) in own.iter_mut().zip(places) {
            (name.row, name.x) = (row, x);
        }
    }
    names.iter().all(|name| (name.x - name.apex).abs() <= FURTHEST).then_some(names)
}

/// Positions of things with a middle and a width each, as near as possible to where they are wanted, without overlaps.
fn side_by_side(wanted: &[(f32, f32)], left: f32, right: f32) -> Option<Vec<f32>> {
    /// Things that touch: start, total width and count.
    struct Group {
        begin: f32,
        width: f32,
        count: usize,
        /// The sum of the starts that each thing would give the group.
        sum: f32,
    }
    if wanted.iter().map(|(_, width)| width).sum::<f32>() > right - left {
        return None;
    }
    let settle = |group: &mut Group| {
        group.begin = (group.sum / group.count as f32).min(right - group.width).max(left);
    };
    let mut groups: Vec<Group> = Vec::new();
    for (middle, width) in wanted {
        let mut group = Group { begin: 0.0, width: *width, count: 1, sum: middle - width / 2.0 };
        settle(&mut group);
        while let Some(before) = groups.pop_if(|before| before.begin + before.width > group.begin) {
            group = Group {
                begin: 0.0,
                width: before.width + group.width,
                count: before.count + group.count,
                sum: before.sum + group.sum - before.width * group.count as f32,
            };
            settle(&mut group);
        }
        groups.push(group);
    }
    let begins = groups.iter().flat_map(|group| std::iter::repeat_n(group.begin, group.count).enumerate());
    let mut next = f32::NEG_INFINITY;
    let places = wanted.iter().zip(begins).map(|((_, width), (nth, begin))| {
        let own = if nth == 0 { begin } else { next };
        next = own + width;
        own + width / 2.0
    });
    Some(places.collect())
}

/// Writes metres below the lanes.
pub(super) fn metres(sheet: &mut Sheet, scale: &Scale, y: f32) {
    let (left, right) = scale.pixels();
    let ticks = Ticks::new(TickKind::Distance, scale.domain(), ((right - left) / 16.0) as usize);
    for value in ticks.values() {
        let x = scale.pixel(value);
        sheet.line(vec![[x, y], [x, y + 0.9]], Ink::Soft, 0.15);
        let words = Words::new(&ticks.label(value), [x, y + 3.2], TINY, Ink::Soft);
        let words = if value <= 0.0 { words } else { words.centred() };
        let inside = words.frame().right <= right + 4.0;
        sheet.write(if inside { words } else { Words { at: [right, y + 3.2], ..words }.ending() });
    }
}
