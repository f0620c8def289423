//! Repairs a recording of the library.

use std::io;

use trailbrake_shared::library::Repaired;

use super::loss::Lost;
use super::recordings::Library;
use super::refused::Refused;
use super::source::{CannotOpen, Source};
use super::{names, replacement};

impl Library {
    /// Makes a damaged file whole, by its name; it stays as it was beside the new one.
    pub(crate) fn mend(&self, file: &str) -> Result<Repaired, Refused> {
        let disk = |error: io::Error| Refused::disk(self.folder(), &error);
        let _alone = self.changing.lock();
        self.listed(file)?;
        let path = self.folder().join(file);
        let mut source = Source::open(&path).map_err(disk)?;
        match source.recording() {
            Ok(_) => return Err(Refused::Conflict("it needs no repair: it can be opened".into())),
            Err(CannotOpen::File(error)) => return Err(disk(error)),
            Err(CannotOpen::Content(_)) => {}
        }
        let mended = source.mend(None, &mut |_| {}).map_err(disk)?;
        let mended = mended.ok_or_else(|| {
            Refused::Unreadable("nothing in it can be read as a recording: it stays as it is".into())
        })?;
        let kept = replacement::replace(&mended, &mut source, &path, &path).map_err(disk)?;
        let lost = Lost::of(&mended);
        Ok(Repaired {
            entry: self.listed(file)?,
            packets: mended.packets,
            gaps: lost.gaps(),
            lost: lost.to_string(),
            kept: names::of(&kept).to_owned(),
        })
    }
}
