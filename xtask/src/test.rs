//! `cargo xtask test`: runs every test.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::axe;
use crate::chromium::Chromium;
use crate::firefox;
use crate::lua::Lua;
use crate::namespace;
use crate::nats;
use crate::needs::Need;
use crate::packages::Seat;
use crate::peers;
use crate::project::Project;
use crate::test_run;
use crate::toolchain::WasmToolchain;
use crate::viewer;
use crate::walk;
use crate::web::{self, Purpose};

/// The variable that names the folder of captures.
const VARIABLE: &str = "TRAILBRAKE_CAPTURES";
/// Why a test does not run with a page that was built for development.
const DELIVERED: &str = "needs the page as it is delivered: run cargo xtask test";
/// Where captures are if they are checked out beside the project.
const CAPTURES: &str = "../shared/captures";

/// Without names, runs every test with the page as it is delivered. With names, runs the tests whose name contains one of
/// them, with a page that is built more quickly.
pub(crate) fn command(project: &Project, names: &[String]) -> Result<()> {
    if let Some(option) = names.iter().find(|name| name.starts_with('-')) {
        bail!("`cargo xtask test` takes names of tests or parts of them, and no option such as {option}");
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let seat = Seat::look();
    let purpose = if names.is_empty() { Purpose::Release } else { Purpose::Development };
    let browser = browser(project, seat, purpose)?;
    let lua = Lua::obtain(seat)?;
    println!("{}", lua.describe());

    let delivered = Need { reason: DELIVERED, variables: (purpose == Purpose::Release).then(Vec::new) };
    let (axe, nats) = (axe::need(project), nats::needs(project, seat));
    let hub_page =
        Need::of_both("needs a browser, axe-core and nats-server: run cargo xtask test", &axe, &nats[0]);
    let captures = captures(project);
    let both = Need::of_both("needs captures and a browser: run cargo xtask test", &captures, &browser);
    let mut needs = vec![captures, browser, both, delivered, axe, hub_page, lua.need(), walk(project)];
    needs.extend([firefox::need(seat), namespace::need(seat)]);
    needs.extend(nats);
    needs.extend(peers::needs(project));
    // Building the workspace's tests builds the program, too.
    test_run::run(project, &[], &names, &needs)
}

/// A `cargo test` with everything that browser tests need, after building the page.
pub(crate) fn in_browser(project: &Project, seat: Seat) -> Result<Command> {
    let mut cargo = project.cargo_test();
    cargo.envs(browser(project, seat, Purpose::Release)?.variables.unwrap_or_default());
    Ok(cargo)
}

/// What browser tests need. Builds the page.
fn browser(project: &Project, seat: Seat, purpose: Purpose) -> Result<Need> {
    let toolchain = WasmToolchain::obtain(project, seat)?;
    println!("{}", toolchain.describe());
    let chromium = Chromium::obtain(seat)?;
    println!("{}", chromium.describe());

    // The page comes first, since the program embeds it.
    web::build(project, &toolchain, purpose)?;
    let viewer = [("TRAILBRAKE_VIEWER", viewer::write(project)?.into())];
    let files = chromium.variables().map(|(variable, file)| (variable, file.into()));
    let program = ("TRAILBRAKE_BIN", project.program("debug").into());
    let variables = Some(files.into_iter().chain([program]).chain(viewer).collect());
    Ok(Need { reason: "needs a browser: run cargo xtask test", variables })
}

/// The walk takes the program that the workspace's tests build.
fn walk(project: &Project) -> Need {
    let variables = Some(vec![(walk::PROGRAM, project.program("debug").into())]);
    Need { reason: "needs a program to walk through: run cargo xtask test", variables }
}

fn captures(project: &Project) -> Need {
    let beside = || Some(project.path(CAPTURES).canonicalize().ok()?.into());
    let folder = std::env::var_os(VARIABLE).or_else(beside);
    if let Some(folder) = &folder {
        println!("captures: {}", Path::new(folder).display());
    }
    Need { reason: "needs captures", variables: folder.map(|folder| vec![(VARIABLE, folder)]) }
}
