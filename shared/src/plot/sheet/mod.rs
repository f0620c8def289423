//! A printed page as pure data: words, lines and areas, each at its place on the paper in millimetres from the upper
//! left corner.
//!
//! Whoever lays a page out does it here; whoever shows it draws it, programs as `svg`. Words that came from a packet
//! can hold anything: they are made harmless, and cut to the room that there is for them.

mod letters;
#[cfg(any(test, feature = "svg"))]
pub mod svg;
mod thin;

#[cfg(any(test, feature = "svg"))]
pub(super) use letters::harmless;
pub use letters::{Anchor, Words, wrapped};
pub use thin::thinned;

/// Millimetres from the left edge and from the upper one.
pub type At = [f32; 2];

/// A page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// What it is called, for windows and lists of files.
    pub title: String,
    /// Width and height, millimetres.
    pub size_mm: [f32; 2],
    /// What stands on it, the hindmost first.
    pub items: Vec<Item>,
}

/// Something on a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A line from place to place.
    Line {
        /// The places.
        points: Vec<At>,
        /// What it is drawn with.
        ink: Ink,
        /// How wide it is, millimetres.
        width_mm: f32,
    },
    /// An area with this edge.
    Area {
        /// The edge.
        edge: Vec<At>,
        /// What it is filled with.
        ink: Ink,
    },
    /// Words in one line.
    Words(Words),
}

/// What something is drawn with: the part that it plays, from which its colour follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// What is read first.
    Text,
    /// What is read second.
    Soft,
    /// Lines that part and measure.
    Hairline,
    /// Something in the background.
    Shade,
    /// The lap.
    Main,
    /// What it is compared with.
    Reference,
    /// Where time is lost.
    Loss,
    /// Where time is gained.
    Gain,
    /// The background of where time is lost.
    LossTint,
    /// The background of where time is gained.
    GainTint,
    /// The paper itself, over what lies beneath.
    Paper,
}

/// A part of the page: left, top, right and bottom, millimetres.
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
    /// How wide it is.
    pub fn width(&self) -> f32 {
        self.right - self.left
    }

    /// How high it is.
    pub fn height(&self) -> f32 {
        self.bottom - self.top
    }

    /// Whether two parts have something in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// Whether a part lies within this one.
    pub fn holds(&self, other: &Self) -> bool {
        self.left <= other.left
            && self.top <= other.top
            && other.right <= self.right
            && other.bottom <= self.bottom
    }
}

impl Sheet {
    /// An empty page.
    pub fn new(title: &str, size_mm: [f32; 2]) -> Self {
        Self { title: letters::harmless(title), size_mm, items: Vec::new() }
    }

    /// Draws a line; fewer than two points are none.
    pub fn line(&mut self, points: Vec<At>, ink: Ink, width_mm: f32) {
        if points.len() > 1 {
            self.items.push(Item::Line { points, ink, width_mm });
        }
    }

    /// Fills an area.
    pub fn area(&mut self, edge: Vec<At>, ink: Ink) {
        if edge.len() > 2 {
            self.items.push(Item::Area { edge, ink });
        }
    }

    /// Fills a rectangle.
    pub fn fill(&mut self, frame: &Frame, ink: Ink) {
        let Frame { left, top, right, bottom } = *frame;
        self.area(vec![[left, top], [right, top], [right, bottom], [left, bottom]], ink);
    }

    /// Draws a level line.
    pub fn rule(&mut self, left: f32, right: f32, y: f32, ink: Ink, width_mm: f32) {
        self.line(vec![[left, y], [right, y]], ink, width_mm);
    }

    /// Writes words.
    pub fn write(&mut self, words: Words) {
        if !words.text.is_empty() {
            self.items.push(Item::Words(words));
        }
    }

    /// The words on it, in the order in which they were written.
    pub fn words(&self) -> impl Iterator<Item = &Words> {
        self.items.iter().filter_map(|item| match item {
            Item::Words(words) => Some(words),
            Item::Line { .. } | Item::Area { .. } => None,
        })
    }
}

#[cfg(test)]
mod tests;
