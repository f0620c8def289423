//! Inside a crate, dependencies point down, between its modules and between their files.

use std::collections::{BTreeMap, BTreeSet};

use crate::dependencies::{Crate, cycles};
use crate::tree;

/// The crates whose layers ARCHITECTURE.md lists. Those of `shared` are crates, which Cargo guards.
const CRATES: [&str; 2] = ["relay", "web"];

/// The layers of a crate as ARCHITECTURE.md lists them, bottom first.
fn layers(own: &str) -> Vec<String> {
    let page = tree::text("ARCHITECTURE.md");
    let list = page.split(&format!("```layers {own}\n")).nth(1).and_then(|rest| rest.split("```").next());
    let list = list.unwrap_or_else(|| panic!("ARCHITECTURE.md lists no layers of {own}"));
    list.lines().map(str::to_owned).collect()
}

fn read(own: &str) -> Crate {
    let root = tree::top().join(own).join("src");
    let inside = |path: &std::path::Path| {
        let steps = path.strip_prefix(&root).expect("below src").components();
        let steps: Vec<_> = steps.map(|step| step.as_os_str().to_string_lossy().into_owned()).collect();
        steps.join("/")
    };
    let files: BTreeMap<String, String> = tree::sources(&format!("{own}/src"))
        .iter()
        .map(|(path, source)| (inside(path), source.clone()))
        .collect();
    Crate::read(&files)
}

/// The top-level module that a file belongs to.
fn module(file: &str) -> &str {
    file.split('/').next().unwrap_or_default().trim_end_matches(".rs")
}

#[test]
fn every_module_is_in_a_layer() {
    for own in CRATES {
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
    for own in CRATES {
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
    for own in CRATES {
        let cycles = cycles(&read(own).dependencies());
        found.extend(
            cycles
                .iter()
                .map(|files| files.iter().map(|file| format!("{own}/src/{file}")).collect::<Vec<_>>()),
        );
    }
    assert!(found.is_empty(), "files that depend on each other: {found:#?}");
}
