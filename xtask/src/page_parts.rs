//! Cuts the page's module into what every visit needs and parts that are loaded later, where the code says
//! `#[wasm_split]`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use sha2::{Digest, Sha256};

use crate::project::Project;

/// What loads the parts.
pub(crate) const LOADER: &str = "__wasm_split.js";
/// The folder of the parts beside the page's files. Their names change with their content, so browsers keep them
/// without asking again (`relay/src/relaying/http/page.rs`).
const FOLDER: &str = "parts/";

/// The part that a link to laps needs, as `#[wasm_split]` names it.
pub(crate) const ANALYSE: &str = "analyse";
/// The part that only a relay's pages need.
pub(crate) const LIBRARY: &str = "library";

/// The id of a part by the path of its file; `None` for other files.
pub(crate) fn part_id(path: &str) -> Option<&str> {
    path.strip_prefix(FOLDER)?.strip_suffix(".wasm")
}

/// A module that was cut.
pub(crate) struct Cut {
    /// Where the rest of it is.
    pub(crate) rest: PathBuf,
    /// The files of each part and those that it needs, as paths beside the page's files, by the part's name.
    parts: BTreeMap<String, Vec<String>>,
}

impl Cut {
    /// The files of a part, and those that it needs.
    pub(crate) fn files_of(&self, part: &str) -> Result<BTreeSet<&str>> {
        let files = self.parts.get(part).with_context(|| format!("the page has no part {part}"))?;
        Ok(files.iter().map(String::as_str).collect())
    }

    /// The files that no other part needs.
    pub(crate) fn files_only_of(&self, part: &str) -> Result<BTreeSet<&str>> {
        let mut files = self.files_of(part)?;
        let others = self.parts.iter().filter(|(other, _)| *other != part);
        for path in others.flat_map(|(_, files)| files) {
            files.remove(path.as_str());
        }
        Ok(files)
    }
}

/// Cuts a compiled module. Writes the parts and their loader beside the bindings, which have to be made of the rest as
/// `main`.js. `has_names` keeps the names of functions.
pub(crate) fn split(
    project: &Project,
    compiled: &Path,
    bindings: &Path,
    main: &str,
    has_names: bool,
) -> Result<Cut> {
    let input = fs::read(compiled).with_context(|| format!("can't read {}", compiled.display()))?;
    let folder = project.wasm_target().join("split");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("can't remove {}", folder.display()))?;
    }
    for needed in [&folder, &bindings.join(FOLDER)] {
        fs::create_dir_all(needed).with_context(|| format!("can't create {}", needed.display()))?;
    }
    let rest = folder.join(main).with_extension("wasm");
    let script = format!("./{main}.js");
    let mut options = wasm_split_cli_support::Options::new(&input);
    options.output_dir = &folder;
    options.main_out_path = &rest;
    options.main_module = &script;
    let parts = wasm_split_cli_support::transform(options)
        .map_err(|error| anyhow!("can't split {}: {error:?}", compiled.display()))?;
    let mut loader = fs::read_to_string(folder.join(LOADER))?;
    let mut paths = BTreeMap::new();
    for part in &parts.split_modules {
        let stem = part.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let code = slim(part, has_names)?;
        let path = part_path(&stem, &input, &code);
        loader = with_path(&loader, &stem, &path)?;
        fs::write(bindings.join(&path), code)?;
        paths.insert(stem, path);
    }
    fs::write(bindings.join(LOADER), loader)?;
    let files = |stems: Vec<String>| stems.iter().filter_map(|stem| paths.get(stem).cloned()).collect();
    let parts = parts.prefetch_map.into_iter().map(|(part, stems)| (part, files(stems))).collect();
    Ok(Cut { rest, parts })
}

/// Where a part is beside the page's files. A part fits only the module that it was cut from and would call wrong
/// functions in another one, so both are in the name.
fn part_path(stem: &str, module: &[u8], part: &[u8]) -> String {
    let digest = Sha256::new().chain_update(module).chain_update(part).finalize();
    let digest: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let name = stem.trim_start_matches("split_");
    format!("{FOLDER}{name}-{digest}.wasm")
}

/// The loader with another path for a part.
fn with_path(loader: &str, stem: &str, path: &str) -> Result<String> {
    let before = format!("\"./{stem}.wasm\"");
    if loader.matches(&before).count() != 1 {
        bail!("{LOADER} does not load {before} once");
    }
    Ok(loader.replace(&before, &format!("\"./{path}\"")))
}

/// A part without what the linker left for the splitter.
fn slim(part: &Path, has_names: bool) -> Result<Vec<u8>> {
    walrus::ModuleConfig::new()
        .generate_name_section(has_names)
        .generate_producers_section(false)
        .parse_file(part)
        .map(|mut module| module.emit_wasm())
        .map_err(|error| anyhow!("can't read {}: {error}", part.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parts_name_changes_with_the_part_and_with_the_rest() {
        let path = part_path("split_analyse", b"module", b"part");
        assert_eq!(path, part_path("split_analyse", b"module", b"part"));
        assert_ne!(path, part_path("split_analyse", b"another", b"part"));
        assert_ne!(path, part_path("split_analyse", b"module", b"another"));
        let id = part_id(&path).expect("a part");
        assert!(id.starts_with("analyse-") && id.len() == "analyse-".len() + 16, "{id}");
        assert_eq!(part_id(&part_path("chunk_5", b"", b"")), Some("chunk_5-e3b0c44298fc1c14"));
        assert_eq!(part_id("trailbrake_web_bg.wasm"), None);
    }

    #[test]
    fn files_that_only_one_part_needs_are_known() {
        let parts = [("analyse", vec!["a", "shared"]), ("library", vec!["shared", "l", "chunk"])];
        let owned = |(part, files): &(&str, Vec<&str>)| {
            ((*part).to_owned(), files.iter().map(|file| (*file).to_owned()).collect())
        };
        let cut = Cut { rest: PathBuf::new(), parts: parts.iter().map(owned).collect() };
        assert_eq!(cut.files_of(ANALYSE).unwrap(), ["a", "shared"].into());
        assert_eq!(cut.files_only_of(LIBRARY).unwrap(), ["chunk", "l"].into());
        assert!(cut.files_of("reports").is_err() && cut.files_only_of("reports").is_err());
    }

    #[test]
    fn the_loader_takes_each_part_by_its_name() {
        let loader = r#"const src = fetch(new URL("./chunk_5.wasm", import.meta.url));"#;
        let named = with_path(loader, "chunk_5", "parts/chunk_5-00.wasm").unwrap();
        assert_eq!(named, r#"const src = fetch(new URL("./parts/chunk_5-00.wasm", import.meta.url));"#);
        assert!(with_path(&named, "chunk_5", "parts/chunk_5-00.wasm").is_err(), "no such file any more");
    }
}
