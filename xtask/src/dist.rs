//! `cargo xtask dist`: the archives that drivers download. `cargo xtask windows`: only the program for Windows, tried out.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::archive::Packed;
use crate::packages::Seat;
use crate::project::Project;
use crate::system::System;
use crate::toolchain::WasmToolchain;
use crate::walk;
use crate::web::{self, Purpose};

/// The text for the reader of an archive.
const README: &str = "xtask/files/README.txt";

/// Makes the archives of the named systems, or of all that can be built here, and tries out each.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    let systems = systems(args)?;
    let seat = Seat::look();
    page(project, seat)?;
    let folder = project.target().join("dist");
    fs::create_dir_all(&folder).with_context(|| format!("can't create {}", folder.display()))?;
    for system in systems {
        let program = system.build(project, seat)?;
        let archive = archive(project, system, &program, &folder)?;
        try_out(project, seat, system, &archive)?;
        let megabytes = fs::metadata(&archive)?.len() as f64 / 1e6;
        println!("{} ({megabytes:.1} MB)", archive.display());
    }
    Ok(())
}

/// Builds the program for Windows and walks through it, under Wine if this is no Windows.
pub(crate) fn windows(project: &Project, args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("`cargo xtask windows` takes no options");
    }
    let seat = Seat::look();
    page(project, seat)?;
    let program = System::Windows.build(project, seat)?;
    walk::run(project, seat, System::Windows, &program)?;
    println!("{}", program.display());
    Ok(())
}

fn systems(args: &[String]) -> Result<Vec<System>> {
    let known = System::ALL.iter().copied().filter(|system| system.builds_here());
    if args.is_empty() {
        return Ok(known.collect());
    }
    let named = |name: &String| {
        let system = known.clone().find(|system| system.name() == name);
        system.with_context(|| {
            let names: Vec<&str> = known.clone().map(System::name).collect();
            format!("`{name}` can't be built here; what can: {}", names.join(", "))
        })
    };
    args.iter().map(named).collect()
}

fn page(project: &Project, seat: Seat) -> Result<()> {
    let toolchain = WasmToolchain::obtain(project, seat)?;
    println!("{}", toolchain.describe());
    web::build(project, &toolchain, Purpose::Distribution).map(drop)
}

/// Packs a program with what belongs to it. Returns the archive's path.
fn archive(project: &Project, system: System, program: &Path, folder: &Path) -> Result<PathBuf> {
    let version = env!("CARGO_PKG_VERSION");
    let read = |path: PathBuf| fs::read(&path).with_context(|| format!("can't read {}", path.display()));
    let packed = |name: &str, bytes: Vec<u8>| Packed {
        name: format!("trailbrake-{version}/{name}"),
        bytes,
        is_program: name == system.program(),
    };
    let text = |name: &str, path: PathBuf| {
        let text = String::from_utf8_lossy(&read(path)?).into_owned();
        anyhow::Ok(packed(name, readable(system, &text).into_bytes()))
    };
    let files = [
        packed(system.program(), read(program.to_owned())?),
        text("README.txt", project.path(README))?,
        text("LICENSE-MIT.txt", project.path("LICENSE-MIT"))?,
        text("LICENSE-APACHE.txt", project.path("LICENSE-APACHE"))?,
        text("licences.txt", project.dist().join("licences.txt"))?,
    ];
    let format = system.format();
    let name = format!("trailbrake-{version}-{}-{}.{}", system.name(), system.processor(), format.ending());
    let path = folder.join(name);
    format.pack(&path, &files)?;
    Ok(path)
}

/// A text as the readers of a system need it.
fn readable(system: System, text: &str) -> String {
    let (start, firewall) = match system {
        System::Windows => (
            "Double-click trailbrake.exe.\n  Windows may say that it does not know the program: \"More info\", \"Run anyway\".",
            "Windows asks about the firewall: allow private networks if a console or a second PC sends.",
        ),
        System::Linux => {
            ("./trailbrake", "A console or a second PC that sends has to pass the firewall of this machine.")
        }
        System::MacOs => (
            "./trailbrake\n  macOS blocks unsigned programs: allow it in System Settings, Privacy & Security.",
            "macOS asks whether the program may accept connections: allow it if a console or a second PC sends.",
        ),
    };
    let text = text
        .replace("{version}", env!("CARGO_PKG_VERSION"))
        .replace("{start}", start)
        .replace("{firewall}", firewall)
        .replace("{program}", system.program());
    if system == System::Windows { text.replace('\n', "\r\n") } else { text }
}

/// Unpacks an archive and walks through the program in it.
fn try_out(project: &Project, seat: Seat, system: System, archive: &Path) -> Result<()> {
    let folder = project.target().join("dist").join(format!("unpacked-{}", system.name()));
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("can't remove {}", folder.display()))?;
    }
    system.format().unpack(archive, &folder)?;
    let program = folder.join(format!("trailbrake-{}", env!("CARGO_PKG_VERSION"))).join(system.program());
    walk::run(project, seat, system, &program)?;
    fs::remove_dir_all(&folder).with_context(|| format!("can't remove {}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_that_can_t_be_built_here_is_refused_with_those_that_can() {
        let here: Vec<&str> = systems(&[]).unwrap().into_iter().map(System::name).collect();
        assert!(here.contains(&std::env::consts::OS), "{here:?}");
        let error = systems(&["amiga".to_owned()]).unwrap_err().to_string();
        assert!(error.contains(here[0]), "{error}");
    }

    #[test]
    fn an_archive_s_texts_have_no_holes() {
        let project = Project::locate().unwrap();
        let text = fs::read_to_string(project.path(README)).unwrap();
        for system in System::ALL {
            let text = readable(system, &text);
            assert!(text.contains(system.program()) && !text.contains(['{', '}']), "{text}");
            assert_eq!(text.contains("\r\n"), system == System::Windows);
            assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
        }
    }
}
