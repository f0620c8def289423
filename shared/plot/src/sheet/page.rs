//! A page and its items.

use super::letters::{self, Words};
use super::{At, Frame, Ink};

/// A page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// Its title, for windows and lists of files.
    pub title: String,
    /// Width and height, millimetres.
    pub size_mm: [f32; 2],
    /// The drawn items, hindmost first.
    pub items: Vec<Item>,
}

/// An item on a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A line through points.
    Line {
        /// The points.
        points: Vec<At>,
        /// Its ink.
        ink: Ink,
        /// Line width, millimetres.
        width_mm: f32,
    },
    /// A filled area.
    Area {
        /// The edge.
        edge: Vec<At>,
        /// Its fill.
        ink: Ink,
    },
    /// A line of text.
    Words(Words),
}

impl Sheet {
    /// An empty page.
    pub fn new(title: &str, size_mm: [f32; 2]) -> Self {
        Self { title: letters::harmless(title), size_mm, items: Vec::new() }
    }

    /// Draws a line; with fewer than two points nothing.
    pub fn line(&mut self, points: Vec<At>, ink: Ink, width_mm: f32) {
        if points.len() > 1 {
            self.items.push(Item::Line { points, ink, width_mm });
        }
    }

    /// Fills an area; with fewer than three points nothing.
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

    /// Draws a horizontal line.
    pub fn rule(&mut self, left: f32, right: f32, y: f32, ink: Ink, width_mm: f32) {
        self.line(vec![[left, y], [right, y]], ink, width_mm);
    }

    /// Writes text; nothing if it is empty.
    pub fn write(&mut self, words: Words) {
        if !words.text.is_empty() {
            self.items.push(Item::Words(words));
        }
    }

    /// The texts, in the order in which they were written.
    pub fn words(&self) -> impl Iterator<Item = &Words> {
        self.items.iter().filter_map(|item| match item {
            Item::Words(words) => Some(words),
            Item::Line { .. } | Item::Area { .. } => None,
        })
    }
}
