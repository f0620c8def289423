//! Packages of npm, which only tests and benchmarks use.

use std::path::PathBuf;
use std::process::Command;

use crate::packages;
use crate::project::Project;
use crate::step;

/// The folder of a package in a version, fetched where there is npm; `None` if it can't be had.
pub(crate) fn obtain(project: &Project, name: &str, version: &str) -> Option<PathBuf> {
    let package = format!("{name}@{version}");
    let tools = project.target().join("tools").join(&package);
    let folder = tools.join("node_modules").join(name);
    if !folder.is_dir() {
        let npm = packages::on_path(&["npm", "npm.cmd"]).next()?;
        let mut install = Command::new(npm);
        install.args(["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
        install.arg(&tools).arg(&package);
        step::quietly(&format!("npm install {package}"), &mut install).ok()?;
    }
    folder.is_dir().then_some(folder)
}
