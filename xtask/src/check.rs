//! `cargo xtask check`: everything that can be said of the code without running it, and the size of the page.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::packages::Seat;
use crate::project::Project;
use crate::step;
use crate::toolchain::WasmToolchain;
use crate::web::{self, Purpose, WasmSize};

/// What a tablet may have to load, compressed.
const BUDGET: usize = 250_000;
/// The size as it was when somebody last looked at it, so that growth shows.
const RECORD: &str = "web/wasm-size.txt";

pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    let record = match args {
        [] => false,
        [flag] if flag == "--record-size" => true,
        _ => bail!("`cargo xtask check` takes only --record-size"),
    };
    let seat = Seat::look();
    let toolchain = WasmToolchain::obtain(project, seat)?;
    println!("{}", toolchain.describe());

    step::quietly("format", project.cargo().args(["fmt", "--all", "--check"]))?;
    step::quietly("lints", &mut lints(project))?;
    match toolchain.lints(project) {
        Some(mut clippy) => {
            clippy.args(["--package", "trailbrake-shared", "--package", "trailbrake-web", "--lib"]);
            step::quietly("lints for WebAssembly", clippy.args(["--", "-D", "warnings"]))?;
        }
        None => step::without_warnings(
            "no warnings for WebAssembly (this compiler comes without clippy)",
            web::compile(project, &toolchain, Purpose::Release).args(["--message-format", "short"]),
        )?,
    }
    step::quietly("documentation", &mut documentation(project))?;
    deny(project, seat)?;
    size(project, web::build(project, &toolchain, Purpose::Release)?, record)
}

fn lints(project: &Project) -> Command {
    let mut cargo = project.cargo();
    cargo.args(["clippy", "--quiet", "--workspace", "--all-targets", "--target-dir"]).arg(project.target());
    cargo.args(["--", "-D", "warnings"]);
    cargo
}

fn documentation(project: &Project) -> Command {
    let mut cargo = project.cargo();
    cargo.args(["doc", "--quiet", "--workspace", "--no-deps", "--target-dir"]).arg(project.target());
    cargo.env("RUSTDOCFLAGS", "-D warnings");
    cargo
}

/// Licences, sources and unwanted crates. Advisories are left to where their database can be fetched.
fn deny(project: &Project, seat: Seat) -> Result<()> {
    if step::answer(project.cargo().args(["deny", "--version"])).is_none() {
        let mut install = project.cargo();
        install.args(["install", "--quiet", "--locked", "cargo-deny"]);
        seat.install_crate("cargo-deny, for licences and sources", &mut install)?;
    }
    let mut cargo = project.cargo();
    cargo.args(["deny", "--log-level", "error", "check", "bans", "licenses", "sources"]);
    step::quietly("licences, sources, bans", &mut cargo)
}

fn size(project: &Project, now: WasmSize, record: bool) -> Result<()> {
    let path = project.path(RECORD);
    let was: Option<usize> = fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok());
    match was {
        Some(was) => {
            let growth = now.gzip as i64 - was as i64;
            println!(
                "wasm: {} bytes gzip, {growth:+} since the record of {was}; the budget is {BUDGET}",
                now.gzip
            );
        }
        None => println!("wasm: {} bytes gzip; the budget is {BUDGET}", now.gzip),
    }
    if record {
        fs::write(&path, format!("{}\n", now.gzip))
            .with_context(|| format!("can't write {}", path.display()))?;
    }
    if now.gzip > BUDGET {
        bail!("the page's WebAssembly is over its budget: {} of {BUDGET} bytes", now.gzip);
    }
    Ok(())
}
