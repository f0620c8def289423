//! `cargo xtask dev`: rebuilds whatever changes while the program runs.
//!
//! The program serves the page from disk and makes it reload, so a change to the page needs no restart. Only a change
//! to the program restarts it.

use std::fs;
use std::path::Path;
use std::process::Child;
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::Result;

use crate::packages::Seat;
use crate::program;
use crate::project::Project;
use crate::step;
use crate::toolchain::WasmToolchain;
use crate::web::{self, Purpose};

/// How often the sources are checked for changes.
const LOOK: Duration = Duration::from_millis(400);
/// Sources of both the page and the program.
const SHARED: &[&str] = &["Cargo.toml", "shared"];
const PAGE: &[&str] = &[
    "index.html",
    "web/begin.js",
    "web/boot.js",
    "web/icon.svg",
    "web/Cargo.toml",
    "web/src",
    "web/style",
    "web/viewer",
    "web/assets",
];
const PROGRAM: &[&str] = &["relay/src", "relay/build.rs", "relay/Cargo.toml"];

pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    let toolchain = WasmToolchain::obtain(project, Seat::look())?;
    println!("{}", toolchain.describe());
    let page = || report(web::build(project, &toolchain, Purpose::Development).map(drop));
    let mut built = newest_of_both(project);
    page();
    let mut running = start(project, args);
    loop {
        thread::sleep(LOOK);
        let now = newest_of_both(project);
        if now.1 > built.1 {
            println!("the program changed");
            stop(&mut running);
            running = start(project, args);
        }
        if now.0 > built.0 {
            println!("the page changed");
            page();
        }
        built = now;
        if let Some(child) = &mut running
            && let Some(status) = child.try_wait()?
        {
            println!("the program ended ({status})");
            return Ok(());
        }
    }
}

/// Builds and starts the program; `None` if it does not compile.
fn start(project: &Project, args: &[String]) -> Option<Child> {
    let built = program::relay(project, false).and_then(|program| {
        let mut command = project.command(program);
        command.arg("--web-dir").arg(project.dist()).args(args);
        Ok(command.spawn()?)
    });
    built.map_err(|error| println!("{error:#}")).ok()
}

fn stop(running: &mut Option<Child>) {
    if let Some(mut child) = running.take() {
        report(step::end(&mut child));
    }
}

/// Prints an error and carries on: errors are normal while sources are being edited.
fn report(result: Result<()>) {
    if let Err(error) = result {
        println!("{error:#}");
    }
}

/// When the newest source of the page and the newest of the program were changed.
fn newest_of_both(project: &Project) -> (Option<SystemTime>, Option<SystemTime>) {
    let shared = newest(project, SHARED);
    (newest(project, PAGE).max(shared), newest(project, PROGRAM).max(shared))
}

/// When the newest of some files and folders was changed.
fn newest(project: &Project, places: &[&str]) -> Option<SystemTime> {
    places.iter().filter_map(|place| changed(&project.path(place))).max()
}

fn changed(path: &Path) -> Option<SystemTime> {
    let own = fs::metadata(path).ok()?.modified().ok();
    let inside =
        fs::read_dir(path).into_iter().flatten().flatten().filter_map(|entry| changed(&entry.path()));
    inside.max().max(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_watched_is_there() {
        let project = Project::locate().unwrap();
        for place in SHARED.iter().chain(PAGE).chain(PROGRAM).filter(|place| **place != "web/assets") {
            assert!(changed(&project.path(place)).is_some(), "{place}");
        }
        assert_eq!(newest(&project, &["no/such/place"]), None);
    }
}
