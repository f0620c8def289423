//! Runs programs for Windows on Linux, with Wine.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::packages::{self, Seat};
use crate::project::Project;
use crate::step;
use crate::system::MINGW;

const NAMES: &[&str] = &["wine", "wine64"];
const DEBIAN_PACKAGES: &[&str] = &["wine", "wine64"];

/// Rust's standard library takes its random numbers from this library, which older versions of Wine lack.
const RANDOM: &str = "bcryptprimitives.dll";
const RANDOM_SOURCE: &str = "xtask/files/bcryptprimitives.c";

/// Wine with a Windows folder of its own.
pub(crate) struct Wine {
    program: PathBuf,
    windows: PathBuf,
}

impl Wine {
    /// Finds Wine, or installs it where possible, and prepares its Windows folder.
    pub(crate) fn obtain(project: &Project, seat: Seat) -> Result<Self> {
        if packages::on_path(NAMES).next().is_none() && packages::has_apt() {
            seat.install_packages("Wine, to run the program for Windows", DEBIAN_PACKAGES)?;
        }
        let Some(program) = packages::on_path(NAMES).next() else {
            bail!(
                "no Wine to run the program for Windows. Install it, for instance with your package manager"
            );
        };
        let wine = Self { program, windows: project.target().join("wine") };
        let system = wine.windows.join("drive_c/windows/system32");
        if !system.join(RANDOM).is_file() {
            fs::create_dir_all(&wine.windows).context("can't create a folder for Wine")?;
            step::quietly(
                "Wine's Windows folder",
                Command::new(&wine.program).arg("wineboot").envs(wine.variables()),
            )?;
            let mut compile = project.command(MINGW);
            compile.args(["-shared", "-O1", RANDOM_SOURCE, "-ladvapi32", "-o"]).arg(system.join(RANDOM));
            step::quietly(RANDOM, &mut compile)?;
        }
        Ok(wine)
    }

    /// One line: what was found.
    pub(crate) fn describe(&self) -> String {
        format!("Wine: {}", self.program.display())
    }

    /// The program that starts programs for Windows.
    pub(crate) fn launcher(&self) -> &PathBuf {
        &self.program
    }

    /// The variables that it needs: no questions about what it does not have, no notes of its own.
    pub(crate) fn variables(&self) -> [(&'static str, OsString); 3] {
        [
            ("WINEPREFIX", self.windows.clone().into()),
            ("WINEDEBUG", "-all".into()),
            ("WINEDLLOVERRIDES", "mscoree=;mshtml=".into()),
        ]
    }
}
