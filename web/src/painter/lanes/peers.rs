//! The cursors of other people across all lanes, each with a name.

use trailbrake_shared::plot::Scale;

use super::PeerMark;
use crate::painter::{Align, Ink, Pen, TextStyle};

/// CSS pixels of a name's background: its height, its margin beside the name, and from its top to the baseline.
const HEIGHT: f32 = 15.0;
const BESIDE: f32 = 4.0;
const BASELINE: f32 = 11.0;

/// Draws the cursors between the top of the first lane and the bottom of the last one.
pub(super) fn draw_peers(pen: &Pen<'_>, x: &Scale, (top, bottom): (f32, f32), peers: &[PeerMark]) {
    let (left, right) = x.pixels();
    let seen = peers.iter().map(|peer| (x.pixel(peer.at), &peer.name));
    for (row, (place, name)) in seen.filter(|(place, _)| (left..=right).contains(place)).enumerate() {
        pen.upright(top, bottom, place, Ink::Peer);
        let width = pen.width(name) + 2.0 * pen.px(BESIDE);
        // At the right edge the name is on the left of its cursor. Each name has its own row, from the bottom up.
        let from = if place + width > right { place - width } else { place };
        let upper = bottom - pen.px(HEIGHT) * (row + 1) as f32;
        pen.rectangles([[from, upper, width, pen.px(HEIGHT)]], Ink::Peer);
        let style = TextStyle { ink: Ink::Panel, align: Align::Centre };
        pen.text(name, from + width / 2.0, upper + pen.px(BASELINE), style);
    }
}
