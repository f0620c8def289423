//! `cargo xtask load`: sends more packets than any game, through the receiver and into a recording.

use anyhow::Result;

use crate::project::Project;
use crate::step;

/// Packets per second by default.
const RATE: &str = "50000";

/// Prints the rows of docs/recordings.md. Fails if the recorder loses a packet that was received.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    let mut cargo = project.cargo();
    // Measures the release build, which is what is delivered.
    cargo.args(["test", "--release", "--package", "trailbrake-relay", "--test", "relay", "--target-dir"]);
    cargo.arg(project.target()).args(["load::", "--", "--nocapture"]);
    step::run(cargo.env("TRAILBRAKE_LOAD", args.first().map_or(RATE, String::as_str)))
}
