//! Converts files of other programs to recordings: captures, telemetry of iRacing, MoTeC logs and tables of laps.

use std::ops::Range;

use js_sys::{Array, Uint8Array};
use trailbrake_shared::import::mapped_table::SAMPLE_BYTES;
use trailbrake_shared::import::{
    CaptureImport, FileKind, ImportError, ImportedRecording, LapsFile, LapsReading, PieceImport, TableKind,
    not_a_recording,
};
use trailbrake_shared::recording::ENDING;
use trailbrake_shared::time::Micros;
use web_sys::File;

use super::Refused;
use super::source::Source;
use super::unknown_table::{ImportChoice, TableChoice, UnknownTable};
use crate::browser::{self, Slices};

/// How many bytes of a capture or a telemetry file are read at once.
const PIECE: u64 = 4 << 20;
/// The fraction of the progress on a file of laps that is for reading it; the rest is for writing the recording.
const READING: f64 = 0.25;

/// A recording's file, and a note for the driver if a capture was damaged or had other games too.
pub(crate) type RecordingFile = (File, Option<String>);

/// Returns the file itself if it is a recording, else a recording made of it. `beside` are the files that were chosen
/// with it: a MoTeC log needs its .ldx file. `choice` is what the driver said about it. `go_on` is called with the file's
/// name and the progress from 0 to 1, and cancels by returning false.
pub(crate) async fn recording_file(
    file: File,
    beside: &[File],
    choice: ImportChoice,
    go_on: impl Fn(&str, f64) -> bool,
) -> Result<RecordingFile, Refused> {
    let name = file.name();
    let because = |why: String| Refused::Because(format!("{name}: {why}."));
    let head = bytes(&file, 0..FileKind::HEAD as u64).await?;
    let (recording, note) = match FileKind::of(&head, &name) {
        None => return Err(Refused::Because(not_a_recording(&name))),
        Some(FileKind::Recording) => return Ok((file, None)),
        Some(FileKind::Capture) => capture(&file, &head, go_on).await?,
        Some(FileKind::IracingLog) => {
            pieces(PieceImport::iracing(written(&file)), &file, &choice, &go_on).await?
        }
        Some(FileKind::LapTable) if is_unknown(&file).await? => table(&file, choice, go_on).await?,
        Some(kind @ (FileKind::MotecLog | FileKind::LapTable)) => {
            let content = bytes(&file, 0..file.size() as u64).await?;
            let ldx = match beside.iter().find(|other| is_ldx_of(&other.name(), &name)) {
                Some(ldx) => Some(bytes(ldx, 0..ldx.size() as u64).await?),
                None => None,
            };
            let ldx = ldx.map(|ldx| String::from_utf8_lossy(&ldx).into_owned());
            let reading = LapsReading::begin(kind, &content, ldx.as_deref(), written(&file));
            let reading = reading.map_err(|why| because(why.to_string()))?;
            recorded(reading, &name, &choice, go_on).await?
        }
    };
    let name = format!("{}{ENDING}", stem(&name));
    let parts = Array::of1(&Uint8Array::from(recording.bytes.as_slice()));
    let made = File::new_with_u8_array_sequence(&parts, &name);
    Ok((made.map_err(|_| because("the browser has no room for it".to_owned()))?, note))
}

/// A recording, and a note for the driver.
type NotedRecording = (ImportedRecording, Option<String>);

/// Makes a recording of the laps in a file.
async fn recorded(
    mut reading: LapsReading<'_>,
    name: &str,
    choice: &ImportChoice,
    go_on: impl Fn(&str, f64) -> bool,
) -> Result<NotedRecording, Refused> {
    let unreadable = |why: ImportError| Refused::Because(format!("{name}: {why}."));
    let mut slices = Slices::begin();
    while let Some(share) = reading.step().map_err(unreadable)? {
        if !go_on(name, share * READING) {
            return Err(Refused::Cancelled);
        }
        slices.breathe().await;
    }
    recording_of(reading.finish().map_err(unreadable)?, name, choice, go_on).await
}

/// The beginning of a file.
async fn sample(file: &File) -> Result<Vec<u8>, Refused> {
    bytes(file, 0..(file.size() as u64).min(SAMPLE_BYTES as u64)).await
}

/// Whether a table is of a program that is not known.
async fn is_unknown(file: &File) -> Result<bool, Refused> {
    Ok(TableKind::of(&sample(file).await?) == TableKind::Other)
}

/// Makes a recording of a table whose columns the driver has named, or asks for that.
async fn table(
    file: &File,
    choice: ImportChoice,
    go_on: impl Fn(&str, f64) -> bool,
) -> Result<NotedRecording, Refused> {
    let name = file.name();
    let table = UnknownTable::of(file.clone(), sample(file).await?);
    let table = table.map_err(|why| Refused::Because(format!("{name}: {why}.")))?;
    let (mapping, is_new) = match choice.table.clone() {
        TableChoice::Remembered if table.is_remembered() => (table.mapping.clone(), false),
        TableChoice::Chosen(mapping) => (mapping, true),
        TableChoice::Remembered | TableChoice::Asked => return Err(Refused::Unknown(Box::new(table))),
    };
    let import = PieceImport::table(mapping.clone(), written(file));
    let read = match import {
        Ok(import) => pieces(import, file, &choice, &go_on).await,
        Err(why) => Err(Refused::Because(format!("{name}: {why}."))),
    };
    match read {
        // What is wrong with the rows may be wrong with the columns.
        Err(Refused::Because(words)) => Err(Refused::Unknown(Box::new(table.unreadable(mapping, words)))),
        Ok((recording, note)) if !is_new => {
            let same = format!("{name} is read as before. Open it again to change its columns.");
            Ok((recording, Some(note.into_iter().chain([same]).collect::<Vec<_>>().join(" "))))
        }
        other => other,
    }
}

/// Makes a recording of a file of which only a piece is in memory at once.
async fn pieces(
    mut import: PieceImport,
    file: &File,
    choice: &ImportChoice,
    go_on: &impl Fn(&str, f64) -> bool,
) -> Result<NotedRecording, Refused> {
    let (name, size) = (file.name(), file.size() as u64);
    let unreadable = |why: ImportError| Refused::Because(format!("{name}: {why}."));
    let mut at = 0;
    while at < size {
        if !go_on(&name, at as f64 / size as f64 * READING) {
            return Err(Refused::Cancelled);
        }
        let end = size.min(at + PIECE);
        import.push(&bytes(file, at..end).await?).map_err(unreadable)?;
        at = end;
    }
    recording_of(import.finish().map_err(unreadable)?, &name, choice, go_on).await
}

/// Makes a recording of laps.
async fn recording_of(
    mut laps: LapsFile,
    name: &str,
    choice: &ImportChoice,
    go_on: impl Fn(&str, f64) -> bool,
) -> Result<NotedRecording, Refused> {
    if let Some(time) = choice.lap_time {
        laps.set_official_time(time).map_err(|why| Refused::Because(format!("{name}: {why}.")))?;
    }
    let mut slices = Slices::begin();
    let mut recording = laps.recording(browser::PROGRAM);
    while let Some(share) = recording.step() {
        if !go_on(name, READING + share * (1.0 - READING)) {
            return Err(Refused::Cancelled);
        }
        slices.breathe().await;
    }
    let recording = recording.finish();
    let recording = recording.ok_or_else(|| Refused::Because(format!("{name}: it holds no lap.")))?;
    Ok((recording, laps.note().map(|note| format!("{name}: {note}."))))
}

/// When a file was written.
fn written(file: &File) -> Micros {
    Micros((file.last_modified() * 1e3) as u64)
}

/// Makes a recording of the first game in a capture, with a note about damage and other games.
async fn capture(
    file: &File,
    head: &[u8],
    go_on: impl Fn(&str, f64) -> bool,
) -> Result<NotedRecording, Refused> {
    let (name, size) = (file.name(), file.size() as u64);
    let nothing = || Refused::Because(format!("{name}: no packet of a known game is in this capture."));
    let mut import = CaptureImport::begin(head, browser::PROGRAM).ok_or_else(nothing)?;
    let mut at = 0;
    while at < size {
        if !go_on(&name, at as f64 / size as f64) {
            return Err(Refused::Cancelled);
        }
        let end = size.min(at + PIECE);
        if !import.push(&bytes(file, at..end).await?) {
            break;
        }
        at = end;
    }
    let (recordings, damage) = import.finish();
    let mut recordings = recordings.into_iter();
    let first = recordings.next().ok_or_else(nothing)?;
    let others: Vec<&str> = recordings.map(|other| other.feed.info().game).collect();
    Ok((first, note(&name, damage.is_some(), &others)))
}

/// The note about an imported capture.
fn note(name: &str, damaged: bool, others: &[&str]) -> Option<String> {
    let damage = damaged.then(|| format!("{name} is damaged: it was read up to there."));
    let others = (!others.is_empty()).then(|| format!("{name} also holds {}.", others.join(" and ")));
    let notes: Vec<String> = damage.into_iter().chain(others).collect();
    (!notes.is_empty()).then(|| notes.join(" "))
}

async fn bytes(file: &File, range: Range<u64>) -> Result<Vec<u8>, Refused> {
    let read = Source::of_file(file.clone()).bytes(range).await;
    read.map_err(|trouble| Refused::Because(trouble.words()))
}

/// Whether a file is the .ldx file of a MoTeC log, by its name. It holds the log's lap markers.
pub(crate) fn is_ldx_of(name: &str, log: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".ldx") && stem(name) == stem(log)
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_finds_its_laps_beside_it() {
        assert!(is_ldx_of("spa.ldx", "spa.ld") && is_ldx_of("spa.LDX", "spa.LD"));
        assert!(!is_ldx_of("monza.ldx", "spa.ld") && !is_ldx_of("spa.ld", "spa.ld"));
        assert_eq!(stem("a.b.pcapng"), "a.b");
        assert_eq!(stem("plain"), "plain");
    }

    #[test]
    fn a_note_says_what_is_missing() {
        assert_eq!(note("a", false, &[]), None);
        let both = note("a.pcap", true, &["F1 2018", "Gran Turismo 7"]).unwrap();
        assert_eq!(
            both,
            "a.pcap is damaged: it was read up to there. a.pcap also holds F1 2018 and Gran Turismo 7."
        );
    }
}
