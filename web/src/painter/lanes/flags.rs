//! Flags of notes.

use trailbrake_shared::plot::Scale;

use super::{Flag, LaneStack};
use crate::painter::Pen;

/// CSS pixels of a flag, and of its pole: too short for a cursor, and below the names.
const FLAG: [f32; 2] = [9.0, 7.0];
const POLE: f32 = 15.0;

impl LaneStack {
    /// Puts flags at places of the x axis, in the place of those before.
    pub fn flag(&mut self, flags: Vec<Flag>) {
        self.background_dirty |= flags != self.flags;
        self.flags = flags;
    }

    pub(super) fn draw_flags(&self, pen: &Pen<'_>, x: &Scale) {
        let (left, right) = x.pixels();
        let (top, _) = self.heights();
        let [width, height] = FLAG.map(|css| pen.px(css));
        for Flag { at, ink } in &self.flags {
            let place = x.pixel(*at);
            if (left..=right).contains(&place) {
                pen.upright(top, top + pen.px(POLE), place, *ink);
                // Beyond the right edge there is no room for it.
                let from = if place + width > right { place - width } else { place };
                pen.rectangles([[from, top, width, height]], *ink);
            }
        }
    }
}
