//! `cargo xtask check`: everything that can be checked without running the code, the page's size, and the instructions of
//! the hot loops.

use std::fs;
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, anyhow, bail};

use crate::cargo_tool::CargoTool;
use crate::instructions;
use crate::packages::Seat;
use crate::project::Project;
use crate::step;
use crate::toolchain::WasmToolchain;
use crate::web::{self, Purpose, WasmSize};

/// The budget for the page's compressed size, in bytes: a second at 20 Mbit/s.
const BUDGET: usize = 2_500_000;
/// The size when it was last reviewed, so that growth shows.
const RECORD: &str = "web/wasm-size.txt";
/// Growth since then that fails the check, in per cent.
const UNSEEN_GROWTH: usize = 5;

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
    size(project, toolchain.name(), built, record)
}

/// Builds the page, without a warning. Its lints are those of the native build, which compiles the same code.
fn page(project: &Project, toolchain: &WasmToolchain) -> Result<WasmSize> {
    let mut compile = web::compile(project, toolchain, Purpose::Release);
    step::without_warnings("page", compile.args(["--quiet", "--message-format", "short"]))?;
    web::build(project, toolchain, Purpose::Release)
}

/// Everything but the page itself.
fn without_page(project: &Project, seat: Seat, record: bool) -> Result<()> {
    step::quietly("lints", &mut lints(project))?;
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

fn size(project: &Project, toolchain: &str, now: WasmSize, record: bool) -> Result<()> {
    let path = project.path(RECORD);
    let known = fs::read_to_string(&path).unwrap_or_default();
    let was = recorded(&known, toolchain);
    let compared = match was {
        Some(was) => format!("was {was}, {:+}", now.gzip as i64 - was as i64),
        None => "not recorded yet".to_owned(),
    };
    println!("wasm: {} bytes gzip ({compared}); the budget is {BUDGET}", now.gzip);
    if record {
        fs::write(&path, with_record(&known, toolchain, now.gzip))
            .with_context(|| format!("can't write {}", path.display()))?;
    } else if was.is_some_and(|was| grew(was, now.gzip)) {
        bail!(
            "the page's WebAssembly grew by more than {UNSEEN_GROWTH} %: see what it grew by, and if it is worth \
             that, record it with `cargo xtask check --record`"
        );
    }
    if now.gzip > BUDGET {
        bail!("the page's WebAssembly is over its budget: {} of {BUDGET} bytes", now.gzip);
    }
    Ok(())
}

fn grew(was: usize, now: usize) -> bool {
    now * 100 > was * (100 + UNSEEN_GROWTH)
}

/// A toolchain's recorded size. The record has a line per toolchain: its name and the bytes.
fn recorded(record: &str, toolchain: &str) -> Option<usize> {
    record.lines().find_map(|line| line.strip_prefix(toolchain)?.trim().parse().ok())
}

fn with_record(record: &str, toolchain: &str, bytes: usize) -> String {
    let others = record.lines().filter(|line| !line.starts_with(toolchain)).map(str::to_owned);
    let mut lines: Vec<String> = others.chain([format!("{toolchain} {bytes}")]).collect();
    lines.sort();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_looked_at_before_it_is_let_through() {
        assert!(!grew(100_000, 90_000) && !grew(100_000, 105_000));
        assert!(grew(100_000, 105_001));
    }

    #[test]
    fn each_toolchain_has_its_own_record() {
        let first = with_record("", "target", 148_600);
        let both = with_record(&first, "debian", 144_000);
        let later = with_record(&both, "target", 150_000);
        assert_eq!(later, "debian 144000\ntarget 150000\n");
        assert_eq!(recorded(&later, "target"), Some(150_000));
        assert_eq!(recorded(&later, "debian"), Some(144_000));
        assert_eq!(recorded(&first, "debian"), None);
    }
}
