//! `cargo xtask memory`: measures what the page takes of memory over two hours of a race.

use anyhow::Result;

use crate::packages::Seat;
use crate::program;
use crate::project::Project;
use crate::step;
use crate::test;

/// The default race time in minutes.
const MINUTES: &str = "120";

/// Prints a row for every ten minutes. Fails if the memory still grows in the last quarter.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    // Twenty times real time needs the program as it is delivered.
    let program = program::release(project)?;
    let mut cargo = test::in_browser(project, Seat::look())?;
    cargo.args(["--package", "trailbrake-tests", "--test", "browser"]);
    cargo.args(["--", "memory::", "--ignored", "--nocapture"]).env("TRAILBRAKE_BIN", program);
    step::run(cargo.env("TRAILBRAKE_MEMORY", args.first().map_or(MINUTES, String::as_str)))
}
