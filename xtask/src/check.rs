//! `cargo xtask check`: everything that can be checked without running the code, the page's size, and the instructions of
//! the hot loops.

use std::process::Command;
use std::thread;

use anyhow::{Result, anyhow, bail};

use crate::cargo_tool::CargoTool;
use crate::instructions;
use crate::packages::Seat;
use crate::page_size::PageSize;
use crate::project::Project;
use crate::step;
use crate::toolchain::WasmToolchain;
use crate::web::{self, Purpose};

/// Crates whose documentation nobody reads: they serve tests.
const OF_TESTS: [&str; 6] = [
    "trailbrake-tests",
    "trailbrake-captures",
    "trailbrake-sink",
    "trailbrake-isolation",
    "trailbrake-hot-loops",
    "trailbrake-fuzz",
];

const DENY: CargoTool =
    CargoTool { name: "cargo-deny", version: "^0.20", purpose: "for licences and sources" };

pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    let record = match args {
        [] => false,
        [flag] if flag == "--record" => true,
        _ => bail!("`cargo xtask check` takes only --record"),
    };
    let seat = Seat::look();
    let toolchain = WasmToolchain::obtain(project, seat)?;
    println!("{}", toolchain.describe());

    step::quietly("format", project.cargo().args(["fmt", "--all", "--check"]))?;
    // Linking the page as a whole keeps one core busy for minutes: the rest of the check takes the others.
    let built = thread::scope(|scope| {
        let page = scope.spawn(|| page(project, &toolchain));
        let rest = without_page(project, seat, record);
        let page = page.join().map_err(|_| anyhow!("the build of the page panicked"))?;
        rest.and(page)
    })?;
    built.check(project, toolchain.name(), record)
}

/// Builds the page, without a warning. Its lints are those of the native build, which compiles the same code.
fn page(project: &Project, toolchain: &WasmToolchain) -> Result<PageSize> {
    let mut compile = web::compile(project, toolchain, Purpose::Release);
    step::without_warnings("page", compile.args(["--quiet", "--message-format", "short"]))?;
    web::build(project, toolchain, Purpose::Release)
}

/// Everything but the page itself.
fn without_page(project: &Project, seat: Seat, record: bool) -> Result<()> {
    step::quietly("lints", &mut lints(project))?;
    without_teams(project)?;
    step::quietly("documentation", &mut documentation(project))?;
    deny(project, seat)?;
    instructions::check(project, seat, record)
}

fn lints(project: &Project) -> Command {
    let mut cargo = project.cargo();
    cargo.args(["clippy", "--quiet", "--workspace", "--all-targets", "--target-dir"]).arg(project.target());
    cargo.args(["--features", "trailbrake-fuzz/engine", "--", "-D", "warnings"]);
    // Nothing is linked: the engine's build script uses this path without checking that the library exists.
    cargo.env("CUSTOM_LIBFUZZER_PATH", "not-linked/libfuzzer.a").env("CUSTOM_LIBFUZZER_STD_CXX", "none");
    cargo
}

/// Checks the program without the feature `team`, which then has no part of what only teams need.
fn without_teams(project: &Project) -> Result<()> {
    let mut clippy = project.cargo();
    clippy.args([
        "clippy",
        "--quiet",
        "--package",
        "trailbrake-relay",
        "--no-default-features",
        "--all-targets",
    ]);
    clippy.arg("--target-dir").arg(project.target()).args(["--", "-D", "warnings"]);
    step::quietly("lints without teams", &mut clippy)?;
    let mut test = project.cargo();
    test.args(["test", "--quiet", "--package", "trailbrake-relay", "--no-default-features"]);
    // The tests of a relay wait more than they compute.
    test.arg("--target-dir").arg(project.target()).args(["--", "--test-threads", "4"]);
    step::quietly("tests without teams", &mut test)?;
    let mut tree = project.cargo();
    tree.args(["tree", "--package", "trailbrake-relay", "--no-default-features", "--prefix", "none"]);
    let tree = step::answer(&mut tree).ok_or_else(|| anyhow!("cargo tree failed"))?;
    match tree
        .lines()
        .find(|line| ["async-nats ", "rustls ", "rcgen "].iter().any(|name| line.starts_with(name)))
    {
        Some(line) => bail!("without teams the program still depends on {line}"),
        None => Ok(()),
    }
}

fn documentation(project: &Project) -> Command {
    let mut cargo = project.cargo();
    cargo.args(["doc", "--quiet", "--workspace", "--no-deps", "--target-dir"]).arg(project.target());
    cargo.args(OF_TESTS.iter().flat_map(|package| ["--exclude", package]));
    cargo.env("RUSTDOCFLAGS", "-D warnings");
    cargo
}

/// Checks licences, sources and banned crates. Advisories are left to machines that can download their database.
fn deny(project: &Project, seat: Seat) -> Result<()> {
    let mut deny = DENY.obtain(project, seat)?;
    deny.args(["--log-level", "error", "--all-features", "check", "bans", "licenses", "sources"]);
    step::quietly("licences, sources, bans", &mut deny)
}
