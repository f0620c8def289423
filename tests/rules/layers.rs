//! Inside a crate, dependencies point down, between its modules and between their files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::crates;
use crate::dependencies::{Crate, cycles};
use crate::tree;

/// The crates whose layers ARCHITECTURE.md lists. Those of `shared` are crates, which Cargo guards.
const LAYERED: [&str; 2] = ["relay", "web"];
/// `impl` blocks outside the files of their types: who calls such a method depends on a file that no name leads to. A
/// line for each, its file and its type. They were there before the rule; the list may only shrink.
const OUTSIDE: &str = "tests/rules/outside_impls.txt";

/// The crates whose files may not depend on each other in a circle.
fn all_crates() -> Vec<String> {
    let others = [LAYERED.as_slice(), &["xtask", "fuzz"]].concat();
    crates::layers()
        .into_iter()
        .map(|layer| layer.folder)
        .chain(others.into_iter().map(str::to_owned))
        .collect()
}

/// The layers of a crate as ARCHITECTURE.md lists them, bottom first.
fn layers(own: &str) -> Vec<String> {
    let page = tree::text("ARCHITECTURE.md");
    let list = page.split(&format!("```layers {own}\n")).nth(1).and_then(|rest| rest.split("```").next());
    let list = list.unwrap_or_else(|| panic!("ARCHITECTURE.md lists no layers of {own}"));
    list.lines().map(str::to_owned).collect()
}

/// A crate with the listed blocks excused.
fn read(own: &str) -> Crate {
    let root = tree::top().join(own).join("src");
    let inside = |path: &Path| {
        let steps = path.strip_prefix(&root).expect("below src").components();
        let steps: Vec<_> = steps.map(|step| step.as_os_str().to_string_lossy().into_owned()).collect();
        steps.join("/")
    };
    let files: BTreeMap<String, String> = tree::sources(&format!("{own}/src"))
        .iter()
        .map(|(path, source)| (inside(path), source.clone()))
        .collect();
    let begin = format!("{own}/src/");
    let listed = listed_impls().into_iter();
    let excused = listed.filter_map(|(file, name)| Some((file.strip_prefix(&begin)?.to_owned(), name)));
    Crate::read(&files).excusing(excused.collect())
}

/// The `impl` blocks that may stand outside their types' files, each by its file and its type.
fn listed_impls() -> BTreeSet<(String, String)> {
    let list = tree::text(OUTSIDE);
    let pair = |line: &str| {
        let (file, name) = line.split_once(' ').expect("a file and a type");
        (file.to_owned(), name.to_owned())
    };
    list.lines().map(pair).collect()
}

/// The top-level module that a file belongs to.
fn module(file: &str) -> &str {
    file.split('/').next().unwrap_or_default().trim_end_matches(".rs")
}

#[test]
fn every_module_is_in_a_layer() {
    for own in LAYERED {
        let lib = tree::text(format!("{own}/src/lib.rs"));
        let declared = |line: &str| {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            line.strip_prefix("mod ").map(|module| module.trim_end_matches(';').to_owned())
        };
        // Test modules are in no layer.
        let is_code = |module: &String| !module.ends_with("tests");
        let modules: BTreeSet<String> = lib.lines().filter_map(declared).filter(is_code).collect();
        assert_eq!(modules, layers(own).into_iter().collect(), "the layers of {own} in ARCHITECTURE.md");
    }
}

#[test]
fn no_module_depends_on_a_higher_one() {
    for own in LAYERED {
        let layers = layers(own);
        let layer = |file: &str| layers.iter().position(|layer| layer == module(file));
        let mut wrong = Vec::new();
        for (from, files) in read(own).dependencies_and_exports() {
            // `lib.rs` is in no layer: it re-exports names of every layer.
            let Some(layer_of_from) = layer(&from) else { continue };
            let higher = files.iter().filter(|file| layer(file).is_some_and(|other| other > layer_of_from));
            wrong.extend(higher.map(|file| format!("{from} depends on {file}, which is above")));
        }
        assert!(wrong.is_empty(), "{own}: {wrong:#?}");
    }
}

#[test]
fn no_files_depend_on_each_other_in_a_circle() {
    let mut found = Vec::new();
    for own in all_crates() {
        let cycles = cycles(&read(&own).dependencies());
        found.extend(
            cycles
                .iter()
                .map(|files| files.iter().map(|file| format!("{own}/src/{file}")).collect::<Vec<_>>()),
        );
    }
    assert!(found.is_empty(), "files that depend on each other: {found:#?}");
}

#[test]
fn no_more_impl_blocks_stand_outside_their_types_files() {
    let mut found = BTreeSet::new();
    for own in all_crates() {
        let blocks = read(&own).impls_outside().into_iter();
        found.extend(blocks.map(|(file, name)| (format!("{own}/src/{file}"), name)));
    }
    let listed = listed_impls();
    let new: Vec<_> = found.difference(&listed).collect();
    assert!(new.is_empty(), "`impl` blocks outside the files of their types: {new:#?}");
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(gone.is_empty(), "no longer there, so no longer excused: take them off {OUTSIDE}: {gone:#?}");
}
