//! Every row of the security model names its tests, and those exist.

use crate::tree;

/// The rows that nothing tests, since they say what Trailbrake can't prevent.
const UNTESTED: [&str; 1] = ["| stranger on the network | read what tablets exchange | **yes**"];

/// Every test of the tree as `file::test`. A file called `tests` or `mod` is named by its folder.
fn tests() -> Vec<String> {
    let mut found = Vec::new();
    for folder in ["shared", "relay", "web", "tests"] {
        for (path, source) in tree::sources(folder) {
            let own = path.with_extension("");
            let is_named = !["tests", "mod"].iter().any(|name| own.ends_with(name));
            let named = if is_named { Some(own.as_path()) } else { own.parent() };
            let file =
                named.and_then(|path| path.file_name()).expect("a name").to_string_lossy().into_owned();
            let mut is_test = false;
            for line in source.lines().map(str::trim) {
                is_test |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
                let Some((_, function)) = line.split_once("fn ").filter(|_| !line.starts_with("//")) else {
                    continue;
                };
                // A property is below the attribute, too.
                if std::mem::take(&mut is_test) {
                    let name = function.split(['(', '<']).next().unwrap_or_default();
                    found.push(format!("{file}::{name}"));
                }
            }
        }
    }
    assert!(found.len() > 1000, "{} tests", found.len());
    found
}

/// The names in a text that look like `file::test`.
fn named(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter(|word| word.contains("::") && !word.contains(' '))
}

#[test]
fn every_test_that_the_security_model_names_exists() {
    let (document, tests) = (tree::text("docs/security.md"), tests());
    let missing: Vec<&str> = named(&document)
        .filter(|name| *name != "file::test" && !tests.iter().any(|test| test == name))
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(named(&document).count() > 20);
}

#[test]
fn every_row_of_the_security_model_names_a_test() {
    let document = tree::text("docs/security.md");
    let (_, model) = document.split_once("## Who may do what").expect("the table");
    let (model, _) = model.split_once("## Limits").expect("an end");
    let rows: Vec<&str> = model.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() > 20, "{} rows", rows.len());
    let is_free = |row: &str| UNTESTED.iter().any(|begin| row.starts_with(begin));
    let without: Vec<&&str> =
        rows.iter().filter(|row| named(row).next().is_none() && !is_free(row)).collect();
    assert!(without.is_empty(), "{without:#?}");
}
