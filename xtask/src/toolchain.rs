//! Finds a compiler that can build for the browser.
//!
//! The ways are tried in the order of their cost; installed compilers come before downloads:
//!
//! 1. the active toolchain has the target `wasm32-unknown-unknown`;
//! 2. Debian's own compiler is installed, with the standard library's source and the wasm linker: it builds the
//!    standard library along with the app;
//! 3. rustup downloads the target, if it can within [`RUSTUP_LIMIT`];
//! 4. Debian's packages for the second way are installed.
//!
//! `TRAILBRAKE_WASM=installed`, `rustup` or `debian` restricts the choice, for instance to test one of them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::packages::{self, Seat};
use crate::project::Project;
use crate::step::{self, Ended};

/// The target triple of the web app.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// A download of some 20 MB that takes this long is not slow: the network drops packets.
const RUSTUP_LIMIT: Duration = Duration::from_secs(120);

/// The compiler that Debian builds its browsers with: always recent, unlike the package `rustc` of a stable release.
const DEBIAN_PACKAGES: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "lld-19"];
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";

/// A compiler for the browser, with the reason it was chosen.
pub(crate) struct WasmToolchain {
    means: Means,
    why: String,
}

enum Means {
    /// The active toolchain has a standard library for the target.
    Target,
    /// Debian's compiler, which builds the standard library itself and needs the path of its linker.
    Debian { linker: PathBuf },
}

impl WasmToolchain {
    /// Finds a toolchain, or sets one up.
    pub(crate) fn obtain(project: &Project, seat: Seat) -> Result<Self> {
        let choice = Choice::from_environment()?;
        let mut tried = Vec::new();

        if choice.allows(Choice::Installed) {
            match installed_target(project, WASM) {
                Ok(sysroot) => return Ok(Self::with_target(format!("{} has it", sysroot.display()))),
                Err(reason) => tried.push(format!("active toolchain: {reason}")),
            }
        }
        if choice.allows(Choice::Debian) {
            match debian_linker() {
                Ok(linker) => return Ok(Self::debian(linker, &tried)),
                Err(reason) => tried.push(format!("Debian's compiler: {reason}")),
            }
        }
        if choice.allows(Choice::Rustup) {
            match ask_rustup(project, WASM)? {
                Ok(()) => return Ok(Self::with_target("rustup added the target".to_owned())),
                Err(reason) => tried.push(format!("rustup: {reason}")),
            }
        }
        if choice.allows(Choice::Debian) && packages::has_apt() {
            for reason in &tried {
                println!("{reason}");
            }
            seat.install_packages("a compiler for WebAssembly", DEBIAN_PACKAGES)?;
            match debian_linker() {
                Ok(linker) => return Ok(Self::debian(linker, &["its packages were installed".to_owned()])),
                Err(reason) => tried.push(format!("Debian's compiler, after its installation: {reason}")),
            }
        }
        bail!("no compiler for {WASM}.\n  {}\nWhat to do:\n{HOW_TO_GET_ONE}", tried.join("\n  "))
    }

    /// One line: the chosen toolchain, and why.
    pub(crate) fn describe(&self) -> String {
        let means = match &self.means {
            Means::Target => format!("the active toolchain's target {WASM}"),
            Means::Debian { .. } => "Debian's compiler, building the standard library along".to_owned(),
        };
        format!("wasm: {means} ({})", self.why)
    }

    /// The key of its recorded size: a standard library built along with the app is also optimised for size.
    pub(crate) fn name(&self) -> &'static str {
        match self.means {
            Means::Target => "target",
            Means::Debian { .. } => "debian",
        }
    }

    /// A cargo subcommand that compiles for the browser, without settings meant for native builds.
    pub(crate) fn cargo(&self, project: &Project, subcommand: &str) -> Command {
        let mut cargo = match self.means {
            Means::Target => project.cargo(),
            Means::Debian { .. } => project.command(DEBIAN_CARGO),
        };
        let own_compiler = matches!(self.means, Means::Debian { .. });
        for (name, _) in env::vars_os() {
            if name.to_str().is_some_and(|name| disturbs(name, own_compiler)) {
                cargo.env_remove(name);
            }
        }
        cargo.env("CARGO_ENCODED_RUSTFLAGS", [ERASED_VIEWS, &without_places(project)].join("\x1f"));
        cargo.arg(subcommand).args(["--target", WASM, "--target-dir"]).arg(project.wasm_target());
        if let Means::Debian { linker } = &self.means {
            cargo
                .arg("-Zbuild-std=std,panic_abort")
                // Debian's compiler is a stable release, in which `-Zbuild-std` needs this variable.
                .env("RUSTC_BOOTSTRAP", "1")
                .env("RUSTC", DEBIAN_RUSTC)
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
                .env("PATH", system_path_first());
        }
        cargo
    }

    fn with_target(why: String) -> Self {
        Self { means: Means::Target, why }
    }

    fn debian(linker: PathBuf, tried: &[String]) -> Self {
        let why = if tried.is_empty() { "TRAILBRAKE_WASM asks for it".to_owned() } else { tried.join("; ") };
        Self { means: Means::Debian { linker }, why }
    }
}

const HOW_TO_GET_ONE: &str = "\
  with rustup:        rustup target add wasm32-unknown-unknown
  Debian, Ubuntu:     sudo apt-get install rustc-web cargo-web rust-web-src lld-19
  Fedora:             sudo dnf install rust-std-static-wasm32-unknown-unknown lld
  Arch:               sudo pacman -S rust-wasm lld
  macOS, Windows:     install Rust from https://rustup.rs, then use the first line";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Any,
    Installed,
    Rustup,
    Debian,
}

impl Choice {
    fn from_environment() -> Result<Self> {
        Ok(match env::var("TRAILBRAKE_WASM").as_deref() {
            Err(_) | Ok("") => Self::Any,
            Ok("installed") => Self::Installed,
            Ok("rustup") => Self::Rustup,
            Ok("debian") => Self::Debian,
            Ok(other) => bail!("TRAILBRAKE_WASM is `{other}`; it can be installed, rustup or debian"),
        })
    }

    fn allows(self, way: Self) -> bool {
        self == Self::Any || self == way
    }
}

/// Finds a target in the active toolchain, or has rustup add it. Returns the reason if neither works.
pub(crate) fn add_target(project: &Project, triple: &str) -> Result<Result<(), String>> {
    match installed_target(project, triple) {
        Ok(_) => Ok(Ok(())),
        Err(_) => ask_rustup(project, triple),
    }
}

fn installed_target(project: &Project, triple: &str) -> Result<PathBuf, String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let sysroot = step::answer(project.command(rustc).args(["--print", "sysroot"]))
        .map(PathBuf::from)
        .ok_or("rustc does not run")?;
    if sysroot.join("lib/rustlib").join(triple).join("lib").is_dir() {
        Ok(sysroot)
    } else {
        Err("it has no such target".to_owned())
    }
}

fn ask_rustup(project: &Project, triple: &str) -> Result<Result<(), String>> {
    let mut add = project.command("rustup");
    add.args(["target", "add", triple]);
    Ok(match step::within(RUSTUP_LIMIT, &mut add)? {
        Ended::Well => installed_target(project, triple).map(drop),
        Ended::Badly => Err(format!("`{}` failed", step::as_typed(&add))),
        Ended::OutOfTime => Err(format!("no answer within {} s", RUSTUP_LIMIT.as_secs())),
        Ended::NotFound => Err("not on this machine".to_owned()),
    })
}

/// The linker, if all of Debian's toolchain is installed and recent enough. Otherwise the reason.
fn debian_linker() -> Result<PathBuf, String> {
    if !Path::new(DEBIAN_CARGO).exists() {
        return Err("not installed".to_owned());
    }
    let version = step::answer(Command::new(DEBIAN_RUSTC).arg("--version")).ok_or("not installed")?;
    let needed = env!("CARGO_PKG_RUST_VERSION");
    if version_of(&version) < version_of(needed) {
        // A stable release begins with an old compiler; its security updates replace it together with the browsers.
        return Err(format!(
            "{version} is too old, {needed} is needed: add Debian's security updates to the package sources"
        ));
    }
    let source = Path::new("/usr/lib/rustlib/src/rust/library");
    if !source.exists() {
        return Err(format!("the standard library's source is missing ({})", source.display()));
    }
    newest_wasm_linker(Path::new("/usr/bin")).ok_or_else(|| "the linker wasm-ld is missing".to_owned())
}

fn newest_wasm_linker(folder: &Path) -> Option<PathBuf> {
    fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter_map(|entry| linker_rank(entry.file_name().to_str()?).map(|rank| (rank, entry.path())))
        .max()
        .map(|(_, path)| path)
}

/// `wasm-ld-19` ranks 19. The plain name, whose version is unknown, ranks last.
fn linker_rank(name: &str) -> Option<u32> {
    match name.strip_prefix("wasm-ld")? {
        "" => Some(0),
        version => version.strip_prefix('-')?.parse().ok(),
    }
}

/// The first dotted number in a text: `rustc 1.96.0 (...)` is (1, 96).
fn version_of(text: &str) -> Option<(u32, u32)> {
    let number = text.split(' ').find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    let mut parts = number.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Whether an environment variable of the surrounding build must not reach the browser's build, such as flags for the
/// native processor.
///
/// With a compiler of its own, variables of the active toolchain must not reach it either.
fn disturbs(name: &str, own_compiler: bool) -> bool {
    const FLAGS: &[&str] = &["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_TARGET_DIR"];
    const FLAG_PREFIXES: &[&str] =
        &["CARGO_BUILD_", "CARGO_TARGET_WASM32_", "CARGO_PROFILE_", "CARGO_UNSTABLE_"];
    const TOOLCHAIN: &[&str] = &[
        "CARGO",
        "LD_LIBRARY_PATH",
        "RUSTC",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC_WRAPPER",
        "RUSTDOC",
        "RUSTUP_TOOLCHAIN",
    ];
    FLAGS.contains(&name)
        || FLAG_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || own_compiler && TOOLCHAIN.contains(&name)
}

/// Leptos boxes the views of components: the page is smaller and builds faster. No frame draws components.
const ERASED_VIEWS: &str = "--cfg=erase_components";

/// Flags that remove this machine's source folders from a program, which names the source of each panic.
pub(crate) fn without_places(project: &Project) -> String {
    let mut folders = crate_sources();
    folders.push(project.path(""));
    flags_without(&folders)
}

fn flags_without(folders: &[PathBuf]) -> String {
    let flags: Vec<String> =
        folders.iter().map(|folder| format!("--remap-path-prefix={}=", folder.display())).collect();
    flags.join("\x1f")
}

/// The folders into which cargo unpacks downloaded crates, one per registry.
fn crate_sources() -> Vec<PathBuf> {
    let own = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = own.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let registries = home.and_then(|home| fs::read_dir(home.join("registry/src")).ok());
    let mut folders: Vec<_> = registries.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    // Sorted, since a different order would change the flags and rebuild everything.
    folders.sort();
    folders
}

fn system_path_first() -> std::ffi::OsString {
    let given = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(PathBuf::from("/usr/bin")).chain(env::split_paths(&given));
    // Joining fails only for a folder with a colon, which splitting can't have produced.
    env::join_paths(folders).unwrap_or(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_linker_wins_and_strangers_are_ignored() {
        assert!(linker_rank("wasm-ld-19") > linker_rank("wasm-ld-16"));
        assert!(linker_rank("wasm-ld-16") > linker_rank("wasm-ld"));
        assert!(linker_rank("wasm-ld").is_some());
        for stranger in ["wasm-ld-x", "wasm-ldd", "ld", "xwasm-ld-19"] {
            assert_eq!(linker_rank(stranger), None, "{stranger}");
        }
    }

    #[test]
    fn versions_compare_as_numbers() {
        assert_eq!(version_of("rustc 1.96.0 (ac68faa20 2026-05-25)"), Some((1, 96)));
        assert!(version_of("1.100") > version_of("rustc 1.96.0"));
        assert!(version_of("rustc 1.63.0 (4b91a6ea7 2022-08-08)") < version_of("1.95"));
        assert_eq!(version_of("no number"), None);
    }

    #[test]
    fn native_flags_stay_outside() {
        for name in
            ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS", "CARGO_PROFILE_RELEASE_LTO"]
        {
            assert!(disturbs(name, false), "{name}");
        }
        for name in ["CARGO_HOME", "CARGO_NET_OFFLINE", "RUST_BACKTRACE", "PATH", "RUSTUP_HOME"] {
            assert!(!disturbs(name, false) && !disturbs(name, true), "{name}");
        }
    }

    #[test]
    fn programs_do_not_say_where_they_were_built() {
        let folders = [PathBuf::from("/home/me/.cargo/registry/src/one"), PathBuf::from("/two")];
        assert_eq!(
            flags_without(&folders),
            "--remap-path-prefix=/home/me/.cargo/registry/src/one=\x1f--remap-path-prefix=/two="
        );
    }

    #[test]
    fn only_a_compiler_of_its_own_forgets_the_active_toolchain() {
        for name in ["RUSTUP_TOOLCHAIN", "RUSTC", "RUSTC_WRAPPER", "LD_LIBRARY_PATH"] {
            assert!(disturbs(name, true) && !disturbs(name, false), "{name}");
        }
    }

    #[test]
    fn the_system_compiler_is_found_first() {
        let path = system_path_first();
        assert_eq!(env::split_paths(&path).next(), Some(PathBuf::from("/usr/bin")));
    }
}
