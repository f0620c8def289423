//! `cargo xtask why`: plants mistakes in the simulator, and measures how well their causes are found.

use anyhow::Result;

use crate::project::Project;
use crate::step;

/// The number of mistakes by default.
const MANY: &str = "1000";

/// Writes docs/why-errors.md. Takes about half a second of each core for a mistake.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    let mut cargo = project.cargo();
    cargo.args(["test", "--package", "trailbrake-shared", "--test", "main", "--target-dir"]);
    cargo.arg(project.target()).args(["analysis::causes::", "--", "--nocapture"]);
    step::run(cargo.env("TRAILBRAKE_WHY_SEEDS", args.first().map_or(MANY, String::as_str)))
}
