//! `cargo xtask load`: more packets than any game sends, through the receiver and into a recording.

use anyhow::Result;

use crate::project::Project;
use crate::step;

/// Packets a second, unless a number is given.
const RATE: &str = "50000";

/// Prints the rows that stand in docs/recordings.md; fails when the recorder loses something that was heard.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    let mut cargo = project.cargo();
    // What is measured is what is delivered.
    cargo.args(["test", "--release", "--package", "trailbrake-relay", "--test", "relay", "--target-dir"]);
    cargo.arg(project.target()).args(["load::", "--", "--nocapture"]);
    step::run(cargo.env("TRAILBRAKE_LOAD", args.first().map_or(RATE, String::as_str)))
}
