//! Every row of the security model and of the faults names its tests, and those exist; and nothing can download anything.

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
fn every_test_that_the_documents_name_exists() {
    let tests = tests();
    for (document, fewest) in [("docs/security.md", 20), ("docs/reliability.md", 12)] {
        let text = tree::text(document);
        let missing: Vec<&str> = named(&text)
            .filter(|name| *name != "file::test" && !tests.iter().any(|test| test == name))
            .collect();
        assert!(missing.is_empty(), "{document}: {missing:#?}");
        assert!(named(&text).count() > fewest, "{document}");
    }
}

/// Checks that every row of the table in a section names a test.
fn check_rows(document: &str, section: &str, end: &str) {
    let text = tree::text(document);
    let (_, table) = text.split_once(section).expect("the table");
    let (table, _) = table.split_once(end).expect("an end");
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() > 10, "{document}: {} rows", rows.len());
    let is_free = |row: &str| UNTESTED.iter().any(|begin| row.starts_with(begin));
    let without: Vec<&&str> =
        rows.iter().filter(|row| named(row).next().is_none() && !is_free(row)).collect();
    assert!(without.is_empty(), "{document}: {without:#?}");
}

#[test]
fn every_row_of_the_security_model_names_a_test() {
    check_rows("docs/security.md", "## Who may do what", "## Limits");
}

#[test]
fn every_fault_names_a_test() {
    check_rows("docs/reliability.md", "## Faults", "## Fuzzing");
}

#[test]
fn nothing_in_the_tree_can_download() {
    let lock = tree::text("Cargo.lock");
    let names: Vec<&str> =
        lock.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"')).collect();
    assert!(names.contains(&"axum"), "the list is read");
    for client in ["curl", "git2", "native-tls", "openssl", "reqwest", "ureq"] {
        assert!(!names.contains(&client), "{client} speaks to the internet");
    }
    // What encrypts serves the connections of a team to its own hub, and the hub's page, alone.
    let encrypts =
        |package: &&str| package.contains("\n \"rustls\"") || package.contains("\n \"tokio-rustls\"");
    let using: Vec<&str> =
        lock.split("[[package]]\n").filter(encrypts).filter_map(|one| one.lines().next()).collect();
    let expected = ["async-nats", "tokio-rustls", "trailbrake-relay"].map(|name| format!("name = {name:?}"));
    assert_eq!(using, expected);
    let encrypting =
        tree::sources("relay/src").into_iter().filter(|(_, text)| text.contains("tokio_rustls::"));
    let encrypting: Vec<_> = encrypting.map(|(path, _)| path).collect();
    assert!(matches!(&encrypting[..], [one] if one.ends_with("http/encryption.rs")), "{encrypting:?}");
    let script = tree::text("relay/build.rs");
    assert!(!script.contains("Command") && !script.contains("TcpStream"), "it only reads files");
}
