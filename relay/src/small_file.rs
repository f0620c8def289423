//! A small file that is complete at every moment: a new one is written beside it and renamed.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Suffix of the new file while it is written, by one program at a time.
const NEW: &str = ".new";
/// A new file older than this was left behind by a program that was ended.
pub(crate) const LEFT_BEHIND: Duration = Duration::from_secs(10);
/// Suffix of a broken file that is set aside.
const BROKEN: &str = ".broken";
/// Most broken files that are kept.
const MOST_BROKEN: u32 = 1000;

/// The file, which need not exist.
#[derive(Clone, Debug)]
pub(crate) struct SmallFile(PathBuf);

/// A new file that is not in place yet. Dropped, it is removed.
pub(crate) struct NewFile {
    file: File,
    path: PathBuf,
    target: PathBuf,
    in_place: bool,
}

impl SmallFile {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Its content; `None` where there is no file.
    pub(crate) fn read(&self) -> io::Result<Option<Vec<u8>>> {
        match fs::read(&self.0) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Begins the new file, which only one program can do at a time.
    pub(crate) fn begin(&self) -> io::Result<NewFile> {
        if let Some(folder) = self.0.parent() {
            fs::create_dir_all(folder)?;
        }
        let path = self.with(NEW);
        let age = || fs::metadata(&path).ok()?.modified().ok()?.elapsed().ok();
        let file = match File::create_new(&path) {
            Err(error)
                if error.kind() == io::ErrorKind::AlreadyExists
                    && age().is_some_and(|age| age > LEFT_BEHIND) =>
            {
                fs::remove_file(&path)?;
                File::create_new(&path)?
            }
            made => made?,
        };
        Ok(NewFile { file, path, target: self.0.clone(), in_place: false })
    }

    /// Renames the file to an unused name, and returns that.
    pub(crate) fn set_aside(&self) -> io::Result<PathBuf> {
        let mut names = (1..MOST_BROKEN).map(|number| self.with(&format!("{BROKEN}-{number}")));
        let aside = names.find(|path| !path.exists());
        let aside = aside.ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::AlreadyExists,
                "too many unreadable copies of this file: delete some",
            )
        })?;
        fs::rename(&self.0, &aside)?;
        Ok(aside)
    }

    fn with(&self, end: &str) -> PathBuf {
        let mut name = self.0.as_os_str().to_owned();
        name.push(end);
        name.into()
    }
}

impl NewFile {
    /// Writes the content and puts the file in place.
    pub(crate) fn finish(mut self, content: &[u8]) -> io::Result<()> {
        self.file.write_all(content)?;
        self.file.sync_all()?;
        fs::rename(&self.path, &self.target)?;
        self.in_place = true;
        Ok(())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.in_place {
            let _ = fs::remove_file(&self.path);
        }
    }
}
