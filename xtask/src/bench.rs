//! `cargo xtask bench`: runs every benchmark, including the page's in a real browser.

use anyhow::Result;

use crate::chromium::Chromium;
use crate::packages::Seat;
use crate::program;
use crate::project::Project;
use crate::step;

/// Runs the benchmarks; their ratios within one run are what counts. Arguments filter them.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    // The page is measured as it is delivered: embedded in the program, both in release.
    let program = program::release(project)?;
    let chromium = Chromium::obtain(Seat::look())?;
    let mut cargo = project.cargo();
    cargo.args(["bench", "--workspace", "--benches", "--target-dir"]).arg(project.target());
    cargo.env("TRAILBRAKE_BIN", program).envs(chromium.variables());
    step::run(cargo.args(args))
}
