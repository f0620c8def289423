//! `cargo xtask long`: a long race in a real browser, against the budgets that are meant for it.

use anyhow::Result;

use crate::packages::Seat;
use crate::project::Project;
use crate::step;
use crate::test;

/// Minutes, unless a number is given.
const MINUTES: &str = "180";

/// Prints the rows that stand in docs/recordings.md; fails when a budget is exceeded.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    let mut cargo = test::in_browser(project, Seat::look())?;
    // The program is a package of its own: a test of another one does not build it.
    let mut program = project.cargo();
    step::run(program.args(["build", "--quiet", "--target-dir"]).arg(project.target()))?;
    cargo.args(["--package", "trailbrake-tests", "--test", "browser"]);
    cargo.args(["--", "long::", "--ignored", "--nocapture"]);
    step::run(cargo.env("TRAILBRAKE_LONG", args.first().map_or(MINUTES, String::as_str)))
}
