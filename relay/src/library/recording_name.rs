//! The name of a recording's file, from its content.

use std::io;
use std::path::Path;

use trailbrake_shared::recording::recorder::called;
use trailbrake_shared::recording::{Facts, Recording, SessionSummary};

use super::recording_file::RecordingFile;
use crate::clock::seconds_ahead_of_utc;

/// What the recording in a file is called by what is in it; `None` where it can't be opened.
pub(super) fn own_name(path: &Path) -> io::Result<Option<String>> {
    let recording = RecordingFile::open(path)?.recording();
    Ok(recording.ok().map(|recording| name(&recording, recording.facts())))
}

/// What a recording with these facts is called; a fact of a later version names nothing.
pub(crate) fn name(recording: &Recording, facts: &Facts) -> String {
    let session: SessionSummary = facts.get().ok().flatten().unwrap_or_default();
    called(recording.info(), &session, seconds_ahead_of_utc())
}
