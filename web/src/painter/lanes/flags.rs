//! Places about which somebody wrote a note.

use trailbrake_shared::plot::Scale;

use super::LaneStack;
use crate::painter::{Ink, Paint, Pen};

/// CSS pixels of a flag on its pole.
const FLAG: [f32; 2] = [9.0, 7.0];

/// A place of the axis about which somebody wrote a note.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flag {
    /// Where on the axis.
    pub at: f64,
    /// Its colour.
    pub ink: Ink,
}

impl LaneStack {
    /// Puts flags at places of the x axis, in the place of those before.
    pub fn flag(&mut self, flags: Vec<Flag>) {
        self.background_dirty |= flags != self.flags;
        self.flags = flags;
    }

    pub(super) fn draw_flags(&self, pen: &Pen<'_>, x: &Scale) {
        let (left, right) = x.pixels();
        let (top, bottom) = self.heights();
        let [width, height] = FLAG.map(|css| pen.px(css));
        for Flag { at, ink } in &self.flags {
            let place = x.pixel(*at);
            if (left..=right).contains(&place) {
                pen.upright(top - height, bottom, place, Paint::thin(*ink, 0.6));
                // Beyond the right edge there is no room for it.
                let from = if place + width > right { place - width } else { place };
                pen.rectangles([[from, top - height, width, height]], *ink);
            }
        }
    }
}
