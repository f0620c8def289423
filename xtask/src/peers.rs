//! `cargo xtask peers`: what programs and libraries that nobody here wrote make of our files.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::project::Project;
use crate::step;

/// The tests hear of the Python that has the libraries by this name.
pub(crate) const PYTHON: &str = "TRAILBRAKE_PYTHON";
/// The libraries of MCAP's own makers.
const LIBRARIES: &[&str] = &["mcap", "mcap-protobuf-support"];
/// Programs that the tests use where they are installed, and what installs them on Debian.
const PROGRAMS: &[(&str, &str)] = &[
    ("tshark", "tshark"),
    ("editcap", "wireshark-common"),
    ("text2pcap", "wireshark-common"),
    ("tcpdump", "tcpdump"),
];

/// Installs the libraries below the build's own folder, and runs the tests that ask others.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("`cargo xtask peers` takes no options");
    }
    for (program, package) in PROGRAMS {
        if step::answer(Command::new(program).arg("--version")).is_none() {
            println!("{program} is not installed, and its tests are skipped: the package is {package}");
        }
    }
    let folder = project.target().join("peers");
    if python(project).is_none() {
        step::run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        let mut pip = Command::new(interpreter(&folder));
        step::run(pip.args(["-m", "pip", "install", "--quiet"]).args(LIBRARIES))?;
    }
    for (package, tests) in [("trailbrake-shared", "export::peers"), ("trailbrake-relay", "capture_tests")] {
        let mut cargo = project.cargo();
        cargo.args(["test", "--package", package, "--target-dir"]).arg(project.target());
        cargo.args(["--", tests, "--nocapture"]).env(PYTHON, interpreter(&folder));
        step::run(&mut cargo)?;
    }
    Ok(())
}

/// The Python that has the libraries, once they were installed.
pub(crate) fn python(project: &Project) -> Option<PathBuf> {
    let python = interpreter(&project.target().join("peers"));
    step::answer(Command::new(&python).args(["-c", "import mcap_protobuf; print(mcap_protobuf.__name__)"]))
        .map(|_| python)
}

fn interpreter(folder: &std::path::Path) -> PathBuf {
    if env::consts::OS == "windows" { folder.join("Scripts/python.exe") } else { folder.join("bin/python") }
}
