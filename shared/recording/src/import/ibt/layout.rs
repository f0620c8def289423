//! The layout of an `.ibt` file: a header, the list of its variables, a text about the session, then samples.

use zerocopy::byteorder::little_endian::{F32, F64, I32, I64, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::not_ibt::NotIbt;

/// The first bytes of every file: version 2, status 1.
pub(super) const MARK: [u8; 8] = [2, 0, 0, 0, 1, 0, 0, 0];
const VERSION: i32 = 2;
/// Real files have some 300 variables, 1 kB per sample and 60 kB before the first.
const MOST_VARIABLES: usize = 4096;
const LARGEST_SAMPLE: usize = 1 << 20;
const FARTHEST_SAMPLES: usize = 16 << 20;

/// The header.
#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct FileHeader {
    version: I32,
    _status: I32,
    tick_rate: I32,
    _text_update: I32,
    text_size: I32,
    text_at: I32,
    variable_count: I32,
    variables_at: I32,
    buffer_count: I32,
    sample_size: I32,
    _padding: [u8; 12],
    samples_at: I32,
    _other_buffers: [u8; 56],
    start_date: I64,
    _start_time: F64,
    _end_time: F64,
    _lap_count: I32,
    record_count: I32,
}

/// Bytes of the header.
const HEADER: usize = size_of::<FileHeader>();
const _: () = assert!(HEADER == 144);

/// An entry in the list of variables.
#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct VariableHeader {
    kind: I32,
    at: I32,
    count: I32,
    _counts_as_time: [u8; 4],
    name: [u8; 32],
    _description: [u8; 64],
    _unit: [u8; 32],
}

/// Bytes of an entry.
const ENTRY: usize = size_of::<VariableHeader>();
const _: () = assert!(ENTRY == 144);

/// The number type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberType {
    Byte,
    Bool,
    Integer,
    Bits,
    Float,
    Double,
}

impl NumberType {
    fn of(kind: i32) -> Option<(Self, usize)> {
        Some(match kind {
            0 => (Self::Byte, 1),
            1 => (Self::Bool, 1),
            2 => (Self::Integer, 4),
            3 => (Self::Bits, 4),
            4 => (Self::Float, 4),
            5 => (Self::Double, 8),
            _ => return None,
        })
    }
}

/// A variable of the samples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    /// The name.
    pub(super) name: String,
    number_type: NumberType,
    at: usize,
}

impl Variable {
    fn read(entry: &VariableHeader, sample_size: usize) -> Result<Self, NotIbt> {
        let name = latin_1(&entry.name);
        let place = || {
            let (number_type, width) = NumberType::of(entry.kind.get())?;
            let (at, count) = (size(entry.at)?, size(entry.count)?);
            let end = at.checked_add(count.checked_mul(width)?)?;
            (count > 0 && end <= sample_size).then_some((number_type, at))
        };
        match place() {
            Some((number_type, at)) => Ok(Self { name, number_type, at }),
            None => Err(NotIbt::Variable { name }),
        }
    }

    /// The value in a sample, of an array the first one; `None` if it is no number.
    pub(super) fn value(&self, sample: &[u8]) -> Option<f64> {
        let bytes = sample.get(self.at..)?;
        let value = match self.number_type {
            NumberType::Byte => f64::from(*bytes.first()?),
            NumberType::Bool => f64::from(u8::from(*bytes.first()? != 0)),
            NumberType::Integer => I32::ref_from_prefix(bytes).ok()?.0.get().into(),
            NumberType::Bits => U32::ref_from_prefix(bytes).ok()?.0.get().into(),
            NumberType::Float => F32::ref_from_prefix(bytes).ok()?.0.get().into(),
            NumberType::Double => F64::ref_from_prefix(bytes).ok()?.0.get(),
        };
        value.is_finite().then_some(value)
    }
}

/// What stands before the samples.
#[derive(Clone, Debug)]
pub(super) struct Head {
    /// The variables.
    pub(super) variables: Vec<Variable>,
    /// The text about the session.
    pub(super) text: String,
    /// Samples per second.
    pub(super) rate_hz: f64,
    /// Bytes of a sample.
    pub(super) sample_size: usize,
    /// Where the samples begin.
    pub(super) samples_at: usize,
    /// The number of samples; `None` if the file was not closed and ends with its last one.
    pub(super) samples: Option<u64>,
    /// When the session was begun, in seconds since 1970; zero if unknown.
    pub(super) start_date_s: u64,
}

impl Head {
    /// Reads the beginning of a file; `None` if more of it is needed.
    pub(super) fn read(file: &[u8]) -> Result<Option<Self>, NotIbt> {
        let known = file.len().min(MARK.len());
        if file.get(..known) != MARK.get(..known) {
            return Err(other_beginning(file));
        }
        let Ok((header, _)) = FileHeader::ref_from_prefix(file) else { return Ok(None) };
        match header.buffer_count.get() {
            1 => {}
            several if several > 1 => return Err(NotIbt::LiveMemory),
            value => return Err(wrong("its number of buffers", value)),
        }
        let sample_size = within(header.sample_size, 1, LARGEST_SAMPLE, "the size of a sample")?;
        let samples_at = within(header.samples_at, HEADER, FARTHEST_SAMPLES, "where its samples begin")?;
        let count = within(header.variable_count, 1, MOST_VARIABLES, "its number of channels")?;
        let last = samples_at.saturating_sub(count * ENTRY);
        let variables_at = within(header.variables_at, 0, last, "where its channels are listed")?;
        let Some(head) = file.get(..samples_at) else { return Ok(None) };
        let entries = head.get(variables_at..).unwrap_or_default();
        let (entries, _) = <[VariableHeader]>::ref_from_prefix_with_elems(entries, count)
            .map_err(|_| wrong("where its channels are listed", header.variables_at.get()))?;
        let variables = entries.iter().map(|entry| Variable::read(entry, sample_size));
        // A text that lies elsewhere is not needed: then only names are unknown.
        let text = size(header.text_at).and_then(|at| head.get(at..)).unwrap_or_default();
        let text = text.get(..size(header.text_size).unwrap_or_default()).unwrap_or(text);
        let rate = header.tick_rate.get();
        Ok(Some(Self {
            variables: variables.collect::<Result<_, _>>()?,
            text: latin_1(text),
            rate_hz: if (1..=10_000).contains(&rate) { rate.into() } else { 60.0 },
            sample_size,
            samples_at,
            samples: u64::try_from(header.record_count.get()).ok().filter(|count| *count > 0),
            start_date_s: u64::try_from(header.start_date.get()).unwrap_or_default(),
        }))
    }

    /// The variable with a name.
    pub(super) fn variable(&self, name: &str) -> Option<Variable> {
        self.variables.iter().find(|variable| variable.name == name).cloned()
    }
}

/// Why a file with another beginning is refused.
fn other_beginning(file: &[u8]) -> NotIbt {
    let Some((header, _)) = <[I32; 2]>::ref_from_prefix(file).ok() else { return NotIbt::Mark };
    let [version, status] = header.map(|number| number.get());
    // Versions are small; any other number is no version.
    if status == 1 && version != VERSION && (1..100).contains(&version) {
        return NotIbt::Version { version };
    }
    NotIbt::Mark
}

fn wrong(what: &'static str, value: i32) -> NotIbt {
    NotIbt::Header { what, value: value.into() }
}

fn within(field: I32, least: usize, most: usize, what: &'static str) -> Result<usize, NotIbt> {
    size(field).filter(|value| (least..=most).contains(value)).ok_or_else(|| wrong(what, field.get()))
}

fn size(field: I32) -> Option<usize> {
    usize::try_from(field.get()).ok()
}

/// A text up to its first zero.
fn latin_1(bytes: &[u8]) -> String {
    bytes.iter().take_while(|byte| **byte != 0).map(|byte| char::from(*byte)).collect()
}
