//! Visits the scalars of a JSON text with their paths.
//!
//! serde_json parses the text. Before that, the words that Lua prints for NaN and infinity, which JSON does not have,
//! are put in quotes.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

/// One step from a value to one inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

/// The steps from the root to a value.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    steps: Vec<Step>,
    /// The steps in lower case, joined with underscores.
    spelling: String,
    /// The length of the spelling before each step.
    lengths: Vec<usize>,
}

/// A value without nested values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scalar<'a> {
    Number(f64),
    Null,
    /// Text, true, false, and Lua's words for infinity and NaN.
    Other(&'a str),
}

/// Formats as in JSON, but text without quotes.
impl fmt::Display for Scalar<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Null => f.write_str("null"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

/// Visits every scalar of a text, which must be one object; an error says what is wrong and where.
pub(super) fn read(bytes: &[u8], show: &mut dyn FnMut(&Path, Scalar<'_>)) -> Result<(), String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    // Some scripts end a packet with a line break, or with a zero byte as C does.
    let text = text.trim_end_matches(|letter: char| letter.is_ascii_whitespace() || letter == '\0');
    let text = quote_non_numbers(text);
    let mut path = Path::default();
    let mut json = serde_json::Deserializer::from_str(&text);
    let visitor = ScalarVisitor { path: &mut path, show };
    json.deserialize_map(visitor).and_then(|()| json.end()).map_err(|error| error.to_string())
}

/// Quotes every bare `nan`, `-inf`, `-nan(ind)` and number too large for `f64`.
fn quote_non_numbers(text: &str) -> Cow<'_, str> {
    let mut quoted = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(inside) = rest.strip_prefix('"') {
            at += 1 + string_len(inside);
            continue;
        }
        let word = rest.find(|letter: char| !is_word(letter)).unwrap_or(rest.len());
        let end = at + word.max(rest.chars().next().map_or(1, char::len_utf8));
        if rest.get(..word).is_some_and(is_non_number) {
            quoted.extend([
                text.get(copied..at).unwrap_or_default(),
                "\"",
                rest.get(..word).unwrap_or_default(),
                "\"",
            ]);
            copied = end;
        }
        at = end;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    quoted.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(quoted)
}

/// The length of the rest of a string, including its closing quote.
fn string_len(inside: &str) -> usize {
    let mut escaped = false;
    let end = inside.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(inside.len(), |end| end + 1)
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "+-.()".contains(letter)
}

fn is_non_number(word: &str) -> bool {
    let unsigned = word.strip_prefix('-').unwrap_or(word);
    let begins =
        |name: &str| unsigned.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let digits = unsigned.starts_with(|letter: char| letter.is_ascii_digit());
    begins("nan") || begins("inf") || digits && word.parse::<f64>().is_ok_and(f64::is_infinite)
}

impl Path {
    fn enter(&mut self, step: Step) {
        self.lengths.push(self.spelling.len());
        if !self.steps.is_empty() {
            self.spelling.push('_');
        }
        match &step {
            Step::Key(key) => self.spelling.extend(key.chars().map(|letter| letter.to_ascii_lowercase())),
            Step::Index(index) => self.spelling.push_str(&index.to_string()),
        }
        self.steps.push(step);
    }

    fn leave(&mut self) {
        self.steps.pop();
        self.spelling.truncate(self.lengths.pop().unwrap_or_default());
    }

    /// Its keys and indices in lower case, joined with underscores.
    pub(super) fn spelling(&self) -> &str {
        &self.spelling
    }

    /// The list index of the last step, if it is one.
    pub(super) fn index(&self) -> Option<usize> {
        match self.steps.last() {
            Some(Step::Index(index)) => Some(*index),
            _ => None,
        }
    }
}

/// Formats as `tyre_temps.0`.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, step) in self.steps.iter().enumerate() {
            if place > 0 {
                f.write_str(".")?;
            }
            match step {
                Step::Key(key) => f.write_str(key)?,
                Step::Index(index) => write!(f, "{index}")?,
            }
        }
        Ok(())
    }
}

/// Visits scalars during parsing, so that no value tree is built.
struct ScalarVisitor<'a, 'b> {
    path: &'a mut Path,
    show: &'a mut (dyn FnMut(&Path, Scalar<'_>) + 'b),
}

impl ScalarVisitor<'_, '_> {
    fn inside<'a>(&'a mut self, step: Step) -> ScalarVisitor<'a, 'a> {
        self.path.enter(step);
        ScalarVisitor { path: self.path, show: self.show }
    }

    fn shown<E>(self, scalar: Scalar<'_>) -> Result<(), E> {
        (self.show)(self.path, scalar);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for ScalarVisitor<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ScalarVisitor<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key()? {
            map.next_value_seed(self.inside(Step::Key(key)))?;
            self.path.leave();
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        let mut index = 0;
        while list.next_element_seed(self.inside(Step::Index(index)))?.is_some() {
            self.path.leave();
            index += 1;
        }
        self.path.leave();
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        self.shown(Scalar::Number(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.shown(Scalar::Number(number as f64))
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.shown(Scalar::Number(number as f64))
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.shown(Scalar::Null)
    }

    fn visit_bool<E>(self, yes: bool) -> Result<(), E> {
        self.shown(Scalar::Other(if yes { "true" } else { "false" }))
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.shown(Scalar::Other(text))
    }
}

#[cfg(test)]
mod tests;
