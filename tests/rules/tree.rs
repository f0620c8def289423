//! Reads the project's files for the rules.

use std::fs;
use std::path::{Path, PathBuf};

/// The project's root folder.
pub(crate) fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a parent").to_owned()
}

pub(crate) fn text(path: impl AsRef<Path>) -> String {
    let path = top().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every Rust file below a folder, with its text.
pub(crate) fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![top().join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let skipped = ["target", "dist", "corpus"].iter().any(|name| path.ends_with(name));
            if path.is_dir() && !skipped {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let source = text(&path);
                found.push((path, source));
            }
        }
    }
    assert!(!found.is_empty(), "no Rust file below {folder}");
    found
}

/// Whether a file holds only tests: `tests.rs`, `…_tests.rs`, or anything below a folder `tests`.
pub(crate) fn is_test(path: &Path) -> bool {
    let path = path.strip_prefix(top()).unwrap_or(path);
    path.to_string_lossy().ends_with("tests.rs") || path.components().any(|part| part.as_os_str() == "tests")
}

/// A source without its comments, so that prose breaks no rule.
pub(crate) fn code(source: &str) -> String {
    source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}
