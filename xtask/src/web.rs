//! `cargo xtask web`: compiles the page for the browser into `web/dist`.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail, ensure};
use flate2::Compression;
use wasm_bindgen_cli_support::Bindgen;

use crate::licences;
use crate::packages::Seat;
use crate::page_files;
use crate::page_parts;
use crate::page_size::{PageSize, WasmSize};
use crate::project::Project;
use crate::single_file;
use crate::step;
use crate::system::System;
use crate::toolchain::{WASM, WasmToolchain};

/// The page, and the module that it loads only for the demo.
const MODULES: &[&str] = &[PAGE, "trailbrake_demo"];
const PAGE: &str = "trailbrake_web";

/// What the page is built for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Delivery: quick to run.
    Release,
    /// Delivery to others: with the licences of the libraries.
    Distribution,
    /// Development: built quickly, with names in stack traces.
    Development,
}

impl Purpose {
    /// The profile in the root manifest.
    fn profile(self) -> &'static str {
        match self {
            Self::Release | Self::Distribution => "web",
            Self::Development => "web-dev",
        }
    }
}

pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    let purpose = match args {
        [] => Purpose::Release,
        [flag] if flag == "--dev" => Purpose::Development,
        _ => bail!("`cargo xtask web` takes only --dev"),
    };
    let toolchain = WasmToolchain::obtain(project, Seat::look())?;
    println!("{}", toolchain.describe());
    build(project, &toolchain, purpose).map(drop)
}

/// The command that compiles the page.
pub(crate) fn compile(project: &Project, toolchain: &WasmToolchain, purpose: Purpose) -> Command {
    let mut cargo = compile_none(project, toolchain, purpose);
    cargo.arg("--bins");
    cargo
}

/// The same command without the programs to compile.
fn compile_none(project: &Project, toolchain: &WasmToolchain, purpose: Purpose) -> Command {
    let mut cargo = toolchain.cargo(project, "build");
    cargo.args(["--package", "trailbrake-web", "--profile", purpose.profile()]);
    cargo
}

/// Builds an example as quick as the page, and writes it and the script that loads it into a folder.
pub(crate) fn build_example(
    project: &Project,
    toolchain: &WasmToolchain,
    name: &str,
    folder: &Path,
) -> Result<()> {
    let purpose = Purpose::Release;
    step::run(compile_none(project, toolchain, purpose).args(["--quiet", "--example", name]))?;
    let compiled = project.wasm_target().join(WASM).join(purpose.profile()).join("examples");
    bind(&compiled.join(name).with_extension("wasm"), folder, purpose)
}

/// Builds the page and replaces `web/dist`.
pub(crate) fn build(project: &Project, toolchain: &WasmToolchain, purpose: Purpose) -> Result<PageSize> {
    step::run(compile(project, toolchain, purpose).arg("--quiet"))?;

    let compiled = project.wasm_target().join(WASM).join(purpose.profile());
    let bindings = project.wasm_target().join("bindings");
    if bindings.exists() {
        fs::remove_dir_all(&bindings).with_context(|| format!("can't remove {}", bindings.display()))?;
    }
    let has_names = purpose == Purpose::Development;
    let page = compiled.join(PAGE).with_extension("wasm");
    let cut = page_parts::split(project, &page, &bindings, PAGE, has_names)?;
    bind(&cut.rest, &bindings, purpose)?;
    for module in MODULES.iter().filter(|module| **module != PAGE) {
        bind(&compiled.join(module).with_extension("wasm"), &bindings, purpose)?;
    }

    let compression = match purpose {
        Purpose::Release | Purpose::Distribution => Compression::best(),
        Purpose::Development => Compression::fast(),
    };
    let mut files = page_files::gather(project, &bindings)?;
    page_files::name_parts(&mut files, &cut.files_of(page_parts::ANALYSE)?)?;
    if purpose != Purpose::Development {
        page_files::name_commit(&mut files, &project.commit())?;
    }
    if purpose == Purpose::Distribution {
        let triples = System::ALL.map(System::triple);
        let triples: Vec<&str> = triples.iter().map(String::as_str).collect();
        files.insert("licences.txt".to_owned(), licences::text(project, &triples)?.into_bytes());
    }
    let left_out = cut.files_only_of(page_parts::LIBRARY)?;
    let single = single_file::make(project, &files, &left_out, compression)?;
    files.insert(single_file::NAME.to_owned(), single.into_bytes());
    let files = page_files::compress(files, compression)?;
    let size = PageSize::of(&files, &code(PAGE))?;
    println!("{size}");
    for module in MODULES.iter().filter(|module| **module != PAGE) {
        println!("{module} {}", WasmSize::of(&files, &code(module))?);
    }
    let changed = page_files::replace(&project.dist(), &files)?;
    println!("web/dist {}", if changed { "written" } else { "unchanged" });
    Ok(size)
}

/// The file of a module's code, as the bindings generator names it.
fn code(module: &str) -> String {
    format!("{module}_bg.wasm")
}

/// Writes a compiled module's code and the script that loads it.
fn bind(compiled: &Path, bindings: &Path, purpose: Purpose) -> Result<()> {
    let development = purpose == Purpose::Development;
    Bindgen::new()
        .input_path(compiled)
        .web(true)
        .map_err(|error| anyhow!("{error}"))?
        .typescript(false)
        // The parts that are loaded later share the table, the memory and the stack of the rest.
        .keep_lld_exports(true)
        .keep_debug(development)
        .remove_name_section(!development)
        .remove_producers_section(!development)
        // The page also opens from a single file, where the script has to find the module next to itself.
        .omit_default_module_path(false)
        .generate(bindings)
        .with_context(|| format!("can't make the browser's bindings for {}", compiled.display()))?;
    let script = compiled.with_extension("js");
    let script = bindings.join(script.file_name().context("a compiled module has a name")?);
    let text = fs::read_to_string(&script).with_context(|| format!("can't read {}", script.display()))?;
    // The linker turns a function that it finds nowhere into an import. No browser has it, and nothing would start.
    let is_whole = !text.contains("from \"env\"");
    ensure!(is_whole, "a function is missing in {}: run `cargo clean` and build again", compiled.display());
    Ok(())
}
