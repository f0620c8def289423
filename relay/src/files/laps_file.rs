//! Files of laps written by other programs. They hold channels, from which packets are made.

use std::io::Read;
use std::path::Path;
use std::time::UNIX_EPOCH;

use anyhow::{Context, bail};
use trailbrake_shared::export::{ImportedLaps, csv, motec};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::time::Micros;

use super::item::{FileItem, Reception};

/// The first bytes of a MoTeC log.
const MOTEC: &[u8] = &[0x40, 0, 0, 0, 0, 0, 0, 0];
/// Longer files hold more than anyone drives, and would not fit into memory.
const LONGEST: u64 = 4 << 30;

/// The laps of a file.
pub(super) struct LapsFile {
    laps: ImportedLaps,
    /// Distinguishes its laps from those of another file.
    session: u32,
    /// When the file was written, for laps without a time of their own.
    written: Micros,
}

/// The kind of a file of laps.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Motec,
    Table,
}

impl Kind {
    /// The kind of a file, by its first bytes. Tables count by name, too, so that tables of other programs are rejected
    /// with a reason.
    pub(super) fn of(head: &[u8], path: &Path) -> Option<Self> {
        let ends = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
        if head == MOTEC || ends("ld") {
            Some(Self::Motec)
        } else if ends("csv") || csv::begins(head) {
            Some(Self::Table)
        } else {
            None
        }
    }
}

impl LapsFile {
    /// Reads a file of a known kind and length.
    pub(super) fn open(kind: Kind, file: &mut impl Read, len: u64, path: &Path) -> anyhow::Result<Self> {
        let named = || path.display().to_string();
        if len > LONGEST {
            bail!(
                "{} is longer than any drive: files of laps are read up to {LONGEST} bytes",
                path.display()
            );
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(|| format!("{} cannot be read", path.display()))?;
        let laps = match kind {
            Kind::Motec => motec::import(&bytes, ldx(path).as_deref()).with_context(named)?,
            Kind::Table => {
                let text = std::str::from_utf8(&bytes).ok().context("it is no text in UTF-8");
                csv::read(text.with_context(named)?).with_context(named)?
            }
        };
        let modified = path.metadata().and_then(|data| data.modified()).ok();
        let since = modified.and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
        let written = Micros(since.map_or(0, |since| since.as_micros() as u64));
        Ok(Self { laps, session: number_of(&bytes), written })
    }

    /// Passes the packets on.
    pub(super) fn each(
        &self,
        take: &mut dyn FnMut(FileItem<'_>) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        let mut number = 0;
        self.laps.packets(self.session, self.written, &mut |at, bytes| {
            let came = Reception { at: Some(at), feed: Some(Feed::ImportedLaps), ..Reception::default() };
            number += 1;
            take(FileItem::Packet { bytes, offset: number - 1, came })
        })
    }

    /// A note about the file, if there is one.
    pub(super) fn note(&self) -> Option<&'static str> {
        let reckoned = self.laps.laps.iter().any(|lap| lap.distance_from_speed);
        reckoned.then_some("no distance was logged: places are reckoned from the speed")
    }
}

/// The `.ldx` file of a log; `None` where there is none.
fn ldx(log: &Path) -> Option<String> {
    let found = ["ldx", "LDX"].iter().find_map(|ending| std::fs::read(log.with_extension(ending)).ok());
    found.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// A hash of the content (FNV-1a).
fn number_of(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}
