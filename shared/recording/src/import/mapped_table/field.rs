//! Reads the fields of a table.

use trailbrake_model::letters::is_seen;
use trailbrake_model::number;

/// No number is longer.
const LONGEST: usize = 64;
/// How many letters of a field are shown.
const SHOWN: usize = 40;
/// What programs write where there is no value.
const ABSENT: &[&str] = &[
    "",
    "-",
    "--",
    "---",
    "nan",
    "-nan",
    "nan(ind)",
    "-nan(ind)",
    "inf",
    "-inf",
    "n/a",
    "#n/a",
    "na",
    "null",
    "none",
];
/// Words that stand for numbers: switches, and gears.
const WORDS: &[(&str, f64)] = &[
    ("true", 1.0),
    ("false", 0.0),
    ("on", 1.0),
    ("off", 0.0),
    ("yes", 1.0),
    ("no", 0.0),
    ("n", 0.0),
    ("r", -1.0),
];

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Field {
    Absent,
    Number(f64),
    Text,
}

impl Field {
    /// A field with a number or a word for one.
    pub(super) fn read(bytes: &[u8], decimal_comma: bool) -> Self {
        let bytes = bytes.trim_ascii();
        let bytes = bytes.strip_suffix(b"%").unwrap_or(bytes).trim_ascii_end();
        let Some(text) = short(bytes) else { return Self::Text };
        let lower = || text.to_ascii_lowercase();
        match read_number(text, decimal_comma) {
            Some(value) => Self::Number(value),
            None if ABSENT.contains(&lower().as_str()) => Self::Absent,
            None => {
                let lower = lower();
                WORDS
                    .iter()
                    .find(|(word, _)| *word == lower)
                    .map_or(Self::Text, |(_, value)| Self::Number(*value))
            }
        }
    }

    /// A time such as `1:23.456`, `0:01:23.456` or `83.456`, in seconds. A date before it is left out.
    pub(super) fn read_clock(bytes: &[u8], decimal_comma: bool) -> Self {
        let Some(text) = short(bytes.trim_ascii()) else { return Self::Text };
        let time = text.rsplit(['T', ' ']).next().unwrap_or(text).trim_end_matches('Z');
        if !time.contains(':') {
            return Self::read(time.as_bytes(), decimal_comma);
        }
        let (sign, time) = time.strip_prefix('-').map_or((1.0, time), |time| (-1.0, time));
        let mut seconds = 0.0;
        let mut parts = time.split(':').peekable();
        let mut count = 0;
        while let Some(part) = parts.next() {
            let is_last = parts.peek().is_none();
            let digits = part.bytes().all(|byte| byte.is_ascii_digit());
            let value = read_number(part, decimal_comma && is_last);
            let Some(value) = value.filter(|value| *value >= 0.0 && (is_last || digits)) else {
                return Self::Text;
            };
            seconds = seconds * 60.0 + value;
            count += 1;
        }
        if count > 3 { Self::Text } else { Self::Number(sign * seconds) }
    }
}

/// A field's text for a message.
pub(super) fn shown(bytes: &[u8]) -> String {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        // An older encoding, of which every byte is a letter.
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    };
    text.trim().chars().filter(|letter| is_seen(*letter)).take(SHOWN).collect()
}

fn short(bytes: &[u8]) -> Option<&str> {
    if bytes.len() > LONGEST { None } else { std::str::from_utf8(bytes).ok() }
}

fn read_number(text: &str, decimal_comma: bool) -> Option<f64> {
    if decimal_comma && text.contains(',') {
        // Points between the thousands are left out.
        return number::read(&text.replace('.', "").replacen(',', ".", 1));
    }
    number::read(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_both_notations() {
        let read = |text: &str| Field::read(text.as_bytes(), false);
        let comma = |text: &str| Field::read(text.as_bytes(), true);
        for (found, expected) in [
            (read(" 12.5 "), 12.5),
            (read("+3"), 3.0),
            (read("55 %"), 55.0),
            (read("1e-3"), 1e-3),
            (read("True"), 1.0),
            (read("R"), -1.0),
            (comma("12,5"), 12.5),
            (comma("-1.234,5"), -1234.5),
            (comma("12.5"), 12.5),
        ] {
            assert_eq!(found, Field::Number(expected));
        }
        for absent in ["", "  ", "NaN", "-", "N/A", "-inf", "1e999"] {
            let expected = if absent == "1e999" { Field::Text } else { Field::Absent };
            assert_eq!(read(absent), expected, "{absent}");
        }
        for text in ["12,5", "far", "1.2.3", "0x10", &"1".repeat(65)] {
            assert_eq!(read(text), Field::Text, "{text}");
        }
        assert_eq!(comma("1,2,3"), Field::Text);
    }

    #[test]
    fn clocks_are_read() {
        let read = |text: &str| Field::read_clock(text.as_bytes(), text.contains(','));
        for (text, seconds) in [
            ("1:23.5", 83.5),
            ("0:01:23,25", 83.25),
            ("83.456", 83.456),
            ("2026-05-01T12:00:01.5Z", 43_201.5),
            ("01.05.2026 12:00:01.5", 43_201.5),
            ("-0:01.5", -1.5),
        ] {
            assert_eq!(read(text), Field::Number(seconds), "{text}");
        }
        for text in ["1:2:3:4", "1::2", "1.5:20", "a:b", "1:-2"] {
            assert_eq!(read(text), Field::Text, "{text}");
        }
        assert_eq!(read(""), Field::Absent);
    }

    #[test]
    fn messages_show_any_bytes() {
        assert_eq!(shown(b" Temp [\xb0C]\x07 "), "Temp [\u{b0}C]");
        assert_eq!(shown("x".repeat(100).as_bytes()).len(), SHOWN);
    }
}
