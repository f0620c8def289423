//! A printed page as pure data: texts, lines and areas, positioned in millimetres from the upper left corner.
//!
//! Any backend can draw it; natively `svg` does. Text from packets may contain anything: it is made harmless and cut to
//! the available room.

mod letters;
mod page;
pub mod svg;
mod thin;

pub use letters::{Anchor, Words, wrapped};
pub(super) use letters::{harmless, text_width};
pub use page::{Item, Sheet};
pub use thin::thinned;

/// Millimetres from the left and upper edges.
pub type At = [f32; 2];

/// The role of an item, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Primary text.
    Text,
    /// Secondary text.
    Soft,
    /// Separators and grid lines.
    Hairline,
    /// Background.
    Shade,
    /// The main lap.
    Main,
    /// The reference.
    Reference,
    /// Time lost.
    Loss,
    /// Time gained.
    Gain,
    /// Background of time lost.
    LossTint,
    /// Background of time gained.
    GainTint,
    /// The paper, over what lies beneath.
    Paper,
}

/// A rectangle on the page, millimetres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The left edge.
    pub left: f32,
    /// The upper edge.
    pub top: f32,
    /// The right edge.
    pub right: f32,
    /// The lower edge.
    pub bottom: f32,
}

impl Frame {
    /// The width.
    pub fn width(&self) -> f32 {
        self.right - self.left
    }

    /// The height.
    pub fn height(&self) -> f32 {
        self.bottom - self.top
    }

    /// Whether two frames overlap.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// Whether a frame lies within this one.
    pub fn holds(&self, other: &Self) -> bool {
        self.left <= other.left
            && self.top <= other.top
            && other.right <= self.right
            && other.bottom <= self.bottom
    }
}

#[cfg(test)]
mod tests;
