//! Opening recordings as a part of the page whose code is a file of its own: a page that shows a game's packets needs it
//! only for what was recorded before. Analyse and Library, which are such parts themselves, call what is called here.

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use leptos::wasm_split::{SplitLoaderError, wasm_split};
use trailbrake_shared::recording::{DecodedLap, LapId, Recording, RecordingId};
use web_sys::File;

use super::contents::Contents;
use super::import::{RecordingFile, recording_file};
use super::lap::read_lap;
use super::opening::{Opened, Refused, Unopened, open, open_or_search};
use super::source::{Source, Trouble};
use super::unknown_table::ImportChoice;

/// What opens: the recording, what the page reads from it, and a note for the driver.
pub(super) type ToPlay = Result<(Recording, Contents, Option<String>), Refused>;
/// A recording as it is now.
pub(super) type Look = Result<(Recording, Contents), Trouble>;
/// Is called with a file's name and the progress from 0 to 1, and cancels by returning false.
pub(crate) type GoOn = dyn Fn(&str, f64) -> bool;

/// What is under way once the code has arrived.
type Begun<'a, T> = Result<LocalBoxFuture<'a, T>, SplitLoaderError>;

/// Why nothing opens.
const NOT_LOADED: &str = "The code that reads recordings did not load. Try again, or reload the page.";

/// Opens a recording to play it, as [`open_or_search`] does.
pub(super) async fn open_to_play(source: &Source, go_on: &GoOn) -> ToPlay {
    match begin_to_play(source, go_on).await {
        Ok(opening) => opening.await,
        Err(_) => Err(Refused::Because(NOT_LOADED.to_owned())),
    }
}

#[wasm_split(recordings, wasm_split_path = leptos::wasm_split, fallible, preload(load_recordings))]
fn begin_to_play<'a>(source: &'a Source, go_on: &'a GoOn) -> Begun<'a, ToPlay> {
    let opening = async move {
        let (recording, note) = open_or_search(source, go_on).await?;
        let contents = Contents::of(&recording);
        Ok((recording, contents, note))
    };
    Ok(opening.boxed_local())
}

/// Opens the recording as it is now.
pub(super) async fn look(source: &Source) -> Look {
    match begin_to_look(source).await {
        Ok(look) => look.await,
        Err(_) => Err(Trouble::Silent(NOT_LOADED.to_owned())),
    }
}

#[wasm_split(recordings, wasm_split_path = leptos::wasm_split, fallible)]
fn begin_to_look(source: &Source) -> Begun<'_, Look> {
    let look = async move {
        source.renew().await?;
        let recording = open(source).await.map_err(|unopened| match unopened {
            Unopened::Trouble(trouble) => trouble,
            Unopened::Not(error) => Trouble::Gone(format!("{}: {error}.", source.name())),
        })?;
        let contents = Contents::of(&recording);
        Ok((recording, contents))
    };
    Ok(look.boxed_local())
}

/// Opens a recording that the relay is still recording.
pub(crate) async fn open_underway(id: RecordingId) -> Result<Opened, String> {
    begin_underway(id).await.map_err(|_| NOT_LOADED.to_owned())?.await
}

#[wasm_split(recordings, wasm_split_path = leptos::wasm_split, fallible)]
fn begin_underway(id: RecordingId) -> Begun<'static, Result<Opened, String>> {
    Ok(Opened::underway_now(id).boxed_local())
}

/// One lap of a recording of the relay; `None` if it can't be read.
pub(crate) async fn recorded_lap(recording: RecordingId, id: LapId) -> Option<DecodedLap> {
    begin_lap(recording, id).await.ok()?.await
}

#[wasm_split(recordings, wasm_split_path = leptos::wasm_split, fallible)]
fn begin_lap(recording: RecordingId, id: LapId) -> Begun<'static, Option<DecodedLap>> {
    let lap = async move { read_lap(&Opened::at_relay(recording).await.ok()?, id).await.ok() };
    Ok(lap.boxed_local())
}

/// A recording's file: the file itself, or one made of it, as [`recording_file`] does.
pub(crate) async fn file_to_open(
    file: File,
    beside: &[File],
    choice: ImportChoice,
    go_on: &GoOn,
) -> Result<RecordingFile, Refused> {
    match begin_import(file, beside, choice, go_on).await {
        Ok(import) => import.await,
        Err(_) => Err(Refused::Because(NOT_LOADED.to_owned())),
    }
}

#[wasm_split(recordings, wasm_split_path = leptos::wasm_split, fallible)]
fn begin_import<'a>(
    file: File,
    beside: &'a [File],
    choice: ImportChoice,
    go_on: &'a GoOn,
) -> Begun<'a, Result<RecordingFile, Refused>> {
    Ok(recording_file(file, beside, choice, go_on).boxed_local())
}

/// Loads the code before it is needed.
pub(crate) async fn load() -> Result<(), SplitLoaderError> {
    load_recordings().await
}
