//! The cursors across all lanes: those that measure, with the area between them, and those of other people.

use trailbrake_shared::plot::Scale;

use super::PeerMark;
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

/// CSS pixels of a name's background: its height, its margin beside the name, and from its top to the baseline.
const NAME_HEIGHT: f32 = 15.0;
const BESIDE_NAME: f32 = 4.0;
const NAME_BASELINE: f32 = 11.0;

/// Draws the cursors of other people, each with a name, between the top of the first lane and the bottom of the last one.
pub(super) fn draw_peers(pen: &Pen<'_>, x: &Scale, (top, bottom): (f32, f32), peers: &[PeerMark]) {
    let (left, right) = x.pixels();
    let seen = peers.iter().map(|peer| (x.pixel(peer.at), &peer.name));
    for (row, (place, name)) in seen.filter(|(place, _)| (left..=right).contains(place)).enumerate() {
        pen.upright(top, bottom, place, Ink::Peer);
        let width = pen.width(name) + 2.0 * pen.px(BESIDE_NAME);
        // At the right edge the name is on the left of its cursor. Each name has its own row, from the bottom up.
        let from = if place + width > right { place - width } else { place };
        let upper = bottom - pen.px(NAME_HEIGHT) * (row + 1) as f32;
        pen.rectangles([[from, upper, width, pen.px(NAME_HEIGHT)]], Ink::Peer);
        let style = TextStyle { ink: Ink::Panel, align: Align::Centre };
        pen.text(name, from + width / 2.0, upper + pen.px(NAME_BASELINE), style);
    }
}
