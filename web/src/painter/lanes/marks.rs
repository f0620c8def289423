//! Brakings: a strip above a lane's scale that marks brake point, peak and release.

use trailbrake_shared::plot::{Polyline, Scale};

use super::lane::Lane;
use super::{Braking, Brakings};
use crate::painter::{Align, Ink, Paint, Pen, TextStyle};

/// CSS pixels from the lane's top to the row of the first lap, and from row to row.
const FIRST: f32 = 3.0;
const ROW: f32 = 4.0;
/// The rows: main lap, reference, and one for all other laps.
const ROWS: usize = 3;
/// Half the width and the height of the triangle at a brake point, CSS pixels.
const SIGN: [f32; 2] = [3.5, 6.5];
/// CSS pixels: the height of the bar from brake point to release, the height of the ticks at peak and release, and the
/// least length of a bar that is drawn.
const BAR: f32 = 1.5;
const END: f32 = 4.5;
const LEAST: f32 = 10.0;
/// CSS pixels between a label and its neighbours, and from the lane's top to its baseline.
const APART: f32 = 5.0;
const BASELINE: f32 = 12.0;

/// A left and a right edge, device pixels.
type Span = [f32; 2];

/// Draws the brakings on the lanes that mark them. Returns how many have a label. `signs` is a buffer.
pub(super) fn draw_brakings(
    pen: &Pen<'_>,
    x: &Scale,
    lanes: &[Lane],
    brakings: &Brakings,
    signs: &mut Polyline,
) -> usize {
    let Brakings { of, lanes: marked } = brakings;
    let edge = pen.px(APART);
    let mut spans: Vec<Span> = Vec::new();
    for braking in of {
        let [on, _, release] = braking.at;
        let on = x.pixel(on);
        // `max` ignores a release of NaN.
        spans.push([on - edge, x.pixel(release).max(on) + edge]);
    }
    let mut worded = 0;
    let mut begins = Vec::new();
    for (place, braking) in of.iter().enumerate() {
        let wide = pen.width(&braking.says);
        let begin = if wide > 0.0 { room(&mut spans, place, wide, x.pixels()) } else { None };
        worded += usize::from(begin.is_some());
        begins.push(begin);
    }
    for (lane, main) in marked {
        let Some(Lane { top, .. }) = lanes.get(*lane) else { continue };
        for (braking, begin) in of.iter().zip(&begins) {
            draw(pen, x, *top, braking, *main, signs);
            if let Some(begin) = begin {
                let style = TextStyle { ink: Ink::Soft, align: Align::Left };
                pen.text(&braking.says, *begin, top + pen.px(BASELINE), style);
            }
        }
    }
    if marked.is_empty() { 0 } else { worded }
}

fn draw(pen: &Pen<'_>, x: &Scale, top: f32, braking: &Braking, main: Ink, signs: &mut Polyline) {
    let (left, right) = x.pixels();
    let row = braking.lap.min(ROWS - 1);
    let opacity = if row + 1 == ROWS { 0.6 } else { 1.0 };
    let ink = Paint::thin(if braking.lap == 0 { main } else { braking.ink }, opacity);
    let top = top + pen.px(FIRST + ROW * row as f32);
    let [on, peak, release] = braking.at;
    let (on, peak, release) = (x.pixel(on), x.pixel(peak), x.pixel(release));
    if release - on >= pen.px(LEAST) {
        let (from, to) = (on.max(left), release.min(right));
        pen.rectangles([[from, top, (to - from).max(0.0), pen.px(BAR)]], ink);
        for at in [peak, release] {
            if at >= left && at <= right {
                pen.rectangles([[at - pen.px(1.0), top, pen.px(1.5), pen.px(END)]], ink);
            }
        }
    }
    if on >= left && on <= right {
        let (half, high) = (pen.px(SIGN[0]), pen.px(SIGN[1]));
        signs.clear();
        signs.move_to(on - half, top);
        signs.line_to(on + half, top);
        signs.line_to(on, top + high);
        pen.areas(signs, ink);
    }
}

/// Where a label of a width begins: left of all brakings that overlap the one at index `place`, otherwise right of
/// them. `None` if neither side is free. The label's span is added to `spans`.
fn room(spans: &mut Vec<Span>, place: usize, wide: f32, (left, right): (f32, f32)) -> Option<f32> {
    let [mut first, mut last] = *spans.get(place)?;
    let own = [first, last];
    for other in spans.iter().filter(|other| meet(other, &own)) {
        first = first.min(other[0]);
        last = last.max(other[1]);
    }
    for begin in [first - wide, last] {
        let room = [begin, begin + wide];
        if begin >= left && room[1] <= right && !spans.iter().any(|other| meet(other, &room)) {
            spans.push(room);
            return Some(begin);
        }
    }
    None
}

fn meet(one: &Span, other: &Span) -> bool {
    one[0] < other[1] && other[0] < one[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_where_nothing_else_is_marked_or_written() {
        let begins = |spans: &[Span], place, wide| room(&mut spans.to_vec(), place, wide, (100.0, 1000.0));
        let apart = [[300.0, 340.0], [600.0, 640.0]];
        assert_eq!(begins(&apart, 0, 80.0), Some(220.0));
        assert_eq!(begins(&apart, 1, 80.0), Some(520.0));
        // Without room before the braking there may be some after it, up to the next one.
        assert_eq!(begins(&apart, 0, 210.0), Some(340.0));
        assert_eq!(begins(&apart, 0, 270.0), None);
        // There is no room beyond the edges.
        assert_eq!(begins(&[[150.0, 900.0]], 0, 110.0), None);
        assert_eq!(begins(&[[1100.0, 1140.0]], 0, 80.0), None);
        // The reference braked before, or later.
        assert_eq!(begins(&[[280.0, 330.0], [300.0, 340.0]], 1, 80.0), Some(200.0));
        assert_eq!(begins(&[[120.0, 330.0], [110.0, 320.0]], 1, 80.0), Some(330.0));

        // A label takes room as well.
        let mut near = vec![[300.0, 302.0], [310.0, 312.0]];
        assert_eq!(room(&mut near, 0, 80.0, (100.0, 1000.0)), Some(220.0));
        assert_eq!(room(&mut near, 1, 80.0, (100.0, 1000.0)), Some(312.0));
        assert_eq!(room(&mut near, 1, 80.0, (100.0, 390.0)), None);
    }
}
