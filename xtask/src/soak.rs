//! `cargo xtask soak`: all simulated games for a long time, recorded and shown.

use anyhow::{Result, bail};

use crate::packages::Seat;
use crate::program;
use crate::project::Project;
use crate::step;
use crate::test;

/// The default length in minutes.
const MINUTES: &str = "30";

/// Prints what memory and files took. Fails if a packet is missing or memory still grows in the last quarter.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    let minutes = match args {
        [] => MINUTES,
        [flag, minutes] if flag == "--minutes" => minutes,
        _ => bail!("`cargo xtask soak` takes only --minutes N"),
    };
    // Seven games at several times real time need the program as it is delivered.
    let program = program::release(project)?;
    let mut cargo = test::in_browser(project, Seat::look())?;
    cargo.args(["--package", "trailbrake-tests", "--test", "browser"]);
    cargo.args(["--", "soak::", "--ignored", "--nocapture"]).env("TRAILBRAKE_BIN", program);
    step::run(cargo.env("TRAILBRAKE_SOAK", minutes))
}
