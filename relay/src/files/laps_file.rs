//! Files of laps written by other programs. They hold channels, from which packets are made.

use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context, bail};
use trailbrake_shared::export::ImportedLaps;
use trailbrake_shared::import::mapped_table::{SAMPLE_BYTES, TableMapping, TableSample};
use trailbrake_shared::import::{FileKind, LapsFile, PieceImport, TableKind};
use trailbrake_shared::time::Micros;

use super::item::{FileItem, Reception};
use super::packet_split::PacketSplit;

/// Longer files hold more than anyone drives, and would not fit into memory.
const LONGEST: u64 = 4 << 30;
/// How many bytes of a file are read at once.
const PIECE: usize = 1 << 20;

/// Reads a file of laps of a known kind and length.
pub(super) fn open(
    kind: FileKind,
    file: &mut dyn Read,
    len: u64,
    path: &Path,
    cutting: &PacketSplit,
) -> anyhow::Result<LapsFile> {
    if len > LONGEST {
        bail!("{} is longer than any drive: files of laps are read up to {LONGEST} bytes", path.display());
    }
    let mut laps = read(kind, file, path, cutting)?;
    if let Some(time) = cutting.lap_time {
        laps.set_official_time(time).with_context(|| path.display().to_string())?;
    }
    Ok(laps)
}

fn read(kind: FileKind, file: &mut dyn Read, path: &Path, cutting: &PacketSplit) -> anyhow::Result<LapsFile> {
    let unreadable = || format!("{} cannot be read", path.display());
    let modified = path.metadata().and_then(|data| data.modified()).ok();
    let since = modified.and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
    let written = Micros(since.map_or(0, |since| since.as_micros() as u64));
    if kind == FileKind::IracingLog {
        return pieces(PieceImport::iracing(written), file, path);
    }
    let mut bytes = Vec::new();
    if kind == FileKind::LapTable {
        let sampled = u64::try_from(SAMPLE_BYTES).unwrap_or(u64::MAX);
        file.take(sampled).read_to_end(&mut bytes).with_context(unreadable)?;
        if let Some(mapping) = mapping(&bytes, path, &cutting.maps)? {
            let import = PieceImport::table(mapping, written).with_context(|| path.display().to_string())?;
            return pieces(import, &mut Cursor::new(bytes).chain(file), path);
        }
    }
    file.read_to_end(&mut bytes).with_context(unreadable)?;
    LapsFile::read(kind, &bytes, ldx(path).as_deref(), written).with_context(|| path.display().to_string())
}

/// The mapping for a table that begins so: the first one whose columns it has. `None` for a table of a known program.
fn mapping(head: &[u8], path: &Path, maps: &[PathBuf]) -> anyhow::Result<Option<TableMapping>> {
    let is_known = TableKind::of(head) != TableKind::Other;
    if is_known && maps.is_empty() {
        return Ok(None);
    }
    let file = path.display();
    let sample = TableSample::of(head, head.len() < SAMPLE_BYTES);
    let sample = if is_known { sample.ok() } else { Some(sample.with_context(|| file.to_string())?) };
    let mut read = Vec::new();
    for map in maps {
        let named = || map.display().to_string();
        let json = std::fs::read_to_string(map).with_context(|| format!("{} cannot be read", named()))?;
        read.push(TableMapping::from_json(&json).with_context(named)?);
    }
    let fits = |mapping: &TableMapping| sample.as_ref().is_some_and(|sample| mapping.fits(sample.names()));
    let place = read.iter().position(fits);
    match place {
        Some(place) => Ok(Some(read.swap_remove(place))),
        None if is_known => Ok(None),
        None if read.is_empty() => bail!(
            "{file} is a table of a program that is not known: `trailbrake import {file} --map-out MAP.json` writes how its \
             columns seem to be read; correct that, and use it with --map MAP.json"
        ),
        // Reading says what is missing.
        None => Ok(Some(read.swap_remove(0))),
    }
}

/// Reads a file piece by piece: an hour has hundreds of megabytes.
fn pieces(mut import: PieceImport, file: &mut dyn Read, path: &Path) -> anyhow::Result<LapsFile> {
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
