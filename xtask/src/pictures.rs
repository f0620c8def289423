//! `cargo xtask pictures`: updates the pictures of README and docs from the browser tests.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::packages::Seat;
use crate::project::Project;
use crate::step;
use crate::test;

/// The pictures, each with the test that takes it.
const PICTURES: &[(&str, &str)] = &[
    ("analyse-1400-dark", "analyse::a_dropped_recording"),
    ("coach-share", "coach::"),
    ("coach-lesson", "coach::"),
    ("coach-task", "coach::"),
    ("coach-hit", "coach::"),
    ("coach-verdict", "coach::"),
    ("live-1400-dark", "demo::"),
    ("live-1024-light", "demo::"),
    ("rally-1024-light", "rally::"),
    ("team", "team::"),
    ("waiting", "first_start::"),
];

/// Takes all pictures of the page that was just built.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("`cargo xtask pictures` takes no options");
    }
    let taken = project.target().join("pictures");
    let mut cargo = test::in_browser(project, Seat::look())?;
    // Another package's test does not build the program.
    let mut program = project.cargo();
    step::run(program.args(["build", "--quiet", "--target-dir"]).arg(project.target()))?;
    cargo.args(["--quiet", "--package", "trailbrake-tests", "--test", "browser", "--", "--ignored"]);
    let mut tests: Vec<&str> = PICTURES.iter().map(|(_, test)| *test).collect();
    tests.dedup();
    step::run(cargo.args(tests).env("TRAILBRAKE_PICTURES", &taken))?;
    for (name, test) in PICTURES {
        let file = format!("{name}.png");
        let (from, to) = (taken.join(&file), project.path("docs/pictures").join(&file));
        fs::copy(&from, &to).with_context(|| format!("{test} took no picture {file}"))?;
        println!("docs/pictures/{file}");
    }
    Ok(())
}
