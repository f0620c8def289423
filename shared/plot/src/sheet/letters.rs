//! Text on a page, and its size.
//!
//! The font is unknown until the page is shown, so widths are those of a wide font. In a narrower font there is a
//! little more room between words, never less.

use super::{At, Frame, Ink};

/// Height above and depth below the baseline, as fractions of the size.
const ABOVE: f32 = 0.76;
const BELOW: f32 = 0.22;
/// Bold text is wider by this factor.
const BOLD: f32 = 1.09;
/// Maximum letters of a text.
const MOST: usize = 400;
/// Marks text that was cut off.
const REST: char = '…';
/// Isolate right-to-left text, so that it does not reorder its neighbours.
const ISOLATE: char = '\u{2068}';
const END_OF_ISOLATE: char = '\u{2069}';

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    /// The text.
    pub text: String,
    /// Its position: on the baseline, at the anchor.
    pub at: At,
    /// The anchor.
    pub anchor: Anchor,
    /// Font size, millimetres.
    pub size_mm: f32,
    /// Its ink.
    pub ink: Ink,
    /// Whether it is bold.
    pub bold: bool,
}

/// The part of a text that is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The beginning.
    Left,
    /// The middle.
    Middle,
    /// The end.
    Right,
}

impl Words {
    /// Text that begins at a position. Unsafe characters are removed.
    pub fn new(text: &str, at: At, size_mm: f32, ink: Ink) -> Self {
        Self { text: harmless(text), at, anchor: Anchor::Left, size_mm, ink, bold: false }
    }

    /// In bold.
    #[must_use]
    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// Centred at the position.
    #[must_use]
    pub fn centred(self) -> Self {
        Self { anchor: Anchor::Middle, ..self }
    }

    /// Ending at the position.
    #[must_use]
    pub fn ending(self) -> Self {
        Self { anchor: Anchor::Right, ..self }
    }

    /// Cut to this width, millimetres.
    #[must_use]
    pub fn within(mut self, width_mm: f32) -> Self {
        let room = width_mm / self.em_mm();
        if width(&self.text) > room {
            self.text = cut(&self.text, room);
        }
        self
    }

    /// The maximum width, millimetres.
    pub fn width_mm(&self) -> f32 {
        width(&self.text) * self.em_mm()
    }

    /// The area of the text.
    pub fn frame(&self) -> Frame {
        let ([x, y], width) = (self.at, self.width_mm());
        let left = match self.anchor {
            Anchor::Left => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::Right => x - width,
        };
        Frame { left, top: y - ABOVE * self.size_mm, right: left + width, bottom: y + BELOW * self.size_mm }
    }

    fn em_mm(&self) -> f32 {
        self.size_mm * boldness(self.bold)
    }
}

/// Text in several lines of at most this width in millimetres; what does not fit the last line is cut off.
pub fn wrapped(text: &str, size_mm: f32, width_mm: f32, most_lines: usize) -> Vec<String> {
    let (text, room) = (harmless(text), width_mm / size_mm);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let is_last = lines.len() >= most_lines;
        match lines.last_mut() {
            Some(line) if is_last || width(line) + width(" ") + width(word) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| if width(line) > room { cut(line, room) } else { line.clone() }).collect()
}

/// As many letters as fit into a width, and an ellipsis.
fn cut(text: &str, room: f32) -> String {
    let mut left = room - width_of(REST);
    let isolated = text.contains(ISOLATE);
    let fit = text.chars().take_while(|letter| {
        left -= width_of(*letter);
        left >= 0.0
    });
    let mut kept: String = fit.collect();
    kept.truncate(kept.trim_end().len());
    kept.push(REST);
    if isolated && !kept.contains(END_OF_ISOLATE) {
        kept.push(END_OF_ISOLATE);
    }
    kept
}

/// Text without control characters, direction marks and repeated spaces.
pub(crate) fn harmless(text: &str) -> String {
    let plain = text.chars().filter(|letter| !is_mark(*letter));
    let plain: String =
        plain.map(|letter| if letter.is_control() { ' ' } else { letter }).take(MOST).collect();
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    if plain.chars().any(runs_left) { format!("{ISOLATE}{plain}{END_OF_ISOLATE}") } else { plain }
}

/// Whether a character only controls how others are written, or is no character at all.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        || u32::from(letter) & 0xfffe == 0xfffe
        || matches!(letter, '\u{fdd0}'..='\u{fdef}')
}

/// Whether a letter is written from right to left.
fn runs_left(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// The maximum width of a text, as a multiple of its size.
pub(crate) fn text_width(text: &str, bold: bool) -> f32 {
    width(text) * boldness(bold)
}

fn boldness(bold: bool) -> f32 {
    if bold { BOLD } else { 1.0 }
}

/// The width of a text that is not bold, as a multiple of its size.
fn width(text: &str) -> f32 {
    text.chars().map(width_of).sum()
}

/// The width of a letter in a wide font.
fn width_of(letter: char) -> f32 {
    match letter {
        ISOLATE | END_OF_ISOLATE => 0.0,
        'i' | 'j' | 'l' | '\'' => 0.29,
        ' ' | '.' | ',' | ':' | ';' | 'I' | '|' | '!' | '/' | '\\' | '·' => 0.34,
        'f' | 't' | 'r' | '-' | '(' | ')' | '[' | ']' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | REST => 1.0,
        '0'..='9' | 'a'..='z' => 0.64,
        'A'..='Z' | '+' | '−' | '–' | '±' | '<' | '>' | '=' | '#' => 0.84,
        '°' => 0.5,
        '\u{a0}'..='\u{24f}' | '\u{370}'..='\u{52f}' => 0.85,
        letter if letter.is_ascii() => 0.7,
        _ => 1.3,
    }
}
