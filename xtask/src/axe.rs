//! Finds axe-core, which checks the pages for what keeps people out.

use std::path::PathBuf;
use std::process::Command;

use crate::needs::Need;
use crate::packages;
use crate::project::Project;
use crate::step;

/// The npm package, with its version.
const PACKAGE: &str = "axe-core@4.14.1";
const VARIABLE: &str = "TRAILBRAKE_AXE";

/// What accessibility tests need: the script, fetched by npm where there is one.
pub(crate) fn need(project: &Project) -> Need {
    let script = script(project);
    match &script {
        Some(script) => println!("axe-core: {}", script.display()),
        None => println!("axe-core: not here; with npm on this machine `{PACKAGE}` would be fetched"),
    }
    let variables = script.map(|script| vec![(VARIABLE, script.into())]);
    Need { reason: "needs a browser and axe-core: run cargo xtask test", variables }
}

fn script(project: &Project) -> Option<PathBuf> {
    if let Some(script) = std::env::var_os(VARIABLE) {
        return Some(script.into());
    }
    let folder = project.target().join("tools").join(PACKAGE);
    let script = folder.join("node_modules/axe-core/axe.min.js");
    if !script.is_file() {
        let npm = packages::on_path(&["npm", "npm.cmd"]).next()?;
        let mut install = Command::new(npm);
        install.args(["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
        install.arg(&folder).arg(PACKAGE);
        step::quietly(&format!("npm install {PACKAGE}"), &mut install).ok()?;
    }
    script.is_file().then_some(script)
}
