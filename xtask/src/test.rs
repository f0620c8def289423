//! `cargo xtask test`: every test there is.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::chromium::Chromium;
use crate::lua::Lua;
use crate::needs::{self, Need};
use crate::packages::Seat;
use crate::peers;
use crate::project::Project;
use crate::step;
use crate::toolchain::WasmToolchain;
use crate::web::{self, Purpose};

/// The folder with real packets.
const VARIABLE: &str = "TRAILBRAKE_CAPTURES";
/// Where real packets lie when the project is checked out beside them.
const CAPTURES: &str = "../shared/captures";

pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("`cargo xtask test` takes no options; for one test use `cargo test`");
    }
    let seat = Seat::look();
    let browser = browser(project, seat)?;
    let lua = Lua::obtain(seat)?;
    println!("{}", lua.describe());
    step::quietly("every fuzz target compiles", &mut fuzz_targets(project))?;

    let mut needs = vec![captures(project), browser, lua.need()];
    needs.extend(peers::needs(project));
    // Building the tests of the workspace builds the program as well.
    let workspace = || {
        let mut cargo = cargo(project);
        cargo.arg("--workspace");
        cargo
    };
    needs::run(&workspace, &[], &needs)
}

/// A `cargo test` into the folder that this program was built in.
pub(crate) fn cargo(project: &Project) -> Command {
    let mut cargo = project.cargo();
    cargo.arg("test").arg("--target-dir").arg(project.target());
    cargo
}

/// A `cargo test` that finds all that a test in a browser needs, with the page that it is about just built.
pub(crate) fn in_browser(project: &Project, seat: Seat) -> Result<Command> {
    let mut cargo = cargo(project);
    cargo.envs(browser(project, seat)?.variables.unwrap_or_default());
    Ok(cargo)
}

/// What a test in a browser needs, with the page that it is about just built.
fn browser(project: &Project, seat: Seat) -> Result<Need> {
    let toolchain = WasmToolchain::obtain(project, seat)?;
    println!("{}", toolchain.describe());
    let chromium = Chromium::obtain(seat)?;
    println!("{}", chromium.describe());

    // First the page, since the program carries it inside.
    web::build(project, &toolchain, Purpose::Release)?;
    let files = chromium.variables().map(|(variable, file)| (variable, file.into()));
    let program = ("TRAILBRAKE_BIN", project.program("debug").into());
    let variables = Some(files.into_iter().chain([program]).collect());
    Ok(Need { reason: "needs a browser: run cargo xtask test", variables })
}

/// The fuzz targets as `cargo fuzz` compiles them, but not linked: that would need the engine and a C++ compiler.
fn fuzz_targets(project: &Project) -> Command {
    let mut cargo = project.cargo();
    cargo.args(["check", "--quiet", "--package", "trailbrake-fuzz", "--bins"]);
    // Other flags, other output: in a folder of its own, so that neither build throws the other's work away.
    cargo.arg("--target-dir").arg(project.target().join("fuzz"));
    // The engine's build script takes the library that it is told of, and never looks whether it is there.
    cargo.env("CUSTOM_LIBFUZZER_PATH", "not-linked/libfuzzer.a").env("CUSTOM_LIBFUZZER_STD_CXX", "none");
    cargo.env_remove("CARGO_ENCODED_RUSTFLAGS").env("RUSTFLAGS", "--cfg fuzzing");
    cargo
}

fn captures(project: &Project) -> Need {
    let beside = || Some(project.path(CAPTURES).canonicalize().ok()?.into());
    let folder = std::env::var_os(VARIABLE).or_else(beside);
    if let Some(folder) = &folder {
        println!("captures: {}", Path::new(folder).display());
    }
    Need { reason: "needs captures", variables: folder.map(|folder| vec![(VARIABLE, folder)]) }
}
