//! The project's paths: its folder, its build output, and the files that commands read and write.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::step;

/// The checked-out project that commands work on.
pub(crate) struct Project {
    root: PathBuf,
    target: PathBuf,
}

impl Project {
    /// The project that this program was built from.
    pub(crate) fn locate() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .context("the xtask folder lies at the root of the disk; it belongs inside the project")?;
        // Cargo places this program in <target>/<profile>/, however its target directory was configured.
        let own = env::current_exe().context("can't tell where this program lies")?;
        let target = own
            .ancestors()
            .nth(2)
            .context("this program was moved out of cargo's target folder; start it with `cargo xtask`")?;
        Ok(Self { root: root.to_path_buf(), target: target.to_path_buf() })
    }

    /// The path of a file given relative to the project's folder.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Cargo's output folder for native builds.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// The output folder for wasm builds, separate because they may use another compiler.
    pub(crate) fn wasm_target(&self) -> PathBuf {
        self.target.join("wasm")
    }

    /// The finished web app, as the relay embeds or serves it.
    pub(crate) fn dist(&self) -> PathBuf {
        self.path("web/dist")
    }

    /// The native program `trailbrake`.
    pub(crate) fn program(&self, profile: &str) -> PathBuf {
        self.target.join(profile).join(format!("trailbrake{}", env::consts::EXE_SUFFIX))
    }

    /// The commit that is checked out, such as `0a1b2c3 of 2026-11-22`.
    pub(crate) fn commit(&self) -> String {
        let git = |arguments: &[&str]| step::answer(self.command("git").args(arguments));
        let Some(commit) = git(&["log", "-1", "--format=%h of %cs"]) else { return "unknown".to_owned() };
        let is_changed =
            git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|list| !list.is_empty());
        if is_changed { format!("{commit}, with changes") } else { commit }
    }

    /// A command that runs in the project's folder.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }

    /// The cargo that started this program, running in the project's folder.
    pub(crate) fn cargo(&self) -> Command {
        self.command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
    }

    /// A `cargo test` that uses the target folder of this program.
    pub(crate) fn cargo_test(&self) -> Command {
        let mut cargo = self.cargo();
        cargo.arg("test").arg("--target-dir").arg(&self.target);
        cargo
    }
}
