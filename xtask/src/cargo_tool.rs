//! Tools that cargo installs, for those who do not have them.

use std::env;
use std::process::Command;

use anyhow::Result;

use crate::packages::Seat;
use crate::project::Project;
use crate::step;

/// A tool of cargo's, such as `cargo-deny`.
pub(crate) struct CargoTool {
    /// Its program, which is also its crate.
    pub(crate) name: &'static str,
    /// The version that is installed.
    pub(crate) version: &'static str,
    /// What it is for.
    pub(crate) purpose: &'static str,
}

impl CargoTool {
    /// The installed tool, or one built into the target folder. A build server, whose target folder goes with each run,
    /// gets it where cargo installs.
    pub(crate) fn obtain(&self, project: &Project, seat: Seat) -> Result<Command> {
        let tools = project.target().join("tools");
        let own = tools.join("bin").join(format!("{}{}", self.name, env::consts::EXE_SUFFIX));
        let is_installed = || step::answer(project.command(self.name).arg("--version")).is_some();
        if own.exists() {
            return Ok(project.command(own));
        }
        if is_installed() {
            return Ok(project.command(self.name));
        }
        let mut install = project.cargo();
        // Optimising takes three times as long as is saved later.
        install.args(["install", "--quiet", "--locked", "--debug", "--no-default-features"]);
        install.args([self.name, "--version", self.version]);
        if !seat.is_build_server() {
            install.arg("--root").arg(&tools);
        }
        install.env("CARGO_PROFILE_DEV_DEBUG", "false").env("CARGO_INCREMENTAL", "0");
        seat.install_crate(&format!("{}, {}", self.name, self.purpose), &mut install)?;
        Ok(project.command(if own.exists() { own.into_os_string() } else { self.name.into() }))
    }
}
