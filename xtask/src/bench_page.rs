//! The page of the benchmarks that run in a browser: a part of the real page's code, and uPlot to compare with.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::npm;
use crate::packages::Seat;
use crate::page_files;
use crate::project::Project;
use crate::toolchain::WasmToolchain;
use crate::web;

/// The example whose folder holds the page.
const EXAMPLE: &str = "benchmark";
/// The npm package of the charts to compare with, its version and its files.
const UPLOT: [&str; 2] = ["uplot", "1.6.32"];
const UPLOT_FILES: [&str; 2] = ["uPlot.iife.min.js", "uPlot.min.css"];

/// Builds the page. Returns its folder.
pub(crate) fn build(project: &Project) -> Result<PathBuf> {
    let folder = project.target().join("bench-page");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("can't remove {}", folder.display()))?;
    }
    let toolchain = WasmToolchain::obtain(project, Seat::look())?;
    web::build_example(project, &toolchain, EXAMPLE, &folder)?;
    let source = project.path("web/examples").join(EXAMPLE);
    for name in ["index.html", "page.js"] {
        fs::copy(source.join(name), folder.join(name)).with_context(|| format!("can't copy {name}"))?;
    }
    fs::write(folder.join("style.css"), page_files::one_style_sheet(&project.path("web/style"))?)?;
    let [name, version] = UPLOT;
    match npm::obtain(project, name, version) {
        Some(package) => {
            for name in UPLOT_FILES {
                fs::copy(package.join("dist").join(name), folder.join(name))
                    .with_context(|| format!("can't copy {name}"))?;
            }
        }
        None => println!("uPlot: not here; with npm on this machine `{name}@{version}` would be fetched"),
    }
    Ok(folder)
}
