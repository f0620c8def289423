//! `cargo xtask setup`: finds or installs what building and testing need.

use anyhow::{Result, bail};

use crate::chromium::Chromium;
use crate::lua::Lua;
use crate::packages::Seat;
use crate::project::Project;
use crate::toolchain::WasmToolchain;

/// Sets up what building and testing need, and prints what it found.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("`cargo xtask setup` takes no options");
    }
    let seat = Seat::look();
    println!("{}", WasmToolchain::obtain(project, seat)?.describe());
    println!("{}", Chromium::obtain(seat)?.describe());
    println!("{}", Lua::obtain(seat)?.describe());
    Ok(())
}
