//! `cargo xtask test`: every test there is.

use std::process::Command;

use anyhow::{Result, bail};

use crate::chromium::Chromium;
use crate::lua::Lua;
use crate::packages::Seat;
use crate::peers;
use crate::project::Project;
use crate::step;
use crate::toolchain::WasmToolchain;
use crate::web::{self, Purpose};

/// Where real packets lie when the project is checked out beside them.
const CAPTURES: &str = "../shared/captures";

pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("`cargo xtask test` takes no options; for one test use `cargo test`");
    }
    let seat = Seat::look();
    let mut cargo = in_browser(project, seat)?;
    let lua = Lua::obtain(seat)?;
    println!("{}", lua.describe());
    step::quietly("every fuzz target compiles", &mut fuzz_targets(project))?;

    // Building the tests of the workspace builds the program as well.
    cargo.args(["--workspace", "--quiet"]).envs([lua.variable()]);
    if let Some(captures) = captures(project) {
        cargo.env("TRAILBRAKE_CAPTURES", captures);
    }
    match peers::python(project) {
        Some(python) => drop(cargo.env(peers::PYTHON, python)),
        None => {
            println!("tests against other programs' libraries are skipped: `cargo xtask peers` installs them")
        }
    }
    step::run(&mut cargo)
}

/// A `cargo test` that finds all that a test in a browser needs, with the page that it is about just built.
pub(crate) fn in_browser(project: &Project, seat: Seat) -> Result<Command> {
    let toolchain = WasmToolchain::obtain(project, seat)?;
    println!("{}", toolchain.describe());
    let chromium = Chromium::obtain(seat)?;
    println!("{}", chromium.describe());

    // First the page, since the program carries it inside.
    web::build(project, &toolchain, Purpose::Release)?;
    let mut cargo = project.cargo();
    cargo.arg("test").arg("--target-dir").arg(project.target());
    cargo.env("TRAILBRAKE_BIN", project.program("debug")).envs(chromium.variables());
    Ok(cargo)
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

fn captures(project: &Project) -> Option<std::ffi::OsString> {
    if let Some(told) = std::env::var_os("TRAILBRAKE_CAPTURES") {
        return Some(told);
    }
    let captures = project.path(CAPTURES).canonicalize().ok()?;
    println!("captures: {}", captures.display());
    Some(captures.into())
}
