//! Lists the page's files in a folder, for the build, and for the relay during development.

use std::path::{Path, PathBuf};
use std::{fs, io};

pub(crate) struct File {
    /// Its path below the page's address, such as `fonts/inter.woff2`.
    pub(crate) path: String,
    /// Its path on disk.
    pub(crate) plain: PathBuf,
    /// Its compressed copy on disk, if there is one.
    pub(crate) gzip: Option<PathBuf>,
}

/// All files in a folder and below, sorted by path.
pub(crate) fn files(root: &Path) -> io::Result<Vec<File>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    let is_copy = |path: &PathBuf| {
        path.extension().is_some_and(|end| end == "gz") && found.contains(&path.with_extension(""))
    };
    let files = found.iter().filter(|path| !is_copy(path)).filter_map(|plain| {
        let steps: Option<Vec<&str>> =
            plain.strip_prefix(root).ok()?.iter().map(|step| step.to_str()).collect();
        let mut gzip = plain.clone().into_os_string();
        gzip.push(".gz");
        let gzip = PathBuf::from(gzip);
        Some(File {
            path: steps?.join("/"),
            plain: plain.clone(),
            gzip: found.contains(&gzip).then_some(gzip),
        })
    });
    Ok(files.collect())
}
