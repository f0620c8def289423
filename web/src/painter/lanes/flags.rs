//! The flags of notes on the lanes.

use trailbrake_shared::plot::Scale;

use super::Flag;
use crate::painter::{Align, Ink, Pen, TextStyle};

/// CSS pixels: a flag's height, from its sides to its number, and from its top to the number's baseline.
const HEIGHT: f32 = 13.0;
const BESIDE: f32 = 3.5;
const BASELINE: f32 = 10.5;
/// The length of the pole below a flag, CSS pixels. It is short, so that it does not look like a cursor.
const POLE: f32 = 5.0;
/// The rows for flags. One that would cover another flag goes into the next row; the last row may overlap.
const ROWS: usize = 3;

/// The left and the right edge of a flag, device pixels.
type Span = [f32; 2];

/// Draws the flags at the top of the first lane, below the names.
pub(super) fn draw_flags(pen: &Pen<'_>, x: &Scale, top: f32, flags: &[Flag]) {
    let (left, right) = x.pixels();
    let mut shown = Vec::new();
    for Flag { at, ink, number } in flags {
        let place = x.pixel(*at);
        if (left..=right).contains(&place) {
            let number = number.to_string();
            let width = pen.width(&number) + 2.0 * pen.px(BESIDE);
            // At the right edge the flag is on the left of its pole.
            let from = if place + width > right { place - width } else { place };
            shown.push((place, *ink, number, [from, from + width]));
        }
    }
    let spans: Vec<Span> = shown.iter().map(|(.., span)| *span).collect();
    for ((place, ink, number, [from, to]), row) in shown.into_iter().zip(rows(&spans)) {
        let upper = top + pen.px((HEIGHT + 1.0) * row as f32);
        pen.upright(top, upper + pen.px(HEIGHT + POLE), place, ink);
        pen.rectangles([[from, upper, to - from, pen.px(HEIGHT)]], ink);
        let style = TextStyle { ink: Ink::Panel, align: Align::Centre };
        pen.text(&number, (from + to) / 2.0, upper + pen.px(BASELINE), style);
    }
}

/// The row of each flag: the first one in which it covers no earlier flag, otherwise the last.
fn rows(spans: &[Span]) -> Vec<usize> {
    let mut taken: Vec<(usize, Span)> = Vec::new();
    for span in spans {
        let is_free = |row: &usize| !taken.iter().any(|(other, own)| other == row && meet(own, span));
        let row = (0..ROWS).find(is_free).unwrap_or(ROWS - 1);
        taken.push((row, *span));
    }
    taken.into_iter().map(|(row, _)| row).collect()
}

fn meet(one: &Span, other: &Span) -> bool {
    one[0] < other[1] && other[0] < one[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_hangs_below_those_that_it_would_cover() {
        assert_eq!(rows(&[[0.0, 10.0], [20.0, 30.0]]), [0, 0]);
        assert_eq!(rows(&[[0.0, 10.0], [5.0, 15.0], [12.0, 22.0]]), [0, 1, 0]);
        let same = [[0.0, 10.0]; 5];
        assert_eq!(rows(&same), [0, 1, 2, 2, 2]);
    }
}
