//! The gutter beside the lanes: each lane's name, unit and values.

use super::{Align, Ink, LaneSpec, Pen, TextStyle};

/// CSS pixels from a lane's top to its first baseline, and from row to row.
const FIRST: f32 = 16.0;
const ROW: f32 = 14.0;
/// The least CSS pixels from row to row, between columns of rows, and from the last row to the lane's bottom.
const CLOSE: f32 = 12.0;
const BESIDE: f32 = 8.0;
const LAST: f32 = 2.0;
/// CSS pixels from text to the gutter's edges.
const LEFT: f32 = 14.0;
const RIGHT: f32 = 10.0;
/// CSS pixels reserved beside the name for the widest value.
const VALUE: f32 = 42.0;

/// The gutter.
pub(super) struct Gutter {
    /// Its width in CSS pixels.
    pub(super) width: f32,
}

impl Gutter {
    pub(super) fn new(width: f32) -> Self {
        Self { width }
    }

    /// Writes a lane's name, and if there is room its unit below, and for a delta the direction in which time is lost.
    pub(super) fn name(&self, pen: &Pen<'_>, lane: &LaneSpec, [top, bottom]: [f32; 2]) {
        let left = |ink| TextStyle { ink, align: Align::Left };
        let (first, second) = (top + pen.px(FIRST), top + pen.px(FIRST + ROW));
        let room = pen.px(self.width - LEFT - RIGHT - VALUE);
        pen.text_within(&lane.name, pen.px(LEFT), first, room, left(Ink::Soft));
        if second + pen.px(LAST) > bottom {
            return;
        }
        pen.text(lane.unit.suffix, pen.px(LEFT), second, left(Ink::Faint));
        if lane.lines.iter().any(|line| line.tinted) {
            let style = TextStyle { ink: Ink::Soft, align: Align::Right };
            pen.text("slower ↑", pen.px(self.width - RIGHT), second, style);
        }
    }

    /// Writes the values of a lane between its top and its bottom, in device pixels. Rows that have no room in one
    /// column continue in the next one to the left.
    pub(super) fn rows(
        &self,
        pen: &Pen<'_>,
        rows: &[(Ink, String)],
        lane: &LaneSpec,
        [top, bottom]: [f32; 2],
    ) {
        let high = (bottom - top) / pen.px(1.0);
        let wide = |words: &str| pen.width(words) / pen.px(1.0);
        // Measuring text is slow, and widths matter only if there are several columns.
        let several = rows.len() > lines(high);
        let widths: Vec<f32> =
            rows.iter().map(|(_, words)| if several { wide(words) } else { 0.0 }).collect();
        let heads = match several {
            true => [wide(&lane.name).min(self.width - LEFT - RIGHT - VALUE), wide(lane.unit.suffix)],
            false => [0.0; 2],
        };
        let places = arrange(&widths, high, self.width, heads.map(|wide| LEFT + wide));
        for ((ink, words), place) in rows.iter().zip(places) {
            let Some([right, baseline]) = place else { continue };
            pen.text(
                words,
                pen.px(right),
                top + pen.px(baseline),
                TextStyle { ink: *ink, align: Align::Right },
            );
        }
    }
}

/// How many rows have room in a lane, whose height is in CSS pixels.
fn lines(high: f32) -> usize {
    ((high - FIRST - LAST) / CLOSE).max(0.0) as usize + 1
}

/// The right end and the baseline of each row of values, in CSS pixels from the lane's upper left corner; `None` if
/// there is no room. `heads` are the right ends of the name and the unit, which stand in the first two rows.
fn arrange(widths: &[f32], high: f32, width: f32, heads: [f32; 2]) -> Vec<Option<[f32; 2]>> {
    let lines = lines(high);
    let step = match widths.len() {
        rows if rows > 1 && rows <= lines => ((high - FIRST - LAST) / (rows - 1) as f32).clamp(CLOSE, ROW),
        _ => CLOSE,
    };
    let (mut right, mut line, mut widest) = (width - RIGHT, 0, 0.0_f32);
    let mut places = Vec::new();
    for wide in widths {
        let mut place = None;
        while place.is_none() && right - wide >= LEFT {
            let head = heads.get(line).filter(|_| right < width - RIGHT).copied().unwrap_or_default();
            if line >= lines {
                right -= widest + BESIDE;
                (line, widest) = (0, 0.0);
            } else if right - wide < head + BESIDE {
                line += 1;
            } else {
                place = Some([right, FIRST + step * line as f32]);
                widest = widest.max(*wide);
                line += 1;
            }
        }
        places.push(place);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_have_no_room_go_on_in_another_column() {
        let right = |place: &Option<[f32; 2]>| place.map(|[right, _]| right);
        // Three rows fit into one column.
        let places = arrange(&[0.0; 3], 60.0, 118.0, [0.0; 2]);
        assert_eq!(places, [16.0, 30.0, 44.0].map(|baseline| Some([108.0, baseline])));
        // Seven rows in a low lane: no two at one place, none over the name and the unit.
        let heads = [66.0, 34.0];
        let places = arrange(&[36.0; 7], 45.0, 166.0, heads);
        for (at, place) in places.iter().enumerate() {
            let [right, baseline] = place.unwrap_or_else(|| panic!("{places:?}"));
            assert!(baseline <= 45.0 && !places[..at].contains(place), "{places:?}");
            let line = ((baseline - FIRST) / CLOSE) as usize;
            let left = right - 36.0;
            assert!(right == 156.0 || heads.get(line).is_none_or(|head| left > *head), "{places:?}");
        }
        // Rows that fit nowhere are left out.
        let places = arrange(&[90.0; 4], 20.0, 118.0, heads);
        assert_eq!(places.iter().map(right).collect::<Vec<_>>(), [Some(108.0), None, None, None]);
    }
}
