//! The systems that Trailbrake is released for, and how the program is built for each.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::archive::Format;
use crate::packages::{self, Seat};
use crate::project::Project;
use crate::step;
use crate::toolchain;

/// The profile in the root manifest.
const PROFILE: &str = "dist";

/// Debian's compiler for Windows: its linker, and for the C in what encrypts.
pub(crate) const MINGW: &str = "x86_64-w64-mingw32-gcc";
const MINGW_PACKAGES: &[&str] = &["gcc-mingw-w64-x86-64"];

/// A system that a release is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum System {
    Linux,
    Windows,
    MacOs,
}

impl System {
    pub(crate) const ALL: [Self; 3] = [Self::Linux, Self::Windows, Self::MacOs];

    /// Its name on the command line and in the names of archives.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::Windows => "windows",
            Self::MacOs => "macos",
        }
    }

    /// Whether this is the system that we are on.
    pub(crate) fn is_here(self) -> bool {
        env::consts::OS == self.name()
    }

    /// Whether the program can be built here.
    pub(crate) fn builds_here(self) -> bool {
        self.is_here() || self == Self::Windows && cfg!(target_os = "linux")
    }

    /// The processor that the program is built for.
    pub(crate) fn processor(self) -> &'static str {
        if self.is_here() { env::consts::ARCH } else { "x86_64" }
    }

    /// The program's file name.
    pub(crate) fn program(self) -> &'static str {
        match self {
            Self::Windows => "trailbrake.exe",
            Self::Linux | Self::MacOs => "trailbrake",
        }
    }

    /// The format of its archive.
    pub(crate) fn format(self) -> Format {
        match self {
            Self::Windows => Format::Zip,
            Self::Linux | Self::MacOs => Format::TarGz,
        }
    }

    /// The target triple. On Linux it is one whose programs run on every distribution.
    pub(crate) fn triple(self) -> String {
        let processor = self.processor();
        match self {
            Self::Linux => format!("{processor}-unknown-linux-musl"),
            Self::Windows if self.is_here() => format!("{processor}-pc-windows-msvc"),
            Self::Windows => format!("{processor}-pc-windows-gnu"),
            Self::MacOs => format!("{processor}-apple-darwin"),
        }
    }

    /// Builds the program with the page that is in `web/dist`. Returns its path.
    pub(crate) fn build(self, project: &Project, seat: Seat) -> Result<PathBuf> {
        let mut triple = self.triple();
        if let Err(reason) = toolchain::add_target(project, &triple)? {
            if self != Self::Linux {
                bail!("no compiler for {triple}: {reason}. What to do:\n    rustup target add {triple}");
            }
            let own = format!("{}-unknown-linux-gnu", self.processor());
            println!(
                "no compiler for {triple} ({reason}): the program is built for {own}, and needs a system as new as this"
            );
            triple = own;
        }
        if self == Self::Windows && !self.is_here() && packages::on_path(&[MINGW]).next().is_none() {
            seat.install_packages("a linker for Windows", MINGW_PACKAGES)?;
        }
        println!("building the program for {triple}");
        let mut cargo = project.cargo();
        cargo.args(["build", "--quiet", "--locked", "--package", "trailbrake-relay", "--bin", "trailbrake"]);
        cargo.args(["--profile", PROFILE, "--target", &triple, "--target-dir"]).arg(project.target());
        cargo.env("CARGO_ENCODED_RUSTFLAGS", toolchain::without_places(project));
        // What encrypts is partly C that needs no library: the system's compiler serves musl, too.
        let compiler = format!("CC_{}", triple.replace('-', "_"));
        if triple.ends_with("-musl") && env::var_os(&compiler).is_none() {
            cargo.env(compiler, "cc");
        }
        step::run(cargo.env("TRAILBRAKE_COMMIT", project.commit()))?;
        let folder = Path::new(project.target()).join(&triple).join(PROFILE);
        Ok(folder.join(self.program()))
    }
}
