//! `cargo xtask setup`, and the benchmarks: commands of a few lines.

use anyhow::{Result, bail};

use crate::chromium::Chromium;
use crate::packages::Seat;
use crate::project::Project;
use crate::step;
use crate::toolchain::WasmToolchain;

/// Sets up what building and testing need, and says what it found.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("`cargo xtask setup` takes no options");
    }
    let seat = Seat::look();
    println!("{}", WasmToolchain::obtain(project, seat)?.describe());
    println!("{}", Chromium::obtain(seat)?.describe());
    Ok(())
}

/// Runs every benchmark; what counts in them are the ratios within one run.
pub(crate) fn bench_command(project: &Project, args: &[String]) -> Result<()> {
    let mut cargo = project.cargo();
    cargo.args(["bench", "--workspace", "--benches"]).args(args);
    step::run(&mut cargo)
}
