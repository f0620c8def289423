//! `cargo xtask kills`: kills the program repeatedly while it records, and checks what is left.

use anyhow::Result;

use crate::project::Project;
use crate::step;

/// The number of kills by default.
const MANY: &str = "100";

/// Prints the rows of docs/recordings.md. Fails if a kill cost more than a second or a file does not open.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    let mut cargo = project.cargo();
    cargo
        .args(["test", "--package", "trailbrake-relay", "--test", "relay", "--target-dir"])
        .arg(project.target());
    cargo.args(["kills::", "--", "--nocapture"]);
    step::run(cargo.env("TRAILBRAKE_KILLS", args.first().map_or(MANY, String::as_str)))
}
