//! Words on a page, and how much room they take.
//!
//! Nobody knows the font before the page is shown, so what is reckoned here is that of a wide one: in a narrower one
//! there is a little more room between words, and never less.

use super::{At, Frame, Ink};

/// Letters are so high above the line they stand on, and so deep below it, as parts of the size.
const ABOVE: f32 = 0.76;
const BELOW: f32 = 0.22;
/// Bold letters are so much wider.
const BOLD: f32 = 1.09;
/// More letters than this are nobody's name.
const MOST: usize = 400;
/// Stands for what was cut off.
const REST: char = '…';
/// Keep what is written from right to left from turning its neighbours around.
const ISOLATE: char = '\u{2068}';
const END_OF_ISOLATE: char = '\u{2069}';

/// Words in one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    /// The words.
    pub text: String,
    /// Where they stand: on this line, and beginning, ending or having their middle there.
    pub at: At,
    /// Which of these it is.
    pub anchor: Anchor,
    /// How high the letters' line is, millimetres.
    pub size_mm: f32,
    /// What they are written with.
    pub ink: Ink,
    /// Whether they are bold.
    pub bold: bool,
}

/// Which part of words stands at their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Their beginning.
    Left,
    /// Their middle.
    Middle,
    /// Their end.
    Right,
}

impl Words {
    /// Words that begin at a place, made harmless.
    pub fn new(text: &str, at: At, size_mm: f32, ink: Ink) -> Self {
        Self { text: harmless(text), at, anchor: Anchor::Left, size_mm, ink, bold: false }
    }

    /// The same in bold.
    #[must_use]
    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// The same with their middle at the place.
    #[must_use]
    pub fn centred(self) -> Self {
        Self { anchor: Anchor::Middle, ..self }
    }

    /// The same with their end at the place.
    #[must_use]
    pub fn ending(self) -> Self {
        Self { anchor: Anchor::Right, ..self }
    }

    /// The same, cut to this width, millimetres.
    #[must_use]
    pub fn within(mut self, width_mm: f32) -> Self {
        let room = width_mm / self.em_mm();
        if width(&self.text) > room {
            self.text = cut(&self.text, room);
        }
        self
    }

    /// How wide they are at most, millimetres.
    pub fn width_mm(&self) -> f32 {
        width(&self.text) * self.em_mm()
    }

    /// The room that they take.
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
        self.size_mm * if self.bold { BOLD } else { 1.0 }
    }
}

/// Words in several lines, none of them wider than so many millimetres; what is beyond the last line is cut off.
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

/// As many letters as fit into a width, with a sign that there were more.
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

/// Words without what no page shows: control characters, marks that turn the direction of writing, and spaces of all
/// kinds beside one another.
pub(in crate::plot) fn harmless(text: &str) -> String {
    let plain = text.chars().filter(|letter| !is_mark(*letter));
    let plain: String =
        plain.map(|letter| if letter.is_control() { ' ' } else { letter }).take(MOST).collect();
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    if plain.chars().any(runs_left) { format!("{ISOLATE}{plain}{END_OF_ISOLATE}") } else { plain }
}

/// Whether a letter only tells how others are to be written, or is none at all.
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

/// How wide words are, as a multiple of their size.
fn width(text: &str) -> f32 {
    text.chars().map(width_of).sum()
}

/// How wide a letter of a wide font is.
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
