//! `cargo xtask build` and `cargo xtask run`: the program with the embedded page.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::packages::Seat;
use crate::project::Project;
use crate::step;
use crate::toolchain::WasmToolchain;
use crate::web::{self, Purpose};

/// Builds page and program in release.
pub(crate) fn build_command(project: &Project, args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("`cargo xtask build` takes no options");
    }
    let program = release(project)?;
    println!("{}", program.display());
    Ok(())
}

/// Builds page and program in release, and starts the program with the given options.
pub(crate) fn run_command(project: &Project, args: &[String]) -> Result<()> {
    let program = release(project)?;
    // A `--` before the program's options is allowed, as with `cargo run`.
    let options = args.strip_prefix(&["--".to_owned()]).unwrap_or(args);
    step::become_it(project.command(program).args(options))
}

/// Builds page and program in release. Returns the program's path.
pub(crate) fn release(project: &Project) -> Result<PathBuf> {
    let toolchain = WasmToolchain::obtain(project, Seat::look())?;
    println!("{}", toolchain.describe());
    web::build(project, &toolchain, Purpose::Release)?;
    println!("building the program");
    relay(project, true)
}

/// Builds the program with the page that is in `web/dist`. Returns the program's path.
pub(crate) fn relay(project: &Project, release: bool) -> Result<PathBuf> {
    let mut cargo = project.cargo();
    cargo.args(["build", "--quiet", "--package", "trailbrake-relay", "--bin", "trailbrake"]);
    if release {
        cargo.arg("--release").env("TRAILBRAKE_COMMIT", project.commit());
    }
    cargo.arg("--target-dir").arg(project.target());
    step::run(&mut cargo)?;
    Ok(project.program(if release { "release" } else { "debug" }))
}
