//! Replaces a damaged recording by the repaired one, so that a kill loses neither.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::file_names;
use super::recording_file::RecordingFile;
use super::recording_name::own_name;
use super::salvage::{Reached, Salvage};
use crate::unfinished::Unfinished;

/// Suffix of a damaged recording that was replaced.
const BROKEN: &str = ".broken";
/// Most names tried for the damaged file.
const MOST_BROKEN: u32 = 1000;

/// Replaces the damaged file by the repaired one under this name; returns the damaged file's new path. Where `reached`
/// ends the work, everything is as before.
pub(crate) fn replace(
    salvage: &Salvage,
    source: &mut RecordingFile,
    damaged: &Path,
    whole: &Path,
    reached: Reached<'_>,
) -> io::Result<PathBuf> {
    finish(damaged)?;
    let part = with_ending(damaged, file_names::REPAIR_PART);
    let unfinished = Unfinished::at(part.clone(), Some(format!("{} stays as it is", damaged.display())));
    salvage.write(source, File::create_new(&part)?, reached)?;
    let broken = free(&with_ending(whole, BROKEN)).ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::AlreadyExists,
            "too many damaged copies of this file: delete some that end in .broken",
        )
    })?;
    unfinished.keep(|| {
        fs::rename(damaged, &broken)?;
        fs::rename(&part, whole)
    })?;
    Ok(broken)
}

/// Completes or undoes a repair broken off by a kill. If the damaged file was already moved, the repaired one takes its
/// place and is returned; otherwise it may be incomplete and is removed.
pub(crate) fn finish(damaged: &Path) -> io::Result<Option<PathBuf>> {
    let new = with_ending(damaged, file_names::REPAIR_PART);
    if !new.exists() {
        return Ok(None);
    }
    if damaged.exists() {
        return fs::remove_file(new).map(|()| None);
    }
    let name = file_names::of(damaged);
    let name = match name.strip_suffix(file_names::PART) {
        Some(part) => own_name(&new)?.unwrap_or_else(|| part.to_owned()),
        None => name.to_owned(),
    };
    let folder = damaged.parent().unwrap_or(Path::new("."));
    file_names::carry(&new, folder, &name).map(Some)
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// A path that no file has: this one, or a numbered one.
fn free(path: &Path) -> Option<PathBuf> {
    let numbered = (2..MOST_BROKEN).map(|number| with_ending(path, &format!("-{number}")));
    std::iter::once(path.to_owned()).chain(numbered).find(|name| !name.exists())
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::recording::{Info, RecordingId, Writer};
    use trailbrake_shared::time::Micros;
    use trailbrake_shared::wire::Datagram;

    use super::*;

    /// A recording of some seconds that was not finished.
    fn cut() -> Vec<u8> {
        let mut writer = Writer::new(&Info {
            id: RecordingId(1),
            parent: None,
            created: Micros(1),
            feed: "gran-turismo".into(),
            program: "the tests".into(),
            others_left_out: false,
        });
        let sender = ([192, 168, 1, 20], 33739).into();
        for second in 1..5 {
            let at = Micros(second * 1_000_000);
            writer.take(&Datagram { at, sender, port: 33740, feed: None, bytes: &[7; 40] });
        }
        writer.end_second();
        writer.bytes()
    }

    #[test]
    fn a_repair_that_ends_early_leaves_the_damaged_file_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("cut.trailbrake.mcap");
        fs::write(&path, cut()).expect("a file");
        let repair = |until: f64| {
            let mut reached = move |share: f64| match share >= until {
                true => Err(io::Error::other("it was cancelled")),
                false => Ok(()),
            };
            let mut source = RecordingFile::open(&path).expect("a file");
            let salvage = Salvage::of(&mut source, None, &mut reached).map_err(|_| io::ErrorKind::Other)?;
            replace(&salvage, &mut source, &path, &path, &mut reached)
        };
        let files = || fs::read_dir(folder.path()).expect("the folder").count();
        for until in [0.0, 0.3, 0.8] {
            assert!(repair(until).is_err(), "{until}");
            assert_eq!((fs::read(&path).expect("the file"), files()), (cut(), 1), "{until}");
        }
        let broken = repair(f64::MAX).expect("a repair");
        assert_eq!((fs::read(broken).expect("the damaged file"), files()), (cut(), 2));
    }
}
