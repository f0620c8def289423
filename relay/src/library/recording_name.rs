//! Names a recording's file after its content.

use std::io;
use std::path::Path;

use trailbrake_shared::recording::recorder::called;
use trailbrake_shared::recording::{Facts, Recording, SessionSummary};

use super::recording_file::RecordingFile;
use crate::clock::seconds_ahead_of_utc;

/// The file name for a recording, from its content; `None` where it can't be opened.
pub(super) fn own_name(path: &Path) -> io::Result<Option<String>> {
    let recording = RecordingFile::open(path)?.recording();
    Ok(recording.ok().map(|recording| name(&recording, recording.facts())))
}

/// The file name for a recording with these facts; facts of a later version are ignored.
pub(crate) fn name(recording: &Recording, facts: &Facts) -> String {
    let session: SessionSummary = facts.get().ok().flatten().unwrap_or_default();
    called(recording.info(), &session, seconds_ahead_of_utc())
}
