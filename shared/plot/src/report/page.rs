//! Lays the sections of a report out on its page.

use super::{GAP, MARGIN, PAPER_MM, Report, Side, advice, footer, header, lanes, map, sectors, table};
use crate::sheet::{Frame, Sheet};

/// Minimum and useful maximum height of the lanes, millimetres.
const LANES_LEAST: f32 = 60.0;
const LANES_MOST: f32 = 150.0;
/// Minimum height of the map, millimetres.
const MAP_LEAST: f32 = 56.0;

/// Lays a report out on one page.
pub fn lay_out(report: &Report<'_>) -> Sheet {
    let mut sheet = Sheet::new(&title(report), PAPER_MM);
    let [width, height] = PAPER_MM;
    let (left, right) = (MARGIN, width - MARGIN);
    let within = |top: f32, bottom: f32| Frame { left, top, right, bottom };

    let head_end = header::write(report, &mut sheet, &within(10.0, height));
    let foot = footer::Foot::of(report);
    let foot_top = height - 9.0 - foot.height();
    foot.write(&mut sheet, &within(foot_top, height - 9.0));
    let table = table::Table::of(report);
    let table_top = foot_top - GAP - table.height();
    table.write(&mut sheet, &within(table_top, foot_top - GAP));

    // The lanes take what the table leaves; the map takes what exceeds their maximum.
    let body_top = head_end + GAP;
    let body = Body::of(report);
    let room = table_top - GAP - body_top - GAP - body.least(right - left);
    let lanes_height = room.clamp(LANES_LEAST, LANES_MOST);
    let lanes_top = table_top - GAP - lanes_height;
    body.write(&mut sheet, &within(body_top, lanes_top - GAP));
    lanes::write(report, &mut sheet, &within(lanes_top, table_top - GAP));
    sheet
}

fn title(report: &Report<'_>) -> String {
    let Side { lap, driver, track, .. } = &report.lap;
    let time = lap.time.map_or_else(String::new, |time| format!(" {time}"));
    let driver = driver.map_or_else(String::new, |driver| format!(", {driver}"));
    let called = report.lap.called();
    format!("{}, {called}{time}{driver}", track.unwrap_or("Lap report"))
}

/// The part between the header and the lanes: advice and times on the left, the map on the right.
struct Body<'a> {
    report: &'a Report<'a>,
    map: Option<map::Map<'a>>,
}

impl<'a> Body<'a> {
    fn of(report: &'a Report<'a>) -> Self {
        Self { report, map: map::Map::of(report) }
    }

    /// The minimum height for a width.
    fn least(&self, width: f32) -> f32 {
        let frame = Frame { left: 0.0, top: 0.0, right: width, bottom: PAPER_MM[1] };
        let words = self.write_words(&mut Sheet::default(), &frame);
        if self.map.is_some() { words.max(MAP_LEAST) } else { words }
    }

    fn write(&self, sheet: &mut Sheet, frame: &Frame) {
        self.write_words(sheet, frame);
        if let Some(map) = &self.map {
            map.write(sheet, &Frame { left: Self::split(frame), ..*frame });
        }
    }

    /// Writes advice and times. Returns where they end.
    fn write_words(&self, sheet: &mut Sheet, frame: &Frame) -> f32 {
        let right = if self.map.is_some() { Self::split(frame) - GAP } else { frame.right };
        let words = Frame { right, ..*frame };
        let top = advice::write(self.report, sheet, &words) + GAP;
        sectors::write(self.report, sheet, &Frame { top, ..words })
    }

    /// The left edge of the map.
    fn split(frame: &Frame) -> f32 {
        frame.left + 0.54 * frame.width()
    }
}
