//! Finds axe-core, which checks the pages for what keeps people out.

use std::path::PathBuf;

use crate::needs::Need;
use crate::npm;
use crate::project::Project;

/// The npm package, and its version.
const PACKAGE: &str = "axe-core";
const VERSION: &str = "4.14.1";
const VARIABLE: &str = "TRAILBRAKE_AXE";

/// What accessibility tests need: the script, fetched by npm where there is one.
pub(crate) fn need(project: &Project) -> Need {
    let script = script(project);
    match &script {
        Some(script) => println!("axe-core: {}", script.display()),
        None => {
            println!("axe-core: not here; with npm on this machine `{PACKAGE}@{VERSION}` would be fetched")
        }
    }
    let variables = script.map(|script| vec![(VARIABLE, script.into())]);
    Need { reason: "needs a browser and axe-core: run cargo xtask test", variables }
}

fn script(project: &Project) -> Option<PathBuf> {
    if let Some(script) = std::env::var_os(VARIABLE) {
        return Some(script.into());
    }
    let script = npm::obtain(project, PACKAGE, VERSION)?.join("axe.min.js");
    script.is_file().then_some(script)
}
