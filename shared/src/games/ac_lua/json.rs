//! A reader of JSON that keeps nothing: it walks through a text and shows each number where it stands.
//!
//! It asks for no memory, so a packet costs its length and no more. It is lenient where a script's own writer of JSON
//! may be careless, with what Lua prints for a number that is none, and strict about everything else.

/// An object within an object within … so deep and no deeper.
pub(super) const DEEPEST: usize = 16;

/// What is wrong with a text, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Bytes before it.
    pub(super) at: usize,
    /// In words.
    pub(super) what: &'static str,
}

/// One step from a value to one within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step<'a> {
    /// To the value of a key, as it is written between its quotes.
    Key(&'a str),
    /// To so many elements after the first.
    Index(usize),
}

/// The way from the whole text to a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path<'a> {
    steps: [Step<'a>; DEEPEST],
    len: usize,
}

/// A value that has no values within it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scalar<'a> {
    /// A number.
    Number(f64),
    /// An infinity or no number at all, written as a number.
    NoNumber,
    /// Nothing.
    Null,
    /// Text, or true or false, as it is written.
    Other(&'a str),
}

/// Prints as it would stand in JSON.
impl std::fmt::Display for Scalar<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::NoNumber => f.write_str("no number"),
            Self::Null => f.write_str("null"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

/// Walks through a text that has to be one object, and shows every scalar with the way to it.
pub(super) fn read<'a>(bytes: &'a [u8], show: &mut dyn FnMut(&Path<'a>, Scalar<'a>)) -> Result<(), Fault> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Fault { at: error.valid_up_to(), what: "from here on it is no UTF-8 text" })?;
    let mut reader = Reader { text, at: 0, path: Path::empty(), show };
    reader.skip_space();
    if reader.peek() != Some(b'{') {
        return Err(reader.fault("an object was expected, which begins with {"));
    }
    reader.value()?;
    // Some scripts end a packet with a line, or with a zero as C does.
    let rest = text.get(reader.at..).unwrap_or_default();
    match rest.find(|letter: char| !letter.is_ascii_whitespace() && letter != '\0') {
        Some(more) => Err(Fault { at: reader.at + more, what: "the object had ended before this" }),
        None => Ok(()),
    }
}

impl<'a> Path<'a> {
    const fn empty() -> Self {
        Self { steps: [Step::Index(0); DEEPEST], len: 0 }
    }

    /// The steps, the first one first.
    pub(super) fn steps(&self) -> &[Step<'a>] {
        self.steps.get(..self.len).unwrap_or_default()
    }

    /// Whether the way is spelt so, with underscores between its steps; capitals count as small letters.
    pub(super) fn spells(&self, words: &[&str]) -> bool {
        let mut spelt = words.iter().enumerate().flat_map(|(place, word)| {
            let joint = (place > 0).then_some('_');
            joint.into_iter().chain(word.chars())
        });
        for (place, step) in self.steps().iter().enumerate() {
            if place > 0 && spelt.next() != Some('_') {
                return false;
            }
            let same = match *step {
                Step::Key(key) => {
                    letters(key).all(|letter| spelt.next() == Some(letter.to_ascii_lowercase()))
                }
                Step::Index(index) => {
                    spelt.next().and_then(|digit| digit.to_digit(10)) == u32::try_from(index).ok()
                }
            };
            if !same {
                return false;
            }
        }
        spelt.next().is_none()
    }

    /// The place in the list that the last step leads to, if it leads into one.
    pub(super) fn index(&self) -> Option<usize> {
        match self.steps().last() {
            Some(Step::Index(index)) => Some(*index),
            _ => None,
        }
    }
}

/// Prints as `tyre_temps.0`.
impl std::fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (place, step) in self.steps().iter().enumerate() {
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

/// The letters that a key stands for, whose escapes are resolved.
fn letters(written: &str) -> impl Iterator<Item = char> + '_ {
    let mut rest = written.chars();
    std::iter::from_fn(move || match rest.next()? {
        '\\' => Some(match rest.next()? {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let code = (0..4).try_fold(0, |code, _| Some(code * 16 + rest.next()?.to_digit(16)?));
                code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            plain => plain,
        }),
        letter => Some(letter),
    })
}

struct Reader<'a, 'b> {
    text: &'a str,
    at: usize,
    path: Path<'a>,
    show: &'b mut dyn FnMut(&Path<'a>, Scalar<'a>),
}

impl<'a> Reader<'a, '_> {
    fn value(&mut self) -> Result<(), Fault> {
        match self.peek() {
            Some(b'{') => self.object(),
            Some(b'[') => self.list(),
            Some(b'"') => {
                let text = self.string()?;
                self.shown(Scalar::Other(text));
                Ok(())
            }
            Some(_) => self.word(),
            None => Err(self.fault("the text ends where a value was expected")),
        }
    }

    fn object(&mut self) -> Result<(), Fault> {
        self.at += 1;
        self.skip_space();
        if self.take(b'}') {
            return Ok(());
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err(self.fault("a key was expected, which begins with \""));
            }
            let key = self.string()?;
            self.skip_space();
            if !self.take(b':') {
                return Err(self.fault("a : was expected after the key"));
            }
            self.within(Step::Key(key))?;
            if self.take(b'}') {
                return Ok(());
            }
            if !self.take(b',') {
                return Err(self.fault("a , or the object's } was expected"));
            }
        }
    }

    fn list(&mut self) -> Result<(), Fault> {
        self.at += 1;
        self.skip_space();
        if self.take(b']') {
            return Ok(());
        }
        for index in 0.. {
            self.within(Step::Index(index))?;
            if self.take(b']') {
                break;
            }
            if !self.take(b',') {
                return Err(self.fault("a , or the list's ] was expected"));
            }
        }
        Ok(())
    }

    /// The value that a step leads to, with the space around it.
    fn within(&mut self, step: Step<'a>) -> Result<(), Fault> {
        let Some(place) = self.path.steps.get_mut(self.path.len) else {
            return Err(self.fault("it is nested too deeply to be telemetry"));
        };
        *place = step;
        self.path.len += 1;
        self.skip_space();
        self.value()?;
        self.path.len -= 1;
        self.skip_space();
        Ok(())
    }

    /// What stands between two quotes.
    fn string(&mut self) -> Result<&'a str, Fault> {
        self.at += 1;
        let began = self.at;
        let mut escaped = false;
        let rest = self.text.get(began..).unwrap_or_default();
        let end = rest.bytes().position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        let Some(end) = end else {
            return Err(Fault { at: self.text.len(), what: "the text ends within quotes" });
        };
        self.at = began + end + 1;
        Ok(rest.get(..end).unwrap_or_default())
    }

    /// A number, or one of the words that JSON and Lua have.
    fn word(&mut self) -> Result<(), Fault> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let len = rest
            .find(|letter: char| !(letter.is_ascii_alphanumeric() || "+-.()".contains(letter)))
            .unwrap_or(rest.len());
        let word = rest.get(..len).unwrap_or_default();
        let unsigned = word.strip_prefix('-').unwrap_or(word);
        let scalar = match word {
            "null" => Scalar::Null,
            "true" | "false" => Scalar::Other(word),
            _ if is_no_number(unsigned) => Scalar::NoNumber,
            _ if unsigned.starts_with(|letter: char| letter.is_ascii_digit()) => match word.parse::<f64>() {
                Ok(number) if number.is_finite() => Scalar::Number(number),
                Ok(_) => Scalar::NoNumber,
                Err(_) => return Err(self.fault("this is no number")),
            },
            _ => return Err(self.fault("a value was expected")),
        };
        self.at += len;
        self.shown(scalar);
        Ok(())
    }

    fn shown(&mut self, scalar: Scalar<'a>) {
        let path = self.path;
        (self.show)(&path, scalar);
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let here = self.peek() == Some(byte);
        self.at += usize::from(here);
        here
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn fault(&self, what: &'static str) -> Fault {
        Fault { at: self.at, what }
    }
}

/// What Lua prints for what is no number, on one system or another.
fn is_no_number(word: &str) -> bool {
    let begins = |name: &str| word.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    begins("nan") || begins("inf")
}

#[cfg(test)]
mod tests;
