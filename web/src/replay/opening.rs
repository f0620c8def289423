//! Opens recordings: by their index, or by reading them to their end.

use std::ops::Range;
use std::rc::Rc;

use trailbrake_shared::recording::{
    Facts, OpenError, Opening, Reading, Recording, RecordingId, Reindexer, Scan, Tail,
};

use super::copy::save_copy;
use super::source::{Source, Trouble};
use super::unknown_table::UnknownTable;

/// How often opening or reading a file starts again because the file has changed.
const MOST_CHANGES: usize = 8;

/// A recording and its source.
pub(crate) struct Opened {
    pub(crate) recording: Recording,
    pub(crate) source: Rc<Source>,
}

impl Opened {
    /// Opens a file without playing it.
    pub(crate) async fn of_file(file: web_sys::File) -> Result<Self, String> {
        let Self { recording, source } = Self::open(Source::of_file(file)).await?;
        let recording = relearned(recording, &source, |_, _| true).await.map_err(Trouble::words)?;
        let recording = recording.ok_or_else(|| format!("{} was not read to its end.", source.name()))?;
        Ok(Self { recording, source })
    }

    /// Opens one of the relay's recordings without playing it.
    pub(crate) async fn at_relay(id: RecordingId) -> Result<Self, String> {
        Self::open(Source::at_relay(id).await.map_err(Trouble::words)?).await
    }

    /// Opens a recording that the relay is still recording.
    pub(crate) async fn underway_now(id: RecordingId) -> Result<Self, String> {
        Self::open(Source::underway_now(id).await.map_err(Trouble::words)?).await
    }

    async fn open(source: Source) -> Result<Self, String> {
        match open(&source).await {
            Ok(recording) => Ok(Self { recording, source: Rc::new(source) }),
            Err(Unopened::Not(error)) => Err(format!("{}: {error}.", source.name())),
            Err(Unopened::Trouble(trouble)) => Err(trouble.words()),
        }
    }

    /// The bytes of a range of packets. If the file has changed, it is opened again: notes and names are written behind
    /// the packets, which usually stay the same. Fails with [`Trouble::Changed`] if they did not.
    pub(crate) async fn bytes(&self, range: Range<u64>) -> Result<Vec<u8>, Trouble> {
        for _ in 0..MOST_CHANGES {
            match self.source.bytes(range.clone()).await {
                Err(Trouble::Changed) => {}
                result => return result,
            }
            self.source.renew().await?;
            match open(&self.source).await {
                Ok(now) if now.continues(&self.recording) => {}
                Err(Unopened::Trouble(trouble)) => return Err(trouble),
                Ok(_) | Err(Unopened::Not(_)) => break,
            }
        }
        Err(Trouble::Changed)
    }

    /// Saves a copy of the opened file with these facts. Returns the reason as a sentence if that fails.
    pub(crate) fn save_with(&self, facts: &Facts) -> Result<(), String> {
        let file = self.source.file().ok_or("The recording is not a file that was opened here.")?;
        save_copy(file, &Tail::with(&self.recording, facts))
    }
}

/// Why no recording was opened.
pub(crate) enum Refused {
    /// The user cancelled.
    Cancelled,
    /// The reason, in a driver's words.
    Because(String),
    /// The driver has to say what the columns of a table are.
    Unknown(Box<UnknownTable>),
}

/// Opens a recording by its index. Without an index the whole file is searched, and a note for the driver is
/// returned too. A file that another version wrote is read to its end as well, since it may lack what this version
/// knows. Both call `go_on` with the file's name and the progress from 0 to 1, and are cancelled if it returns false.
pub(super) async fn open_or_search(
    source: &Source,
    go_on: impl Fn(&str, f64) -> bool,
) -> Result<(Recording, Option<String>), Refused> {
    let name = source.name();
    let because = |words: String| Refused::Because(format!("{name}: {words}."));
    let (recording, note) = match open(source).await {
        Ok(recording) => (recording, None),
        Err(Unopened::Not(OpenError::NoIndex)) => {
            let mut scan = Scan::new(source.len());
            while let Some(range) = scan.needs() {
                if !go_on(&name, scan.progress() / 2.0) {
                    return Err(Refused::Cancelled);
                }
                let bytes = source.bytes(range).await;
                scan.give(&bytes.map_err(|trouble| Refused::Because(trouble.words()))?);
            }
            let found = scan.finish().map_err(|error| because(error.to_string()))?;
            let note = match found.damaged {
                0 => format!("{name} was not finished. Everything up to its end plays."),
                1 => format!("{name} was not finished, or is damaged in one place. What is whole plays."),
                count => format!("{name} is damaged in {count} places. What is whole plays."),
            };
            (found.recording, Some(note))
        }
        Err(Unopened::Not(error)) => return Err(because(error.to_string())),
        Err(Unopened::Trouble(trouble)) => return Err(Refused::Because(trouble.words())),
    };
    let relearned = match source.is_at_relay() {
        // The relay renews what is in its library by itself.
        true => Some(recording),
        false => {
            // A file that was searched is read for the second time.
            let before = if note.is_some() { 0.5 } else { 0.0 };
            let reached = |name: &str, share: f64| go_on(name, before + share * (1.0 - before));
            let relearned = relearned(recording, source, reached).await;
            relearned.map_err(|trouble| Refused::Because(trouble.words()))?
        }
    };
    Ok((relearned.ok_or(Refused::Cancelled)?, note))
}

/// Why a recording is not open.
pub(super) enum Unopened {
    /// The bytes are not available.
    Trouble(Trouble),
    /// The bytes are not a recording that can be opened.
    Not(OpenError),
}

/// Opens a recording by its index.
pub(super) async fn open(source: &Source) -> Result<Recording, Unopened> {
    let mut changes = 0;
    loop {
        match open_once(source).await {
            // The file has changed meanwhile, as by a new note.
            Err(Unopened::Trouble(Trouble::Changed)) if changes < MOST_CHANGES => {
                changes += 1;
                source.renew().await.map_err(Unopened::Trouble)?;
            }
            result => return result,
        }
    }
}

async fn open_once(source: &Source) -> Result<Recording, Unopened> {
    let mut opening = Opening::new(source.len());
    while let Some(range) = opening.needs() {
        opening.give(&source.bytes(range).await.map_err(Unopened::Trouble)?);
    }
    opening.finish().map_err(Unopened::Not)
}

/// The recording as this version understands it: if another one listed its laps, its packets are read again. They may
/// name what was unknown then, such as the track. `None` if `go_on` returned false.
async fn relearned(
    recording: Recording,
    source: &Source,
    go_on: impl Fn(&str, f64) -> bool,
) -> Result<Option<Recording>, Trouble> {
    if !recording.laps_are_outdated() {
        return Ok(Some(recording));
    }
    let name = source.name();
    let mut reading = Reindexer::new(&recording);
    while let Some(range) = reading.needs() {
        if !go_on(&name, reading.progress()) {
            return Ok(None);
        }
        reading.give(&source.bytes(range).await?);
    }
    Ok(Some(recording.with_facts(reading.finish())))
}
