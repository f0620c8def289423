//! `cargo xtask peers`: checks our files with programs and libraries written by others.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::needs::Need;
use crate::project::Project;
use crate::step;
use crate::test_run;

/// The variable that names the Python with the libraries.
const PYTHON: &str = "TRAILBRAKE_PYTHON";
/// The libraries of MCAP's own authors.
const LIBRARIES: &[&str] = &["mcap", "mcap-protobuf-support"];
/// Programs that tests use if installed, each with its Debian package.
const PROGRAMS: &[(&str, &str)] = &[
    ("tshark", "tshark"),
    ("editcap", "wireshark-common"),
    ("text2pcap", "wireshark-common"),
    ("tcpdump", "tcpdump"),
];

/// Installs the libraries in the build folder, and runs the tests that use other programs.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("`cargo xtask peers` takes no options");
    }
    for (program, package) in PROGRAMS {
        if !is_installed(program) {
            println!("{program} is not installed: the package is {package}");
        }
    }
    let folder = project.target().join("peers");
    if python(project).is_none() {
        step::run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        let mut pip = Command::new(interpreter(&folder));
        step::run(pip.args(["-m", "pip", "install", "--quiet"]).args(LIBRARIES))?;
    }
    for (package, tests) in [("trailbrake-shared", "export::peers"), ("trailbrake-relay", "capture_tests")] {
        test_run::run(project, &[package], &[tests], &needs(project))?;
    }
    Ok(())
}

/// What the tests that use other programs need.
pub(crate) fn needs(project: &Project) -> [Need; 4] {
    let installed = |programs: &[&str]| programs.iter().all(|program| is_installed(program)).then(Vec::new);
    [
        Need { reason: "needs Python", variables: installed(&["python3"]) },
        Need {
            reason: "needs Python libraries: run cargo xtask peers",
            variables: python(project).map(|python| vec![(PYTHON, python.into())]),
        },
        Need { reason: "needs Wireshark", variables: installed(&["tshark", "editcap", "text2pcap"]) },
        Need { reason: "needs tcpdump", variables: installed(&["tcpdump"]) },
    ]
}

fn is_installed(program: &str) -> bool {
    step::answer(Command::new(program).arg("--version")).is_some()
}

/// The Python that has the libraries, if they are installed.
fn python(project: &Project) -> Option<PathBuf> {
    let python = interpreter(&project.target().join("peers"));
    step::answer(Command::new(&python).args(["-c", "import mcap_protobuf; print(mcap_protobuf.__name__)"]))
        .map(|_| python)
}

fn interpreter(folder: &Path) -> PathBuf {
    if env::consts::OS == "windows" { folder.join("Scripts/python.exe") } else { folder.join("bin/python") }
}
