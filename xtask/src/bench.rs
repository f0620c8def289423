//! `cargo xtask bench`: every benchmark, the one of the page in a real browser included.

use anyhow::Result;

use crate::chromium::Chromium;
use crate::packages::Seat;
use crate::program;
use crate::project::Project;
use crate::step;

/// Runs the benchmarks; what counts in them are the ratios within one run. Anything after the word narrows them.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    // The page is measured as it is delivered: inside the program, both in release.
    let program = program::release(project)?;
    let chromium = Chromium::obtain(Seat::look())?;
    let mut cargo = project.cargo();
    cargo.args(["bench", "--workspace", "--benches", "--target-dir"]).arg(project.target());
    cargo.env("TRAILBRAKE_BIN", program).envs(chromium.variables());
    step::run(cargo.args(args))
}
