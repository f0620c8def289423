//! The finished web app on disk: its files, and how they are replaced at once.
//!
//! Every file has its compressed form beside it, so that the relay and any static host can send that without work.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::project::Project;

/// The page's own files: path in the project, and name in the finished app.
const PAGE: &[(&str, &str)] = &[
    ("index.html", "index.html"),
    ("web/boot.js", "boot.js"),
    ("web/begin.js", "begin.js"),
    ("web/icon.svg", "icon.svg"),
];

/// Files by their path in the finished app, with forward slashes.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Stands in `index.html` for the commit that the page is built from.
const NO_COMMIT: &str = r#"content="unknown commit""#;

/// Stands in `boot.js` for the parts of the page that a link to laps needs.
const NO_PARTS: &str = "[/* parts */]";

/// Collects the finished app: the page's own files and the bindings generator's output.
pub(crate) fn gather(project: &Project, bindings: &Path) -> Result<Files> {
    let mut files = Files::new();
    for (source, name) in PAGE {
        let path = project.path(source);
        let bytes = fs::read(&path).with_context(|| format!("can't read {}", path.display()))?;
        files.insert((*name).to_owned(), bytes);
    }
    files.insert("style.css".to_owned(), one_style_sheet(&project.path("web/style"))?);
    let assets = project.path("web/assets");
    if assets.is_dir() {
        add_folder(&mut files, &assets, "")?;
    }
    add_folder(&mut files, bindings, "")?;
    Ok(files)
}

/// Names the commit that the page is built from in `index.html`.
pub(crate) fn name_commit(files: &mut Files, commit: &str) -> Result<()> {
    let index = text_of(files, "index.html")?;
    if !index.contains(NO_COMMIT) {
        bail!("index.html has no place for the commit: {NO_COMMIT}");
    }
    let named = index.replace(NO_COMMIT, &format!("content=\"{commit}\""));
    files.insert("index.html".to_owned(), named.into_bytes());
    Ok(())
}

/// Names the parts in `boot.js` that it fetches for a link to laps.
pub(crate) fn name_parts(files: &mut Files, paths: &BTreeSet<&str>) -> Result<()> {
    let boot = text_of(files, "boot.js")?;
    if !boot.contains(NO_PARTS) {
        bail!("boot.js has no place for the parts: {NO_PARTS}");
    }
    files.insert(
        "boot.js".to_owned(),
        boot.replace(NO_PARTS, &format!("{:?}", Vec::from_iter(paths))).into_bytes(),
    );
    Ok(())
}

/// The text of a file.
pub(crate) fn text_of(files: &Files, name: &str) -> Result<String> {
    let bytes = files.get(name).with_context(|| format!("the page has no {name}"))?;
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

/// The files of a folder, without the compressed forms.
pub(crate) fn read_plain(folder: &Path) -> Result<Files> {
    let mut files = Files::new();
    add_folder(&mut files, folder, "")?;
    files.retain(|name, _| !name.ends_with(".gz"));
    Ok(files)
}

/// Adds the compressed form of each file.
pub(crate) fn compress(files: Files, compression: Compression) -> Result<Files> {
    let mut both = Files::new();
    for (name, bytes) in files {
        both.insert(format!("{name}.gz"), gzip(&bytes, compression)?);
        both.insert(name, bytes);
    }
    Ok(both)
}

/// Makes `folder` hold exactly `files`. Returns whether anything had to change.
///
/// The new folder is built beside the old one and then renamed, so a page that loads meanwhile gets either the old app
/// or the new one.
pub(crate) fn replace(folder: &Path, files: &Files) -> Result<bool> {
    let mut present = Files::new();
    if folder.is_dir() {
        add_folder(&mut present, folder, "")?;
    }
    if present == *files {
        return Ok(false);
    }
    let new = folder.with_extension("new");
    let old = folder.with_extension("old");
    remove(&new)?;
    remove(&old)?;
    for (name, bytes) in files {
        let path = new.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).with_context(|| format!("can't create {}", parent.display()))?;
        }
        fs::write(&path, bytes).with_context(|| format!("can't write {}", path.display()))?;
    }
    if folder.exists() {
        rename(folder, &old)?;
    }
    rename(&new, folder)?;
    remove(&old)?;
    Ok(true)
}

/// Without name and time inside, the same app gives the same bytes.
pub(crate) fn gzip(bytes: &[u8], compression: Compression) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), compression);
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

/// All style sheets of a folder as one, ordered by name.
pub(crate) fn one_style_sheet(folder: &Path) -> Result<Vec<u8>> {
    let mut sheets = Files::new();
    if folder.is_dir() {
        add_folder(&mut sheets, folder, "")?;
    }
    let mut style = Vec::new();
    for (_, sheet) in sheets.iter().filter(|(name, _)| name.ends_with(".css")) {
        style.extend_from_slice(sheet);
        style.push(b'\n');
    }
    Ok(style)
}

fn add_folder(files: &mut Files, folder: &Path, prefix: &str) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("can't list {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let path = entry.path();
        if path.is_dir() {
            add_folder(files, &path, &format!("{name}/"))?;
        } else {
            let bytes = fs::read(&path).with_context(|| format!("can't read {}", path.display()))?;
            files.insert(name, bytes);
        }
    }
    Ok(())
}

fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("can't remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).with_context(|| format!("can't rename {} to {}", from.display(), to.display()))
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::io::Read;
    use std::path::PathBuf;
    use std::process;

    use flate2::read::GzDecoder;

    use super::*;

    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let folder = env::temp_dir().join(format!("trailbrake-xtask-{name}-{}", process::id()));
            remove(&folder).unwrap();
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).ok();
        }
    }

    fn files(pairs: &[(&str, &str)]) -> Files {
        pairs.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn the_folder_holds_exactly_the_new_files_and_rests_when_nothing_changed() {
        let scratch = Scratch::new("replace");
        let dist = scratch.0.join("dist");
        let first = files(&[("index.html", "one"), ("snippets/a.js", "two"), ("gone.css", "three")]);
        assert!(replace(&dist, &first).unwrap());
        let written = fs::metadata(dist.join("index.html")).unwrap().modified().unwrap();
        assert!(!replace(&dist, &first).unwrap(), "nothing changed");
        assert_eq!(fs::metadata(dist.join("index.html")).unwrap().modified().unwrap(), written);

        let second = files(&[("index.html", "new"), ("snippets/a.js", "two")]);
        assert!(replace(&dist, &second).unwrap());
        let mut found = Files::new();
        add_folder(&mut found, &dist, "").unwrap();
        assert_eq!(found, second);
        assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), 1, "no folder is left beside it");
    }

    #[test]
    fn a_link_to_laps_fetches_the_parts_of_analyse() {
        let boot = fs::read_to_string(Project::locate().unwrap().path("web/boot.js")).unwrap();
        let mut page = files(&[("boot.js", &boot)]);
        name_parts(&mut page, &["parts/analyse-1.wasm", "parts/chunk_4-2.wasm"].into()).unwrap();
        let named = text_of(&page, "boot.js").unwrap();
        assert!(named.contains(r#"of ["parts/analyse-1.wasm", "parts/chunk_4-2.wasm"])"#), "{named}");
        assert!(name_parts(&mut page, &BTreeSet::new()).is_err(), "they are named already");
    }

    #[test]
    fn style_sheets_are_joined_in_the_order_of_their_names() {
        let scratch = Scratch::new("style");
        for (name, text) in [("20-lanes.css", "b{}"), ("10-base.css", "a{}"), ("notes.txt", "no")] {
            fs::write(scratch.0.join(name), text).unwrap();
        }
        assert_eq!(one_style_sheet(&scratch.0).unwrap(), b"a{}\nb{}\n");
    }

    #[test]
    fn the_compressed_form_unpacks_to_the_file_beside_it() {
        let both = compress(files(&[("boot.js", "import init")]), Compression::best()).unwrap();
        let mut text = String::new();
        GzDecoder::new(both["boot.js.gz"].as_slice()).read_to_string(&mut text).unwrap();
        assert_eq!(text.as_bytes(), both["boot.js"]);
    }
}
