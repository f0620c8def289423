//! Archives for download: a zip for Windows, a compressed tar for the others.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// The permissions of a program, and of any other file.
const PROGRAM: u32 = 0o755;
const TEXT: u32 = 0o644;

/// The format of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Zip,
    TarGz,
}

/// A file in an archive.
pub(crate) struct Packed {
    /// Its path, with forward slashes.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// Whether it can be run.
    pub(crate) is_program: bool,
}

impl Format {
    /// The end of the archive's name.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Self::Zip => "zip",
            Self::TarGz => "tar.gz",
        }
    }

    /// Writes an archive. The same files give the same bytes.
    pub(crate) fn pack(self, path: &Path, files: &[Packed]) -> Result<()> {
        let file = File::create(path).with_context(|| format!("can't write {}", path.display()))?;
        let mode = |file: &Packed| if file.is_program { PROGRAM } else { TEXT };
        match self {
            Self::Zip => {
                let mut zip = ZipWriter::new(file);
                for file in files {
                    let options = SimpleFileOptions::default().unix_permissions(mode(file));
                    zip.start_file(file.name.as_str(), options)?;
                    zip.write_all(&file.bytes)?;
                }
                zip.finish()?.flush()?;
            }
            Self::TarGz => {
                let mut tar = tar::Builder::new(GzEncoder::new(file, Compression::best()));
                for file in files {
                    let mut header = tar::Header::new_gnu();
                    header.set_size(file.bytes.len() as u64);
                    header.set_mode(mode(file));
                    tar.append_data(&mut header, &file.name, file.bytes.as_slice())?;
                }
                tar.into_inner()?.finish()?.flush()?;
            }
        }
        Ok(())
    }

    /// Unpacks an archive into a new folder.
    pub(crate) fn unpack(self, path: &Path, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder).with_context(|| format!("can't create {}", folder.display()))?;
        let file = File::open(path).with_context(|| format!("can't read {}", path.display()))?;
        match self {
            Self::Zip => ZipArchive::new(file)?.extract(folder)?,
            Self::TarGz => tar::Archive::new(GzDecoder::new(file)).unpack(folder)?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::process;

    use super::*;

    #[test]
    fn an_archive_unpacks_to_its_files_and_is_the_same_each_time() {
        for format in [Format::Zip, Format::TarGz] {
            let folder =
                env::temp_dir().join(format!("trailbrake-archive-{}-{}", process::id(), format.ending()));
            fs::create_dir_all(&folder).unwrap();
            let packed = |name: &str, is_program| Packed {
                name: format!("trailbrake/{name}"),
                bytes: name.repeat(50).into_bytes(),
                is_program,
            };
            let files = [packed("trailbrake", true), packed("README.txt", false)];
            let (first, second) = (folder.join("first"), folder.join("second"));
            format.pack(&first, &files).unwrap();
            format.pack(&second, &files).unwrap();
            assert_eq!(fs::read(&first).unwrap(), fs::read(&second).unwrap());
            format.unpack(&first, &folder.join("out")).unwrap();
            for file in &files {
                let path = folder.join("out").join(&file.name);
                assert_eq!(fs::read(&path).unwrap(), file.bytes);
                #[cfg(unix)]
                {
                    use std::os::unix::fs::PermissionsExt as _;
                    let mode = fs::metadata(&path).unwrap().permissions().mode();
                    assert_eq!(mode & 0o111 != 0, file.is_program, "{}", file.name);
                }
            }
            fs::remove_dir_all(&folder).unwrap();
        }
    }
}
