//! `cargo xtask kills`: kills the program again and again while it records, and looks at what is left.

use anyhow::Result;

use crate::project::Project;
use crate::step;

/// Kills, unless a number is given.
const MANY: &str = "100";

/// Prints the rows that stand in docs/recordings.md; fails when a kill cost more than a second, or a file does not open.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    let mut cargo = project.cargo();
    cargo
        .args(["test", "--package", "trailbrake-relay", "--test", "relay", "--target-dir"])
        .arg(project.target());
    cargo.args(["kills::", "--", "--nocapture"]);
    step::run(cargo.env("TRAILBRAKE_KILLS", args.first().map_or(MANY, String::as_str)))
}
