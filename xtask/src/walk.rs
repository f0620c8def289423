//! Walks through a program as a new user would: the test `walk`, with any built program.

use std::path::Path;

use anyhow::Result;

use crate::chromium::Chromium;
use crate::packages::Seat;
use crate::project::Project;
use crate::step;
use crate::system::System;
use crate::wine::Wine;

/// The program to walk through.
pub(crate) const PROGRAM: &str = "TRAILBRAKE_WALK";
/// What starts it, where the system can't.
const LAUNCHER: &str = "TRAILBRAKE_WALK_WITH";

/// Walks through a program for a system.
pub(crate) fn run(project: &Project, seat: Seat, system: System, program: &Path) -> Result<()> {
    let chromium = Chromium::obtain(seat)?;
    let mut cargo = project.cargo_test();
    cargo.args(["--quiet", "--package", "trailbrake-tests", "--test", "walk", "--", "--ignored"]);
    cargo.envs(chromium.variables()).env(PROGRAM, program);
    if !system.is_here() {
        let wine = Wine::obtain(project, seat)?;
        println!("{}", wine.describe());
        cargo.env(LAUNCHER, wine.launcher()).envs(wine.variables());
    }
    step::quietly(&format!("a walk through {}", program.display()), &mut cargo)
}
