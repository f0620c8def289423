//! The corner table: the main lap in each corner, and its difference from the reference.

use trailbrake_analysis::{Corner, CornerRow};
use trailbrake_model::number::write_signed;
use trailbrake_model::units::{DisplayUnit, Unit};

use super::{Report, SMALL, TINY, badge, ink_of, section};
use crate::sheet::{Frame, Ink, Sheet, Words};

/// With more corners than this the table has two columns.
const ONE_COLUMN: usize = 14;
/// Maximum corners; those with the least time lost or gained are dropped.
const MOST: usize = 44;
const ROW: f32 = 3.4;
const HEADS: f32 = 6.2;
/// Height of the section heading.
const SECTION: f32 = 3.6;
/// Gap between two columns of corners.
const BETWEEN: f32 = 6.0;
/// Number of the largest losses to mark.
const WORST: usize = 3;
/// Stands for an unknown value.
const NO_VALUE: &str = "–";

/// A corner with its values.
struct Row<'a> {
    corner: &'a Corner,
    own: &'a CornerRow,
    best: &'a CornerRow,
    /// Seconds lost because of it.
    loss_s: Option<f64>,
    rank: Option<usize>,
    worst: bool,
    speed: &'static DisplayUnit,
}

/// The unit in a column's heading.
enum HeadUnit {
    Suffix(&'static str),
    /// The display unit of speeds.
    Speed,
}

/// A column: heading, unit, width in a wide table, width in a narrow one if shown there, and its text.
struct Column {
    head: &'static str,
    unit: HeadUnit,
    wide: f32,
    narrow: Option<f32>,
    says: fn(&Row<'_>) -> Option<String>,
}

/// The columns between the corner's name and the loss.
const COLUMNS: &[Column] = &[
    Column {
        head: "apex",
        unit: HeadUnit::Suffix("m"),
        wide: 11.0,
        narrow: None,
        says: |row| whole(Some(row.corner.apex_m)),
    },
    Column {
        head: "brake on",
        unit: HeadUnit::Suffix("m"),
        wide: 14.5,
        narrow: Some(10.0),
        says: |row| whole(row.own.brake_on_m),
    },
    Column {
        head: "",
        unit: HeadUnit::Suffix("diff."),
        wide: 10.0,
        narrow: Some(8.5),
        says: |row| less(row, |row| row.brake_on_m, 1.0, 1),
    },
    Column {
        head: "peak",
        unit: HeadUnit::Suffix("%"),
        wide: 9.5,
        narrow: Some(7.5),
        says: |row| whole(row.own.peak.map(|peak| peak * 100.0)),
    },
    Column {
        head: "trail",
        unit: HeadUnit::Suffix("m"),
        wide: 9.5,
        narrow: None,
        says: |row| whole(row.own.trail_m),
    },
    Column {
        head: "min.",
        unit: HeadUnit::Speed,
        wide: 13.0,
        narrow: Some(10.5),
        says: |row| speed(row, row.own.min_ms),
    },
    Column {
        head: "",
        unit: HeadUnit::Suffix("diff."),
        wide: 10.0,
        narrow: Some(8.5),
        says: |row| less(row, |corner| corner.min_ms, row.speed.scale, 1),
    },
    Column {
        head: "gear",
        unit: HeadUnit::Suffix(""),
        wide: 8.0,
        narrow: None,
        says: |row| row.own.gear.map(|gear| super::gear(f64::from(gear))),
    },
    Column {
        head: "throttle",
        unit: HeadUnit::Suffix("m"),
        wide: 13.5,
        narrow: Some(10.0),
        says: |row| whole(row.own.throttle_on_m),
    },
    Column {
        head: "",
        unit: HeadUnit::Suffix("diff."),
        wide: 10.0,
        narrow: None,
        says: |row| less(row, |row| row.throttle_on_m, 1.0, 1),
    },
    Column {
        head: "exit",
        unit: HeadUnit::Speed,
        wide: 13.0,
        narrow: Some(9.5),
        says: |row| speed(row, row.own.exit_ms),
    },
    Column {
        head: "",
        unit: HeadUnit::Suffix("diff."),
        wide: 10.0,
        narrow: None,
        says: |row| less(row, |corner| corner.exit_ms, row.speed.scale, 1),
    },
];

fn whole(value: Option<f64>) -> Option<String> {
    value.map(|value| format!("{value:.0}"))
}

fn speed(row: &Row<'_>, metres_a_second: Option<f64>) -> Option<String> {
    metres_a_second.map(|speed| format!("{:.1}", row.speed.value(speed)))
}

/// Main lap minus reference.
fn less(row: &Row<'_>, of: fn(&CornerRow) -> Option<f64>, scale: f64, decimals: usize) -> Option<String> {
    Some(write_signed((of(row.own)? - of(row.best)?) * scale, decimals))
}

/// The corner table, ready to be written.
pub(super) struct Table<'a> {
    rows: Vec<Row<'a>>,
    /// The number of corners, shown or not.
    all: usize,
    brakes_inferred: bool,
    /// Time lost on the straights, seconds.
    straights_s: f64,
}

impl<'a> Table<'a> {
    pub(super) fn of(report: &'a Report<'a>) -> Self {
        let comparison = report.comparison();
        let [own, best] = &comparison.tables;
        let speed = report.units.shown(Unit::MetresPerSecond);
        let lines = comparison.corners.iter().zip(&own.rows).zip(&best.rows);
        let mut rows: Vec<Row<'_>> = lines
            .map(|((corner, own), best)| {
                let rank = report.rank(corner.number);
                let loss_s = comparison.ledger.corner(corner.number).and_then(|row| row.loss_s);
                Row { corner, own, best, loss_s, rank, worst: false, speed }
            })
            .collect();
        let all = rows.len();
        // A corner without data counts as no loss.
        let loss = |row: &Row<'_>| row.loss_s.unwrap_or_default();
        rows.sort_by(|a, b| loss(b).total_cmp(&loss(a)));
        for row in rows.iter_mut().take(WORST) {
            row.worst = loss(row) >= super::LEVEL_S;
        }
        rows.sort_by(|a, b| loss(b).abs().total_cmp(&loss(a).abs()));
        rows.truncate(MOST);
        rows.sort_by(|a, b| a.corner.apex_m.total_cmp(&b.corner.apex_m));
        let brakes_inferred = own.brake_source == Some(trailbrake_analysis::BrakeSource::Slowing);
        let straights = comparison.ledger.rows.iter().filter(|row| row.place.corner.is_none());
        let straights_s = straights.filter_map(|row| row.loss_s).fold(0.0, |sum, lost| sum + lost);
        Self { rows, all, brakes_inferred, straights_s }
    }

    fn in_two_columns(&self) -> bool {
        self.rows.len() > ONE_COLUMN
    }

    fn lines(&self) -> usize {
        if self.in_two_columns() { self.rows.len().div_ceil(2) } else { self.rows.len() }
    }

    pub(super) fn height(&self) -> f32 {
        match self.rows.len() {
            0 => 0.0,
            _ => SECTION + HEADS + self.lines() as f32 * ROW,
        }
    }

    pub(super) fn write(&self, sheet: &mut Sheet, frame: &Frame) {
        if self.rows.is_empty() {
            return;
        }
        let mut beside = "differences: lap minus reference; lost: seconds".to_owned();
        beside.insert_str(0, &format!("on the straights: {} s; ", write_signed(self.straights_s, 3)));
        if self.brakes_inferred {
            beside.insert_str(0, "brake points from deceleration; ");
        }
        if self.rows.len() < self.all {
            let left_out =
                format!("the {} of {} in which most was lost or gained; ", self.rows.len(), self.all);
            beside.insert_str(0, &left_out);
        }
        let top = section(sheet, frame, "Corners", &beside);
        let frame = Frame { top, ..*frame };
        if !self.in_two_columns() {
            return write_column(&self.rows, sheet, &frame, true);
        }
        let (first, second) = self.rows.split_at(self.lines());
        let middle = (frame.left + frame.right) / 2.0;
        write_column(first, sheet, &Frame { right: middle - BETWEEN / 2.0, ..frame }, false);
        write_column(second, sheet, &Frame { left: middle + BETWEEN / 2.0, ..frame }, false);
    }
}

fn write_column(rows: &[Row<'_>], sheet: &mut Sheet, frame: &Frame, wide: bool) {
    let width = |column: &Column| if wide { Some(column.wide) } else { column.narrow };
    // A column without any value is dropped.
    let filled = COLUMNS.iter().filter(|column| rows.iter().any(|row| (column.says)(row).is_some()));
    let shown: Vec<(&Column, f32)> = filled.filter_map(|column| Some((column, width(column)?))).collect();
    let bar = if wide { 14.0 } else { 0.0 };
    let lost = frame.right - bar;
    let loss_width = if wide { 13.0 } else { 10.5 };
    let mut ends: Vec<f32> = Vec::new();
    let mut end = lost - loss_width;
    for (_, width) in shown.iter().rev() {
        ends.push(end);
        end -= width;
    }
    ends.reverse();
    let name_room = end - frame.left - 4.0;
    let (head, unit) = (frame.top + 2.8, frame.top + 5.2);
    for ((column, _), end) in shown.iter().zip(&ends) {
        sheet.write(Words::new(column.head, [*end, head], TINY, Ink::Soft).ending());
        let suffix = match column.unit {
            HeadUnit::Suffix(suffix) => suffix,
            HeadUnit::Speed => rows.first().map_or("", |row| row.speed.suffix),
        };
        sheet.write(Words::new(suffix, [*end, unit], TINY, Ink::Soft).ending());
    }
    sheet.write(Words::new("lost", [lost, head], TINY, Ink::Soft).ending());
    sheet.write(Words::new("s", [lost, unit], TINY, Ink::Soft).ending());
    let most = rows.iter().filter_map(|row| row.loss_s).map(f64::abs).fold(0.02, f64::max);
    let mut y = frame.top + HEADS;
    for row in rows {
        sheet.rule(frame.left, frame.right, y, Ink::Hairline, 0.1);
        let line = y + ROW * 0.72;
        let strong = |words: Words| if row.worst { words.bold() } else { words };
        if let Some(rank) = row.rank {
            badge(sheet, [frame.left + 1.6, y + ROW / 2.0], rank);
        }
        let name = Words::new(&name(row.corner, wide), [frame.left + 4.0, line], SMALL, Ink::Text);
        sheet.write(strong(name).within(name_room));
        for ((column, width), end) in shown.iter().zip(&ends) {
            let says = (column.says)(row).unwrap_or_else(|| NO_VALUE.to_owned());
            sheet.write(Words::new(&says, [*end, line], SMALL, Ink::Text).ending().within(*width));
        }
        let loss = row.loss_s;
        let (says, ink) =
            loss.map_or((NO_VALUE.to_owned(), Ink::Text), |loss| (write_signed(loss, 3), ink_of(loss)));
        sheet.write(strong(Words::new(&says, [lost, line], SMALL, ink).ending()));
        if let Some(loss) = loss
            && wide
        {
            let zero = lost + 2.0 + bar * 0.3;
            let reach = if loss > 0.0 { bar * 0.7 - 2.0 } else { bar * 0.3 };
            let end = zero + (loss / most) as f32 * reach;
            let inner =
                Frame { left: zero.min(end), right: zero.max(end), top: y + 0.9, bottom: y + ROW - 0.9 };
            sheet.fill(&inner, ink_of(loss));
            sheet.line(vec![[zero, y], [zero, y + ROW]], Ink::Soft, 0.12);
        }
        y += ROW;
    }
}

/// A corner's name, with its direction where there is room.
fn name(corner: &Corner, wide: bool) -> String {
    let title = match (&corner.name, wide) {
        (None, false) => format!("T{}", corner.number),
        _ => corner.title(),
    };
    match corner.left.filter(|_| wide) {
        Some(true) => format!("{title} left"),
        Some(false) => format!("{title} right"),
        None => title,
    }
}
