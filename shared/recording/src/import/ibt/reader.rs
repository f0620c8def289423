//! Reads a file piece by piece, so that one of any length needs memory for its laps only.

use trailbrake_model::Slot;
use trailbrake_model::time::Micros;

use super::channels::Channels;
use super::lap_mark::LapMarkReader;
use super::lap_splitter::LapSplitter;
use super::layout::Head;
use super::not_ibt::NotIbt;
use super::session_text::SessionText;
use crate::export::{About, ImportedLaps};

/// Reads a telemetry file of iRacing from its pieces.
#[derive(Default)]
pub struct IbtReader {
    /// The beginning of the file, or of a sample that is cut by the end of a piece.
    held: Vec<u8>,
    samples: Option<Samples>,
}

/// The samples, once the beginning was read.
struct Samples {
    size: usize,
    /// How many are still to come, if the file says so.
    left: Option<u64>,
    /// The index of the next one.
    index: u64,
    marks: LapMarkReader,
    channels: Channels,
    splitter: LapSplitter,
    text: SessionText,
    /// The session of the first sample.
    session: Option<i32>,
    driven: Option<Micros>,
    /// The values of the current sample; kept to reuse the allocation.
    values: Vec<(Slot, f32)>,
}

impl IbtReader {
    /// Takes the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), NotIbt> {
        match &mut self.samples {
            Some(samples) => samples.push(&mut self.held, bytes),
            None => {
                self.held.extend_from_slice(bytes);
                let Some(head) = Head::read(&self.held)? else { return Ok(()) };
                let behind = self.held.split_off(head.samples_at.min(self.held.len()));
                self.held.clear();
                self.samples.insert(Samples::begin(&head)?).push(&mut self.held, &behind)
            }
        }
    }

    /// How many bytes wait for those that follow.
    #[cfg(test)]
    pub(super) fn bytes_held(&self) -> usize {
        self.held.len()
    }

    /// The laps of the file. A sample that was cut off at its end is left out.
    pub fn finish(self) -> Result<ImportedLaps, NotIbt> {
        let Samples { splitter, text, session, driven, .. } = self.samples.ok_or(NotIbt::Short)?;
        let laps = splitter.finish()?;
        let session = session.map(|session| text.occasion(session)).unwrap_or_default();
        let about = About { game: "iRacing".to_owned(), venue: text.track, vehicle: text.vehicle, session };
        Ok(ImportedLaps { program: "iRacing .ibt", about, driven, laps, note: None })
    }
}

impl Samples {
    fn begin(head: &Head) -> Result<Self, NotIbt> {
        let text = SessionText::read(&head.text);
        let channels = Channels::of(head, &text);
        Ok(Self {
            size: head.sample_size,
            left: head.samples,
            index: 0,
            marks: LapMarkReader::of(head, &text)?,
            splitter: LapSplitter::new(&text, channels.constants()),
            channels,
            text,
            session: None,
            driven: Some(Micros(head.start_date_s.saturating_mul(1_000_000))).filter(|at| at.0 > 0),
            values: Vec::new(),
        })
    }

    fn push(&mut self, held: &mut Vec<u8>, bytes: &[u8]) -> Result<(), NotIbt> {
        let mut bytes = bytes;
        if !held.is_empty() {
            let missing = self.size.saturating_sub(held.len()).min(bytes.len());
            let (rest, behind) = bytes.split_at_checked(missing).unwrap_or((bytes, &[]));
            held.extend_from_slice(rest);
            bytes = behind;
            if held.len() < self.size {
                return Ok(());
            }
            self.sample(held)?;
            held.clear();
        }
        let whole = bytes.chunks_exact(self.size);
        held.extend_from_slice(whole.remainder());
        whole.into_iter().try_for_each(|sample| self.sample(sample))
    }

    fn sample(&mut self, sample: &[u8]) -> Result<(), NotIbt> {
        let index = self.index;
        self.index += 1;
        if self.left.is_some_and(|left| index >= left) {
            return Ok(());
        }
        let Some(mark) = self.marks.read(sample, index) else { return Ok(()) };
        self.session.get_or_insert(mark.session);
        self.values.clear();
        if mark.is_driven {
            self.channels.read(sample, &mut self.values);
        }
        self.splitter.add(&mark, &mut self.values)
    }
}

/// Reads a whole file.
pub fn read(file: &[u8]) -> Result<ImportedLaps, NotIbt> {
    let mut reader = IbtReader::default();
    reader.push(file)?;
    reader.finish()
}
