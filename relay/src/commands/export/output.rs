//! The output of an export.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::arguments::Export;
use crate::unfinished::NewFile;

/// A file, or standard output.
pub(super) struct Output {
    out: BufWriter<Box<dyn Write>>,
    /// The file, until it is complete; `None` for standard output and devices.
    new: Option<NewFile>,
    /// The file's name.
    path: Option<PathBuf>,
}

impl Output {
    /// The requested output; else a new file named after the input.
    pub(super) fn open(request: &Export, extension: &str) -> anyhow::Result<Self> {
        match &request.out {
            Some(path) if path.as_os_str() == "-" => {
                Ok(Self { out: BufWriter::new(Box::new(io::stdout())), new: None, path: None })
            }
            Some(path) => Self::given(path),
            None => Self::new_file(&usual(&request.file, extension)),
        }
    }

    /// One of several files: the requested name, or the input's, with this ending.
    pub(super) fn named(request: &Export, ending: &str) -> anyhow::Result<Self> {
        let path = |base: &Path| PathBuf::from(format!("{}{ending}", base.with_extension("").display()));
        match &request.out {
            Some(base) => Self::given(&path(base)),
            None => Self::new_file(&path(Path::new(&stem(&request.file)))),
        }
    }

    fn new_file(path: &Path) -> anyhow::Result<Self> {
        Self::create(path, NewFile::create_new(path).map(|(new, file)| (Some(new), file)))
    }

    /// The file that the user names, which may be there, or be a device.
    fn given(path: &Path) -> anyhow::Result<Self> {
        let is_device = path.metadata().is_ok_and(|known| !known.is_file());
        let created = match is_device {
            true => File::create(path).map(|file| (None, file)),
            false => NewFile::replacing(path).map(|(new, file)| (Some(new), file)),
        };
        Self::create(path, created)
    }

    fn create(path: &Path, created: io::Result<(Option<NewFile>, File)>) -> anyhow::Result<Self> {
        let (new, file) = created
            .with_context(|| format!("{} cannot be written; -o names another file", path.display()))?;
        Ok(Self { out: BufWriter::new(Box::new(file)), new, path: Some(path.to_owned()) })
    }

    /// Writes a part.
    pub(super) fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    /// Writes text as it is produced, without holding all of it.
    pub(super) fn text(&mut self, write: impl FnOnce(&mut Letters<'_>) -> fmt::Result) -> io::Result<()> {
        let mut letters = Letters { out: &mut self.out, failed: None };
        let written = write(&mut letters);
        match letters.failed {
            Some(error) => Err(error),
            None => written.map_err(io::Error::other),
        }
    }

    /// Writes everything.
    pub(super) fn write_all(mut self, bytes: &[u8], notes: &mut dyn Write) -> anyhow::Result<()> {
        self.put(bytes)?;
        self.finish(notes)
    }

    /// Ends the output and notes where it is.
    pub(super) fn finish(mut self, notes: &mut dyn Write) -> anyhow::Result<()> {
        self.out.flush()?;
        drop(self.out);
        self.new.map_or(Ok(()), NewFile::finish)?;
        if let Some(path) = &self.path {
            writeln!(notes, "written: {}", path.display())?;
        }
        Ok(())
    }
}

/// Writes text to an output, and keeps the IO error, which `fmt::Error` can't hold.
pub(super) struct Letters<'a> {
    out: &'a mut BufWriter<Box<dyn Write>>,
    failed: Option<io::Error>,
}

impl fmt::Write for Letters<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.failed = Some(error);
            fmt::Error
        })
    }
}

/// The default output file.
pub(super) fn usual(read: &Path, extension: &str) -> PathBuf {
    PathBuf::from(format!("{}.{extension}", stem(read)))
}

/// A file's name without its extensions: `lap.trailbrake.mcap` is `lap`.
fn stem(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = name.strip_suffix(".trailbrake.mcap").or_else(|| name.rsplit_once('.').map(|(stem, _)| stem));
    stem.filter(|stem| !stem.is_empty()).unwrap_or("export").to_owned()
}
