//! Files that are being written: under their name they are complete, or not there at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::mem;
use std::path::{Path, PathBuf};

use crate::lock::Lock;

/// Suffix of a file that is not complete. The relay does not take it for a recording under way.
const ENDING: &str = ".unfinished";

/// What is unfinished at this moment.
static UNFINISHED: Lock<Vec<Row>> = Lock::new(Vec::new());

/// An unfinished file, and what its removal means to the user.
struct Row {
    path: PathBuf,
    meaning: Option<String>,
}

/// A file that is removed when this is dropped or the program is interrupted, unless it is kept.
pub(crate) struct Unfinished {
    path: PathBuf,
    is_kept: bool,
}

impl Unfinished {
    /// The file at a path that nothing else has. `meaning` is what the user reads when it is removed.
    pub(crate) fn at(path: PathBuf, meaning: Option<String>) -> Self {
        UNFINISHED.lock().push(Row { path: path.clone(), meaning });
        Self { path, is_kept: false }
    }

    /// Keeps the file after its last steps, which no interruption separates.
    pub(crate) fn keep<T>(mut self, last: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let mut all = UNFINISHED.lock();
        let done = last()?;
        all.retain(|row| row.path != self.path);
        self.is_kept = true;
        Ok(done)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_kept {
            UNFINISHED.lock().retain(|row| row.path != self.path);
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A file that gets its name once it is complete.
pub(crate) struct NewFile {
    unfinished: Unfinished,
    path: PathBuf,
    replaces: bool,
}

impl NewFile {
    /// A file where there is none.
    pub(crate) fn create_new(path: &Path) -> io::Result<(Self, File)> {
        if path.exists() {
            return Err(name_taken());
        }
        Self::create(path, false)
    }

    /// A file that takes the place of another.
    pub(crate) fn replacing(path: &Path) -> io::Result<(Self, File)> {
        Self::create(path, true)
    }

    fn create(path: &Path, replaces: bool) -> io::Result<(Self, File)> {
        let mut name: OsString = path.into();
        name.push(ENDING);
        let part = PathBuf::from(name);
        let unfinished = Unfinished::at(part.clone(), Some(format!("{} is not written", path.display())));
        let file = File::create(part)?;
        Ok((Self { unfinished, path: path.to_owned(), replaces }, file))
    }

    /// Gives the file its name. The caller has written everything.
    pub(crate) fn finish(self) -> io::Result<()> {
        let Self { unfinished, path, replaces } = self;
        let part = unfinished.path.clone();
        unfinished.keep(|| match path.exists() && !replaces {
            true => Err(name_taken()),
            false => fs::rename(&part, &path),
        })
    }
}

fn name_taken() -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, "a file with this name exists already")
}

/// Removes everything unfinished, and returns what that means to the user. Nothing is finished after this: the program
/// ends.
pub(crate) fn remove_all() -> Vec<String> {
    let mut all = UNFINISHED.lock();
    let removed = mem::take(&mut *all);
    // No other thread finishes a file that is gone.
    mem::forget(all);
    let meaning = |row: Row| {
        let _ = fs::remove_file(&row.path);
        row.meaning
    };
    removed.into_iter().filter_map(meaning).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder").flatten();
        entries.map(|entry| entry.file_name().into_string().expect("text")).collect()
    }

    #[test]
    fn a_file_has_its_name_once_it_is_complete() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        let (new, mut file) = NewFile::create_new(&path).expect("a file");
        file.write_all(b"half").expect("written");
        assert_eq!(names(folder.path()), ["a.csv.unfinished"]);
        drop(new);
        assert!(names(folder.path()).is_empty());

        let (new, mut file) = NewFile::create_new(&path).expect("a file");
        file.write_all(b"whole").expect("written");
        new.finish().expect("its name");
        assert_eq!(
            (names(folder.path()), fs::read(&path).expect("the file")),
            (vec!["a.csv".into()], b"whole".to_vec())
        );
        assert!(NewFile::create_new(&path).is_err());
    }

    #[test]
    fn what_is_there_stays_until_its_successor_is_complete() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        fs::write(&path, b"before").expect("a file");
        let (new, mut file) = NewFile::replacing(&path).expect("a file");
        file.write_all(b"after").expect("written");
        assert_eq!(fs::read(&path).expect("the file"), b"before");
        new.finish().expect("its name");
        assert_eq!(fs::read(&path).expect("the file"), b"after");
        // Another program was first.
        let other = folder.path().join("b.csv");
        let (new, _file) = NewFile::create_new(&other).expect("a file");
        fs::write(&other, b"theirs").expect("a file");
        assert!(new.finish().is_err());
        assert_eq!(fs::read(&other).expect("the file"), b"theirs");
        assert_eq!(names(folder.path()).len(), 2, "nothing unfinished is left");
    }
}
