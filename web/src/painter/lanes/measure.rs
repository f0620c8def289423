//! The measuring cursors across all lanes, and the area between them.

use trailbrake_shared::plot::Scale;

use crate::painter::{Align, Ink, Paint, Pen, TextStyle};

/// The labels at the upper ends of the two cursors.
const NAMES: [&str; 2] = ["I", "O"];
/// Width and height of a label's background, CSS pixels.
const FLAG: [f32; 2] = [18.0, 16.0];

/// Draws the measuring cursors between the top of the first lane and the bottom of the last one.
pub(super) fn draw_measured(pen: &Pen<'_>, x: &Scale, (top, bottom): (f32, f32), measured: [Option<f64>; 2]) {
    let (left, right) = x.pixels();
    let places = measured.map(|at| at.map(|at| x.pixel(at)));
    if let [Some(one), Some(other)] = places {
        let (from, to) = (one.min(other).max(left), one.max(other).min(right));
        let area = [from, top, (to - from).max(0.0), bottom - top];
        pen.rectangles([area], Paint::thin(Ink::Text, 0.08));
    }
    let [width, height] = FLAG.map(|css| pen.px(css));
    for (place, name) in places.into_iter().zip(NAMES) {
        let Some(place) = place.filter(|place| (left..=right).contains(place)) else { continue };
        pen.upright(top, bottom, place, Ink::Soft);
        pen.rectangles([[place - width / 2.0, top, width, height]], Ink::Soft);
        let style = TextStyle { ink: Ink::Panel, align: Align::Centre };
        pen.text(name, place, top + pen.px(12.0), style);
    }
}
