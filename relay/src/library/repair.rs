//! Repairs a recording of the library.

use std::io;

use trailbrake_shared::library::Repaired;

use super::loss::RepairLoss;
use super::recording_file::{OpenFailure, RecordingFile};
use super::recordings::Library;
use super::refusal::Refusal;
use super::salvage::{Reached, Salvage};
use super::{file_names, replacement};

/// Repairs a damaged file, by name; the damaged file is kept beside the new one. `reached` receives the progress, and
/// may end the work.
pub(crate) fn repair(library: &Library, file: &str, reached: Reached<'_>) -> Result<Repaired, Refusal> {
    let disk = |error: io::Error| Refusal::disk(library.folder(), &error);
    let _alone = library.changing.lock();
    library.listed(file)?;
    let path = library.folder().join(file);
    let mut source = RecordingFile::open(&path).map_err(disk)?;
    match source.recording() {
        Ok(_) => return Err(Refusal::Conflict("it needs no repair: it can be opened".into())),
        Err(OpenFailure::File(error)) => return Err(disk(error)),
        Err(OpenFailure::Content(_)) => {}
    }
    let salvage = Salvage::of(&mut source, None, reached).map_err(|why| match why {
        OpenFailure::File(error) => disk(error),
        OpenFailure::Content(why) => {
            Refusal::Unreadable(format!("nothing in it can be read: {why}. It stays as it is"))
        }
    })?;
    let kept = replacement::replace(&salvage, &mut source, &path, &path, reached).map_err(disk)?;
    let lost = RepairLoss::of(&salvage);
    Ok(Repaired {
        entry: library.listed(file)?,
        packets: salvage.packets,
        gaps: lost.gaps(),
        lost: lost.to_string(),
        kept: file_names::of(&kept).to_owned(),
    })
}
