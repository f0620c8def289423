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
    let toolchain = WasmToolchain::obtain(project, seat)?;
    println!("{}", toolchain.describe());
    let chromium = Chromium::obtain(seat)?;
    println!("{}", chromium.describe());
    let lua = Lua::obtain(seat)?;
    println!("{}", lua.describe());

    // First the page, since the program carries it inside.
    web::build(project, &toolchain, Purpose::Release)?;
    step::quietly("every fuzz target compiles", &mut fuzz_targets(project))?;

    let mut cargo = project.cargo();
    cargo.args(["test", "--workspace", "--quiet"]).arg("--target-dir").arg(project.target());
    // Building the tests of the workspace builds the program as well.
    cargo.env("TRAILBRAKE_BIN", project.program("debug"));
    cargo.envs(chromium.variables()).envs([lua.variable()]);
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
