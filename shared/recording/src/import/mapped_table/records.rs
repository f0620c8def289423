//! Splits a text into records and fields.

use super::not_mapped::{LONGEST_RECORD, MOST_COLUMNS, NotMapped};

/// A line of a table, or several of them if a quoted field has line breaks.
pub(super) struct Record<'a> {
    /// The number of its first line, from 1.
    pub(super) line: usize,
    bytes: &'a [u8],
    /// Where each field ends.
    ends: &'a [usize],
}

impl<'a> Record<'a> {
    /// The number of fields.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A field; empty if there are fewer.
    pub(super) fn field(&self, place: usize) -> &'a [u8] {
        let begin =
            place.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
        self.ends.get(place).and_then(|end| self.bytes.get(begin..*end)).unwrap_or_default()
    }

    /// Whether every field is empty.
    pub(super) fn is_blank(&self) -> bool {
        self.bytes.iter().all(u8::is_ascii_whitespace)
    }

    /// The number of fields up to the last one that is not empty.
    pub(super) fn filled(&self) -> usize {
        (0..self.len())
            .rev()
            .find(|place| !self.field(*place).trim_ascii().is_empty())
            .map_or(0, |last| last + 1)
    }
}

/// Splits text that arrives in pieces (RFC 4180, with any separator and any line break).
pub(super) struct RecordSplitter {
    separator: u8,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// The current line, and the line in which the record began.
    line: usize,
    began: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// At the beginning of a field.
    Begin,
    Plain,
    Quoted,
    /// Behind a quotation mark in a quoted field: the next one may double it.
    Closed,
    /// Behind a carriage return, which may belong to a line feed.
    Returned,
}

impl RecordSplitter {
    pub(super) fn new(separator: u8) -> Self {
        Self { separator, bytes: Vec::new(), ends: Vec::new(), line: 1, began: 1, state: State::Begin }
    }

    /// Passes each record that ends in this piece to `take`.
    pub(super) fn push(
        &mut self,
        piece: &[u8],
        take: &mut dyn FnMut(&Record<'_>) -> Result<(), NotMapped>,
    ) -> Result<(), NotMapped> {
        for byte in piece {
            if self.state == State::Returned {
                self.state = State::Begin;
                if *byte == b'\n' {
                    continue;
                }
            }
            match (*byte, self.state) {
                (b'"', State::Begin) => self.state = State::Quoted,
                (b'"', State::Quoted) => self.state = State::Closed,
                (b'"', State::Closed) => {
                    self.bytes.push(b'"');
                    self.state = State::Quoted;
                }
                (byte, State::Quoted) => {
                    self.line += usize::from(byte == b'\n');
                    self.bytes.push(byte);
                }
                (b'\n' | b'\r', _) => {
                    self.end(take)?;
                    self.state = if *byte == b'\r' { State::Returned } else { State::Begin };
                }
                (byte, _) if byte == self.separator => {
                    self.ends.push(self.bytes.len());
                    if self.ends.len() >= MOST_COLUMNS {
                        return Err(NotMapped::Wide { line: self.began });
                    }
                    self.state = State::Begin;
                }
                (byte, _) => {
                    self.bytes.push(byte);
                    self.state = State::Plain;
                }
            }
            if self.bytes.len() > LONGEST_RECORD {
                return Err(NotMapped::Long { line: self.began });
            }
        }
        Ok(())
    }

    /// Passes the last record to `take` if no line break ends it.
    pub(super) fn finish(
        &mut self,
        take: &mut dyn FnMut(&Record<'_>) -> Result<(), NotMapped>,
    ) -> Result<(), NotMapped> {
        if self.bytes.is_empty() && self.ends.is_empty() { Ok(()) } else { self.end(take) }
    }

    fn end(&mut self, take: &mut dyn FnMut(&Record<'_>) -> Result<(), NotMapped>) -> Result<(), NotMapped> {
        self.ends.push(self.bytes.len());
        take(&Record { line: self.began, bytes: &self.bytes, ends: &self.ends })?;
        self.bytes.clear();
        self.ends.clear();
        self.line += 1;
        self.began = self.line;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str, piece: usize) -> Result<Vec<(usize, Vec<String>)>, NotMapped> {
        let mut splitter = RecordSplitter::new(b',');
        let mut records = Vec::new();
        let mut take = |record: &Record<'_>| {
            let fields =
                (0..record.len()).map(|place| String::from_utf8_lossy(record.field(place)).into_owned());
            records.push((record.line, fields.collect()));
            Ok(())
        };
        text.as_bytes().chunks(piece).try_for_each(|piece| splitter.push(piece, &mut take))?;
        splitter.finish(&mut take)?;
        Ok(records)
    }

    #[test]
    fn quotes_and_line_breaks_of_every_kind_are_read() {
        let text = "a,\"b \"\"c\"\", d\"\r\n1,\"2\n3\"\n\n,5\r6,";
        let expected = [
            (1, vec!["a", "b \"c\", d"]),
            (2, vec!["1", "2\n3"]),
            (4, vec![""]),
            (5, vec!["", "5"]),
            (6, vec!["6", ""]),
        ];
        let expected: Vec<(usize, Vec<String>)> = expected
            .into_iter()
            .map(|(line, fields)| (line, fields.into_iter().map(str::to_owned).collect()))
            .collect();
        for piece in [1, 2, 3, 100] {
            assert_eq!(records(text, piece).expect("records"), expected);
        }
    }

    #[test]
    fn what_is_too_large_is_refused_with_its_line() {
        let wide = format!("1,2\n{}\n", ",".repeat(MOST_COLUMNS));
        assert_eq!(records(&wide, 4096), Err(NotMapped::Wide { line: 2 }));
        assert_eq!(records(&",".repeat(MOST_COLUMNS - 1), 4096).expect("a record")[0].1.len(), MOST_COLUMNS);
        let open = format!("1,2\n3,\"{}", "4\n".repeat(LONGEST_RECORD));
        assert_eq!(records(&open, 4096), Err(NotMapped::Long { line: 2 }));
    }
}
