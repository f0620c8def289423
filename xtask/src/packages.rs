//! Installs what is missing, with the user's consent.
//!
//! On someone's own machine it asks first. Only a machine without a user (a container, a build server) gets things
//! installed without a question.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::step;

/// Whether a user can be asked about installing things, and who runs this program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    root: bool,
    terminal: bool,
    ci: bool,
}

/// How to handle a missing program.
#[derive(Debug, PartialEq, Eq)]
enum Permission {
    Install,
    Ask,
    OnlySay,
}

impl Seat {
    /// Reads the user, the terminal and the environment.
    pub(crate) fn look() -> Self {
        Self {
            root: step::answer(Command::new("id").arg("-u")).as_deref() == Some("0"),
            terminal: io::stdin().is_terminal() && io::stderr().is_terminal(),
            ci: env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false" && value != "0"),
        }
    }

    /// Whether this is a build server, which has to run everything.
    pub(crate) fn is_build_server(self) -> bool {
        self.ci
    }

    fn leave(self, needs_root: bool) -> Permission {
        match self {
            _ if needs_root && !self.root => Permission::OnlySay,
            Self { terminal: true, ci: false, .. } => Permission::Ask,
            _ if self.root || self.ci => Permission::Install,
            _ => Permission::OnlySay,
        }
    }

    /// Installs Debian packages, if the user agrees.
    pub(crate) fn install_packages(self, purpose: &str, packages: &[&str]) -> Result<()> {
        let typed = format!("apt-get install --no-install-recommends {}", packages.join(" "));
        self.obtain_leave(purpose, &typed, true)?;
        let mut update = apt();
        update.args(["update", "--quiet"]);
        // One unreachable source among several need not matter: the installation shows whether it does.
        if step::quietly("apt-get update", &mut update).is_err() {
            println!("apt-get update failed; trying the package lists that are there");
        }
        let mut install = apt();
        install.args(["install", "--yes", "--quiet", "--no-install-recommends"]).args(packages);
        step::quietly(&typed, &mut install)
    }

    /// Installs a program from crates.io, if the user agrees.
    pub(crate) fn install_crate(self, purpose: &str, install: &mut Command) -> Result<()> {
        let typed = step::as_typed(install);
        self.obtain_leave(purpose, &typed, false)?;
        step::quietly(&typed, install)
    }

    fn obtain_leave(self, purpose: &str, typed: &str, needs_root: bool) -> Result<()> {
        let sudo = if needs_root && !self.root { "sudo " } else { "" };
        match self.leave(needs_root) {
            Permission::Install => println!("{purpose}: installing with `{typed}`"),
            Permission::OnlySay => {
                bail!("{purpose} is missing. Install it, then try again:\n    {sudo}{typed}")
            }
            Permission::Ask => {
                eprint!("{purpose} is missing. Install it now with\n    {typed}\n[y/N] ");
                io::stderr().flush()?;
                let mut reply = String::new();
                io::stdin().read_line(&mut reply)?;
                if !matches!(reply.trim(), "y" | "Y" | "yes") {
                    bail!("{purpose} is missing, and nothing was installed");
                }
            }
        }
        Ok(())
    }
}

/// A program that tests need: the variable that names it, its names on the path, and other locations.
pub(crate) struct Requirement {
    pub(crate) variable: &'static str,
    pub(crate) names: &'static [&'static str],
    pub(crate) places: &'static [&'static str],
}

impl Requirement {
    /// Where it is, unless it is missing.
    pub(crate) fn find(&self) -> Option<PathBuf> {
        if let Some(path) = env::var_os(self.variable) {
            return Some(path.into());
        }
        on_path(self.names).chain(self.places.iter().map(PathBuf::from)).find(|path| path.is_file())
    }
}

/// Whether this machine uses Debian's packages.
pub(crate) fn has_apt() -> bool {
    Path::new("/usr/bin/apt-get").exists()
}

/// Every program on the path with one of these names, ordered as the names are.
pub(crate) fn on_path(names: &'static [&'static str]) -> impl Iterator<Item = PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let named = names.iter().flat_map(move |name| {
        let file = format!("{name}{}", env::consts::EXE_SUFFIX);
        folders.iter().map(move |folder| folder.join(&file)).collect::<Vec<_>>()
    });
    named.filter(|path| path.is_file())
}

fn apt() -> Command {
    let mut apt = Command::new("/usr/bin/apt-get");
    // A fresh machine may be running another installation: wait for it instead of failing.
    apt.args(["-o", "DPkg::Lock::Timeout=180"]).env("DEBIAN_FRONTEND", "noninteractive");
    apt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_surprised_by_an_installation() {
        for bits in 0..16 {
            let [root, terminal, ci, needs_root] = [1, 2, 4, 8].map(|bit| bits & bit != 0);
            let leave = Seat { root, terminal, ci }.leave(needs_root);
            if terminal && !ci {
                assert_ne!(leave, Permission::Install, "someone sits there and has to be asked");
            }
            if needs_root && !root {
                assert_eq!(leave, Permission::OnlySay, "packages can't be installed without root");
            }
            if root && (ci || !terminal) {
                assert_eq!(leave, Permission::Install, "a container sets itself up");
            }
        }
    }

    #[test]
    fn a_program_is_found_on_the_path_and_a_stranger_is_not() {
        let variable = "TRAILBRAKE_NO_SUCH_VARIABLE";
        let cargo = Requirement { variable, names: &["no-such", "cargo"], places: &[] };
        assert!(cargo.find().is_some_and(|path| path.is_file()));
        let stranger = Requirement { variable, names: &["no-such"], places: &["/no/such"] };
        assert_eq!(stranger.find(), None);
    }

    #[test]
    fn without_root_the_advice_has_the_command_with_sudo() {
        let seat = Seat { root: false, terminal: true, ci: false };
        let advice = seat.obtain_leave("Chromium", "apt-get install chromium", true).unwrap_err().to_string();
        assert!(advice.contains("sudo apt-get install chromium"), "{advice}");
    }
}
