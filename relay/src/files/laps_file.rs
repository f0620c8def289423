//! Files of laps written by other programs. They hold channels, from which packets are made.

use std::io::Read;
use std::path::Path;
use std::time::UNIX_EPOCH;

use anyhow::{Context, bail};
use trailbrake_shared::export::ImportedLaps;
use trailbrake_shared::import::{FileKind, IbtImport, LapsFile};
use trailbrake_shared::time::Micros;

use super::item::{FileItem, Reception};

/// Longer files hold more than anyone drives, and would not fit into memory.
const LONGEST: u64 = 4 << 30;
/// How many bytes of a telemetry file are read at once.
const PIECE: usize = 1 << 20;

/// Reads a file of laps of a known kind and length.
pub(super) fn open(kind: FileKind, file: &mut impl Read, len: u64, path: &Path) -> anyhow::Result<LapsFile> {
    if len > LONGEST {
        bail!("{} is longer than any drive: files of laps are read up to {LONGEST} bytes", path.display());
    }
    let unreadable = || format!("{} cannot be read", path.display());
    let modified = path.metadata().and_then(|data| data.modified()).ok();
    let since = modified.and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
    let written = Micros(since.map_or(0, |since| since.as_micros() as u64));
    if kind == FileKind::IracingLog {
        return iracing(file, written, path);
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).with_context(unreadable)?;
    LapsFile::read(kind, &bytes, ldx(path).as_deref(), written).with_context(|| path.display().to_string())
}

/// Reads a telemetry file of iRacing piece by piece: an hour has hundreds of megabytes.
fn iracing(file: &mut impl Read, written: Micros, path: &Path) -> anyhow::Result<LapsFile> {
    let mut import = IbtImport::begin(written);
    let mut piece = vec![0; PIECE];
    loop {
        let len = file.read(&mut piece).with_context(|| format!("{} cannot be read", path.display()))?;
        if len == 0 {
            return import.finish().with_context(|| path.display().to_string());
        }
        import.push(piece.get(..len).unwrap_or_default()).with_context(|| path.display().to_string())?;
    }
}

/// Passes the packets on.
pub(super) fn each(
    laps: &LapsFile,
    take: &mut dyn FnMut(FileItem<'_>) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut number = 0;
    laps.packets(&mut |at, bytes| {
        let came = Reception { at: Some(at), feed: Some(ImportedLaps::FEED), ..Reception::default() };
        number += 1;
        take(FileItem::Packet { bytes, offset: number - 1, came })
    })
}

/// The `.ldx` file of a log; `None` where there is none.
fn ldx(log: &Path) -> Option<String> {
    let found = ["ldx", "LDX"].iter().find_map(|ending| std::fs::read(log.with_extension(ending)).ok());
    found.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
