//! A walk through a built program as a new user's first evening: start, page, recording, crash, repair, laps, export, end.
//!
//! `TRAILBRAKE_WALK` names the program, `TRAILBRAKE_WALK_WITH` what starts it where the system can't, such as Wine.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test says what it expects by panicking when it does not hold"
)]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use trailbrake_tests::chromium::{Chromium, Window};
use trailbrake_tests::named_file;
use trailbrake_tests::program::Program;

/// How long something may take to happen.
const PATIENCE: Duration = Duration::from_secs(90);
/// The page's address on a free port.
const ANY_PORT: &str = "127.0.0.1:0";
/// A name with what paths can hold: a blank, an umlaut, an ampersand.
const FOLDER: &str = "Aufnahmen für Anna & Ben";

/// A folder for recordings that is removed after the walk.
struct Recordings(PathBuf);

impl Recordings {
    fn new() -> Self {
        let folder =
            std::env::temp_dir().join(format!("trailbrake-walk-{}", std::process::id())).join(FOLDER);
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The files whose names end like this, with their sizes.
    fn ending(&self, end: &str) -> Vec<(PathBuf, u64)> {
        let entries = fs::read_dir(&self.0).expect("the folder").flatten();
        let sized = entries.map(|entry| (entry.path(), entry.metadata().map_or(0, |about| about.len())));
        sized.filter(|(path, _)| path.to_string_lossy().ends_with(end)).collect()
    }
}

impl Drop for Recordings {
    fn drop(&mut self) {
        if let Some(parent) = self.0.parent() {
            let _ = fs::remove_dir_all(parent);
        }
    }
}

/// The program, or what starts it.
fn program() -> Command {
    let program = named_file("TRAILBRAKE_WALK");
    match launcher() {
        Some(launcher) => {
            let mut command = Command::new(launcher);
            command.arg(program);
            command
        }
        None => Command::new(program),
    }
}

fn launcher() -> Option<OsString> {
    std::env::var_os("TRAILBRAKE_WALK_WITH")
}

/// A path as the program needs it: Wine has the whole disk as its drive Z.
fn path(path: &Path) -> String {
    let path = path.to_str().expect("a path that is text");
    if launcher().is_some() { format!("Z:{}", path.replace('/', "\\")) } else { path.to_owned() }
}

/// The output of a subcommand that succeeds.
fn run(arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = program().args(arguments).output().expect("the program runs");
    let errors = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{arguments:?}: {errors}");
    String::from_utf8_lossy(&stdout).into_owned() + &errors
}

/// Waits until something is there.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "{what}: not within {} s", PATIENCE.as_secs());
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a program to walk through: run cargo xtask test"]
async fn a_first_evening_with_the_program() {
    let recordings = Recordings::new();
    let folder = path(&recordings.0);
    let version = run(&["--version"]);
    assert!(version.contains("commit ") && version.contains("licences.txt"), "{version}");

    // The demo runs and is recorded; the page shows it.
    let options = ["--demo", "--demo-speed", "15", "--record-demo", "--recordings", &folder];
    let demo = Program::run_command(program(), ANY_PORT, &options);
    let browser = Chromium::open(Window { width: 1024, height: 768, theme: "dark" }).await;
    browser.client.goto(&demo.url).await.expect("the page");
    browser.until("[data-testid=link]", |words| words.contains("F1 25")).await;
    let notices = browser.ask("return fetch('licences.txt').then(answer => answer.text())").await;
    assert!(notices.as_str().is_some_and(|text| text.contains("Trailbrake is licensed")), "{notices}");
    browser.check_clean().await;
    wait_for("two laps", || recordings.ending(".part").into_iter().find(|(_, size)| *size > 6_000_000));

    // It dies. The next start repairs the recording, and the library has its laps.
    demo.kill();
    let next = Program::run_command(program(), ANY_PORT, &["--recordings", &folder]);
    let (recording, _) = wait_for("the repaired recording", || {
        let is_repaired = recordings.ending(".part").is_empty();
        recordings.ending(".trailbrake.mcap").pop().filter(|_| is_repaired)
    });
    browser.client.goto(&next.url).await.expect("the page");
    let listed = browser.ask("return fetch('/library').then(answer => answer.text())").await;
    let name = recording.file_name().and_then(|name| name.to_str()).expect("a name");
    assert!(listed.as_str().is_some_and(|list| list.contains(name)), "{listed}");
    browser.close().await;

    // The command line reads it, wherever it lies.
    let recording = path(&recording);
    let laps = run(&["laps", &recording]);
    assert!(laps.lines().count() >= 2, "{laps}");
    let table = recordings.file("laps.csv");
    run(&["export", &recording, "--format", "csv", "-o", &path(&table)]);
    let table = fs::read_to_string(table).expect("the laps");
    assert!(table.lines().count() > 1000, "{} lines", table.lines().count());
    let (cut, mended) = (recordings.file("cut.mcap"), recordings.file("mended.trailbrake.mcap"));
    let bytes = fs::read(recordings.file(name)).expect("the recording");
    fs::write(&cut, &bytes[..bytes.len() / 2]).expect("half of it");
    run(&["repair", &path(&cut), "-o", &path(&mended)]);
    let fewer = run(&["laps", &path(&mended)]);
    assert!(fewer.lines().count() >= 1, "{fewer}");

    // Ctrl+C ends it in good order.
    #[cfg(unix)]
    assert!(next.interrupt(), "it did not end in good order");
    #[cfg(not(unix))]
    next.kill();
    assert_eq!(recordings.ending(".part"), []);
}
