//! The beginning of a table: how it is written, the names and units of its columns, and its first rows.

use super::field::{self, Field};
use super::not_mapped::NotMapped;
use super::records::{Record, RecordSplitter};
use super::text_decoder::TextDecoder;

/// How many bytes of a table are enough to guess a mapping and to show a preview.
pub const SAMPLE_BYTES: usize = 1 << 19;
/// What may separate fields. The first one that splits most lines alike does.
const SEPARATORS: [u8; 4] = [b'\t', b';', b'|', b','];
/// Rows begin within this many lines.
const MOST_LINES_BEFORE: usize = 200;
/// How many fields of the beginning are looked at.
const MOST_FIELDS: usize = 200_000;
/// A row has at least this many numbers.
const LEAST_NUMBERS: usize = 2;

/// The beginning of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableSample {
    pub(super) separator: u8,
    pub(super) decimal_comma: bool,
    pub(super) heading_line: usize,
    pub(super) first_line: usize,
    names: Vec<String>,
    units: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// The lines of a beginning, split by a separator.
struct SplitLines {
    lines: Vec<(usize, Vec<String>)>,
}

impl TableSample {
    /// Looks at the beginning of a file. `is_whole` says that it is all of it; otherwise its last line is cut.
    pub fn of(head: &[u8], is_whole: bool) -> Result<Self, NotMapped> {
        let head = head.get(..SAMPLE_BYTES).unwrap_or(head);
        let mut decoder = TextDecoder::default();
        let mut text = decoder.decoded(head).to_vec();
        text.extend(decoder.decoded(&[]));
        let mut best: Option<(usize, Self)> = None;
        let mut trouble = NotMapped::NoTable;
        for separator in SEPARATORS {
            if !text.contains(&separator) {
                continue;
            }
            match SplitLines::of(&text, separator, is_whole) {
                Ok(split) => {
                    let Some(sample) = split.sample(separator) else { continue };
                    let alike = sample.rows.len();
                    if best.as_ref().is_none_or(|(most, _)| alike > *most) {
                        best = Some((alike, sample));
                    }
                }
                Err(why) => trouble = why,
            }
        }
        best.map(|(_, sample)| sample).ok_or(trouble)
    }

    /// The names of the columns, each of them once.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The units below the names; empty where there are none.
    pub(super) fn unit(&self, place: usize) -> &str {
        self.units.get(place).map_or("", String::as_str)
    }

    /// The fields of a column in the first rows.
    pub fn fields(&self, place: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().filter_map(move |row| row.get(place)).map(String::as_str)
    }

    /// The same for all tables with the same columns, as a name for what is kept about them.
    pub fn key(&self) -> String {
        let mut hash = crc32fast::Hasher::new();
        for name in &self.names {
            hash.update(name.as_bytes());
            hash.update(&[0, self.separator]);
        }
        format!("{:08x}", hash.finalize())
    }
}

impl SplitLines {
    fn of(text: &[u8], separator: u8, is_whole: bool) -> Result<Self, NotMapped> {
        let mut splitter = RecordSplitter::new(separator);
        let mut lines = Vec::new();
        let mut fields_left = MOST_FIELDS;
        let mut take = |record: &Record<'_>| {
            if fields_left > 0 {
                fields_left = fields_left.saturating_sub(record.len());
                let fields = (0..record.len()).map(|place| field::shown(record.field(place)));
                lines.push((record.line, fields.collect()));
            }
            Ok(())
        };
        let pushed = splitter.push(text, &mut take);
        if is_whole {
            pushed.and_then(|()| splitter.finish(&mut take))?;
        } else {
            pushed?;
        }
        Ok(Self { lines })
    }

    /// The table in these lines; `None` if there are no rows of numbers.
    fn sample(self, separator: u8) -> Option<TableSample> {
        let is_comma = separator != b',' && has_decimal_commas(&self.lines);
        let is_row = |fields: &[String]| {
            // `Turn 1` is no number, but a date before a time is none either.
            let read = fields.iter().map(|text| match text.contains(':') {
                true => Field::read_clock(text.as_bytes(), is_comma),
                false => Field::read(text.as_bytes(), is_comma),
            });
            let (mut numbers, mut texts) = (0, 0);
            read.for_each(|field| match field {
                Field::Number(_) => numbers += 1,
                Field::Text => texts += 1,
                Field::Absent => {}
            });
            numbers >= LEAST_NUMBERS && texts <= numbers
        };
        // The first row is followed by one of as many fields, unless it is the only one.
        let first =
            self.lines.iter().enumerate().take(MOST_LINES_BEFORE).position(|(place, (_, fields))| {
                let next = self.lines.get(place + 1);
                is_row(fields) && next.is_none_or(|(_, next)| next.len() == fields.len() || is_blank(next))
            })?;
        let width = self.lines.get(first)?.1.len();
        let before: Vec<&(usize, Vec<String>)> = self
            .lines
            .iter()
            .take(first)
            .filter(|(_, fields)| fields.len() == width && !is_blank(fields))
            .collect();
        let (heading, units) = match before.as_slice() {
            [] => (None, None),
            [.., names, units] if is_unit_row(&units.1) => (Some(*names), Some(*units)),
            [.., names] => (Some(*names), None),
        };
        let names = heading.map(|(_, names)| names.as_slice()).unwrap_or_default();
        let rows = self.lines.iter().skip(first).filter(|(_, fields)| fields.len() == width);
        Some(TableSample {
            separator,
            decimal_comma: is_comma,
            heading_line: heading.map_or(0, |(line, _)| *line),
            first_line: self.lines.get(first)?.0,
            names: unique_names(names.iter().map(String::as_str), width),
            units: units.map(|(_, units)| units.clone()).unwrap_or_default(),
            rows: rows.map(|(_, fields)| fields.clone()).collect(),
        })
    }
}

/// The names of so many columns, each of them once: `Speed`, `Speed (2)`, `Column 3`.
pub(super) fn unique_names<'a>(names: impl Iterator<Item = &'a str>, width: usize) -> Vec<String> {
    let mut taken = std::collections::BTreeSet::<String>::new();
    let mut unique: Vec<String> = Vec::with_capacity(width);
    for name in names.chain(std::iter::repeat("")).take(width) {
        let first = if name.is_empty() { format!("Column {}", unique.len() + 1) } else { name.to_owned() };
        let mut own = first.clone();
        let mut count = 1;
        while !taken.insert(own.clone()) {
            count += 1;
            own = format!("{first} ({count})");
        }
        unique.push(own);
    }
    unique
}

fn is_blank(fields: &[String]) -> bool {
    fields.iter().all(String::is_empty)
}

/// Whether numbers have a comma before their decimals: no other field looks like `12,5`.
fn has_decimal_commas(lines: &[(usize, Vec<String>)]) -> bool {
    let looks = |text: &str, sign: char| {
        let mut parts = text.split(sign);
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let whole = parts.next().map(|part| part.trim_start_matches(['-', '+'])).is_some_and(is_number);
        whole
            && parts.next().is_some_and(|part| !part.is_empty() && is_number(part))
            && parts.next().is_none()
    };
    let count = |sign| lines.iter().flat_map(|(_, fields)| fields).filter(|text| looks(text, sign)).count();
    count(',') > count('.')
}

/// Whether every word of a line may be a unit: short, without digits at its beginning, and more than one of them.
fn is_unit_row(fields: &[String]) -> bool {
    const LONGEST: usize = 8;
    let bare = |text: &str| text.trim_matches(['[', ']', '(', ')']).to_owned();
    let words: Vec<String> = fields.iter().map(|text| bare(text)).filter(|text| !text.is_empty()).collect();
    let known = words.iter().filter(|word| super::guessed_names::is_unit(word)).count();
    !words.is_empty() && known * 2 >= words.len() && words.iter().all(|word| word.chars().count() <= LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(text: &str) -> TableSample {
        TableSample::of(text.as_bytes(), true).expect("a table")
    }

    #[test]
    fn separators_decimals_and_lines_are_found() {
        let german = sample("Zeit;Tempo\r\ns;km/h\r\n0,00;201,5\r\n0,02;201,9\r\n");
        assert_eq!((german.separator, german.decimal_comma), (b';', true));
        assert_eq!((german.heading_line, german.first_line), (1, 3));
        assert_eq!(german.unit(1), "km/h");
        let tabs = sample("Time\tSpeed\n0.00\t55\n0.02\t56\n");
        assert_eq!((tabs.separator, tabs.decimal_comma, tabs.first_line), (b'\t', false, 2));
        let logger = sample(
            "\"Format\",\"A logger\"\n\"Venue\",\"Spa\"\n\n\"Time\",\"Ground Speed\",\"Gear\"\n\"s\",\"km/h\",\"\"\n\n0.0,100,2\n0.1,101,2\n",
        );
        assert_eq!((logger.heading_line, logger.first_line), (4, 7));
        assert_eq!((logger.names()[1].as_str(), logger.unit(1)), ("Ground Speed", "km/h"));
        let bare = sample("0.0,100\n0.1,101\n");
        assert_eq!((bare.heading_line, bare.first_line), (0, 1));
        assert_eq!(bare.names(), ["Column 1", "Column 2"]);
    }

    #[test]
    fn numbered_names_are_a_heading() {
        let numbered = sample("Time,Temp 1,Temp 2\n0.0,55,56\n0.1,55,56\n");
        assert_eq!((numbered.heading_line, numbered.names()[2].as_str()), (1, "Temp 2"));
    }

    #[test]
    fn a_cut_last_line_is_left_out() {
        let text = "Time,Speed\n0.0,100\n0.1,10";
        let rows = |is_whole| TableSample::of(text.as_bytes(), is_whole).expect("a table").fields(0).count();
        assert_eq!((rows(true), rows(false)), (2, 1));
    }

    #[test]
    fn names_are_unique_and_make_the_key() {
        assert_eq!(
            unique_names(["a", "a", "", "a"].into_iter(), 5),
            ["a", "a (2)", "Column 3", "a (3)", "Column 5"]
        );
        let key = |text: &str| sample(text).key();
        assert_eq!(key("a,b\n1,2\n3,4\n"), key("a,b\n5,6\n"));
        assert_ne!(key("a,b\n1,2\n"), key("a,c\n1,2\n"));
        assert_ne!(key("ab,c\n1,2\n"), key("a,bc\n1,2\n"));
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for text in ["", "a text", "a,b\nc,d\n", "# A text\n", "1\n2\n"] {
            assert_eq!(TableSample::of(text.as_bytes(), true), Err(NotMapped::NoTable), "{text}");
        }
        let wide = format!("{}\n", ",".repeat(20_000));
        assert_eq!(TableSample::of(wide.as_bytes(), true), Err(NotMapped::Wide { line: 1 }));
    }
}
