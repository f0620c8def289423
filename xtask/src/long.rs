//! `cargo xtask long`: measures a long race in a real browser against its budgets.

use anyhow::Result;

use crate::packages::Seat;
use crate::project::Project;
use crate::step;
use crate::test;

/// The default length of the race in minutes.
const MINUTES: &str = "180";

/// Prints the rows of docs/recordings.md. Fails if a budget is exceeded.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    let mut cargo = test::in_browser(project, Seat::look())?;
    // Another package's test does not build the program.
    let mut program = project.cargo();
    step::run(program.args(["build", "--quiet", "--target-dir"]).arg(project.target()))?;
    cargo.args(["--package", "trailbrake-tests", "--test", "browser"]);
    cargo.args(["--", "long::", "--ignored", "--nocapture"]);
    step::run(cargo.env("TRAILBRAKE_LONG", args.first().map_or(MINUTES, String::as_str)))
}
