//! The licences of the libraries and tables that a release contains; those of libraries are collected from their packages.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, PackageId};

use crate::project::Project;
use crate::toolchain::WASM;

/// The names of files with licences begin with one of these.
const NAMES: &[&str] = &["licen", "copying", "notice", "unlicense"];
const RULE: &str = "\n----------------------------------------------------------------------\n\n";

/// Tables and fonts from elsewhere: what they hold and where it is from, the licence, and the file with its text.
const TABLES: &[(&str, &str, &str)] = &[
    (
        "cars and tracks of Gran Turismo 7, from zetetos/gt-telemetry",
        "MIT",
        "shared/games/src/gran_turismo/LICENSE-gt-telemetry",
    ),
    ("the face Inter, a subset of @fontsource-variable/inter 5.3", "OFL-1.1", "web/assets/inter-licence.txt"),
];

/// A library's name and version, its licence, and the authors that its package names.
type Library = (String, String, String);

/// The libraries of a program for these targets and of its page, with the texts of their licences.
pub(crate) fn text(project: &Project, triples: &[&str]) -> Result<String> {
    let mut libraries = BTreeSet::new();
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let programs = triples.iter().map(|triple| ("trailbrake-relay", *triple));
    for (package, triple) in programs.chain([("trailbrake-web", WASM)]) {
        let metadata = metadata(project, triple)?;
        for library in linked(&metadata, package)? {
            let name = format!("{} {}", library.name, library.version);
            let licence = library.license.clone().unwrap_or_else(|| "see its text below".to_owned());
            for text in own_texts(library)? {
                texts.entry(text).or_default().insert(name.clone());
            }
            libraries.insert((name, licence, library.authors.join(", ")));
        }
    }
    for (name, licence, file) in TABLES {
        texts.entry(read(&project.path(file))?).or_default().insert((*name).to_owned());
        libraries.insert(((*name).to_owned(), (*licence).to_owned(), String::new()));
    }
    let own: Result<Vec<String>> =
        ["LICENSE-MIT", "LICENSE-APACHE"].iter().map(|name| read(&project.path(name))).collect();
    Ok(written(&libraries, &texts, &own?))
}

fn written(
    libraries: &BTreeSet<Library>,
    texts: &BTreeMap<String, BTreeSet<String>>,
    own: &[String],
) -> String {
    let mut all =
        "Trailbrake is licensed under MIT or Apache-2.0, as you choose. It contains these libraries and tables:\n\n"
            .to_owned();
    let with_text: BTreeSet<&String> = texts.values().flatten().collect();
    for (name, licence, authors) in libraries {
        let by = match authors.as_str() {
            _ if with_text.contains(name) => String::new(),
            "" => " (its package contains no text)".to_owned(),
            authors => format!(" (by {authors}; its package contains no text)"),
        };
        // Writing to a string can't fail.
        let _ = writeln!(all, "  {name:<36} {licence}{by}");
    }
    for text in own {
        let _ = write!(all, "{RULE}Trailbrake, and libraries without a text of their own\n\n{text}\n");
    }
    for (text, names) in texts {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let _ = write!(all, "{RULE}{}\n\n{text}\n", names.join(", "));
    }
    all
}

fn metadata(project: &Project, triple: &str) -> Result<Metadata> {
    let mut command = MetadataCommand::new();
    if let Some(cargo) = env::var_os("CARGO") {
        command.cargo_path(cargo);
    }
    command.manifest_path(project.path("Cargo.toml"));
    command.other_options(["--locked", "--filter-platform", triple].map(str::to_owned));
    command.exec().context("cargo can't list the libraries")
}

/// The packages from elsewhere that a package of the workspace is linked with.
fn linked<'a>(metadata: &'a Metadata, package: &str) -> Result<Vec<&'a Package>> {
    let graph = metadata.resolve.as_ref().context("cargo resolved no dependencies")?;
    let root = metadata.packages.iter().find(|one| one.name.as_str() == package);
    let mut left: Vec<&PackageId> = vec![&root.with_context(|| format!("no package {package}"))?.id];
    let mut seen = BTreeSet::new();
    while let Some(id) = left.pop() {
        if !seen.insert(id) {
            continue;
        }
        let node = graph.nodes.iter().find(|node| node.id == *id).context("cargo's list has a gap")?;
        let is_linked = |kinds: &[cargo_metadata::DepKindInfo]| {
            kinds.iter().any(|kind| kind.kind == DependencyKind::Normal)
        };
        left.extend(node.deps.iter().filter(|dep| is_linked(&dep.dep_kinds)).map(|dep| &dep.pkg));
    }
    let from_elsewhere =
        |one: &&Package| seen.contains(&one.id) && !metadata.workspace_members.contains(&one.id);
    Ok(metadata.packages.iter().filter(from_elsewhere).collect())
}

/// The licence texts in a package.
fn own_texts(package: &Package) -> Result<Vec<String>> {
    let folder = package.manifest_path.parent().context("a package has no folder")?;
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("can't list {folder}"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_file() && NAMES.iter().any(|known| name.starts_with(known)) {
            texts.push(read(&path)?);
        }
    }
    Ok(texts)
}

fn read(path: &Path) -> Result<String> {
    let text = fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    let lines = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = lines.lines().map(str::trim_end).collect();
    Ok(lines.join("\n").trim_matches('\n').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_library_and_table_of_the_program_is_named_with_a_text() {
        let text = text(&Project::locate().unwrap(), &["x86_64-unknown-linux-gnu"]).unwrap();
        for library in ["axum", "tokio", "leptos", "wasm-bindgen", "lz4_flex"] {
            assert!(text.lines().any(|line| line.starts_with(&format!("  {library} "))), "{library}");
        }
        for other in ["trailbrake-shared", "criterion", "fantoccini", "wasm-bindgen-cli-support"] {
            assert!(!text.contains(&format!("  {other} ")), "{other} is in no release");
        }
        assert!(text.contains("zetetos/gt-telemetry") && text.contains("Copyright (c) vwhitteron"));
        assert!(text.contains("Permission is hereby granted") && text.contains("Apache License"));
    }

    #[test]
    fn a_library_without_a_text_names_its_authors() {
        let library = |name: &str, authors: &str| (name.to_owned(), "MIT".to_owned(), authors.to_owned());
        let libraries = [library("one 1.0.0", "Ann"), library("two 2.0.0", "Bob")].into();
        let texts = [("Copyright Bob".to_owned(), ["two 2.0.0".to_owned()].into())].into();
        let text = written(&libraries, &texts, &["own".to_owned()]);
        assert!(text.contains("MIT (by Ann; its package contains no text)"), "{text}");
        assert!(text.ends_with("\n\ntwo 2.0.0\n\nCopyright Bob\n"), "{text}");
        assert!(!text.contains("by Bob"), "{text}");
    }
}
