//! Lines on the terminal, in the form of the block printed at the start, and as plain text only.

use std::fmt::Write as _;
use std::io::{self, Write};

use trailbrake_shared::letters::is_seen;

/// A row with a name and a text.
pub(crate) fn row(name: &str, words: &str) -> String {
    format!("  {name:<14} {words}")
}

/// Prints a row below the block. A closed output is no error.
pub(crate) fn report(name: &str, words: &str) {
    let _ = Plain::new(io::stdout()).write_all(format!("{}\n", row(name, words)).as_bytes());
}

/// Prints a line beside a program's output, as plain text. A closed terminal is no error.
pub(crate) fn note(words: &str) {
    let _ = Plain::new(io::stderr()).write_all(format!("trailbrake: {words}\n").as_bytes());
}

/// Text in which what would control a terminal, turn the direction of writing or not be seen is spelt out as `\u001b`. Names
/// and chat come from other people. JSON reads the same from it.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        if controls(letter) {
            let mut units = [0; 2];
            for unit in letter.encode_utf16(&mut units) {
                let _ = write!(plain, "\\u{unit:04x}");
            }
        } else {
            plain.push(letter);
        }
    }
    plain
}

fn controls(letter: char) -> bool {
    !is_seen(letter) && !['\n', '\t'].contains(&letter)
}

/// Passes on text as [`plain`] has it.
pub(crate) struct Plain<W> {
    out: W,
    /// The begun bytes of a letter.
    rest: Vec<u8>,
}

impl<W: Write> Plain<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, rest: Vec::new() }
    }
}

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend(bytes);
        let mut text = String::new();
        let mut end = 0;
        for chunk in self.rest.utf8_chunks() {
            end += chunk.valid().len();
            text.push_str(chunk.valid());
            // Bytes that the next ones may complete wait for them.
            let invalid = chunk.invalid();
            let is_begun = end + invalid.len() == self.rest.len()
                && std::str::from_utf8(invalid).is_err_and(|error| error.error_len().is_none());
            if !invalid.is_empty() && !is_begun {
                end += invalid.len();
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        self.rest.drain(..end);
        self.out.write_all(plain(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(pieces: &[&[u8]]) -> String {
        let mut out = Vec::new();
        let mut plain = Plain::new(&mut out);
        pieces.iter().for_each(|piece| plain.write_all(piece).expect("memory"));
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn what_controls_a_terminal_is_spelt_out() {
        for (text, expected) in [
            ("Zoë 李\t1:23.4\n", "Zoë 李\t1:23.4\n"),
            ("\u{1b}[2J\u{7}red\r", "\\u001b[2J\\u0007red\\u000d"),
            ("\u{9b}31m\0", "\\u009b31m\\u0000"),
            ("a\u{202e}b\u{2066}c", "a\\u202eb\\u2066c"),
            ("An\u{200b}na\u{feff}\u{e0041}", "An\\u200bna\\ufeff\\udb40\\udc41"),
        ] {
            assert_eq!(plain(text), expected);
        }
        let json = serde_json::to_string("\u{202e}Anna\u{1b}").expect("JSON");
        assert_eq!(serde_json::from_str::<String>(&plain(&json)).expect("JSON"), "\u{202e}Anna\u{1b}");
    }

    #[test]
    fn bytes_that_are_no_text_are_marked() {
        assert_eq!(written(&[b"a\xff\xfeb"]), "a\u{fffd}\u{fffd}b");
    }

    proptest! {
        #[test]
        fn a_letter_may_be_cut_anywhere(text in "\\PC{0,30}", place: prop::sample::Index) {
            let cut = place.index(text.len() + 1);
            let (begin, end) = text.as_bytes().split_at(cut);
            prop_assert_eq!(written(&[begin, end]), plain(&text));
        }
    }
}
