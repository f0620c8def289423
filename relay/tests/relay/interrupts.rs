//! Ctrl+C during a command that writes files: nothing incomplete is left, and the program says so.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::race::{Folder, race};

/// Long enough for anything to happen on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn start(folder: &Folder, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trailbrake"));
    command.args(arguments).current_dir(folder.path("")).stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(Stdio::piped()).spawn().expect("the program runs")
}

fn wait_until(what: &str, happened: impl Fn() -> bool) {
    let began = Instant::now();
    while !happened() {
        assert!(began.elapsed() < PATIENCE, "{what} never happened");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Interrupts the program; returns its error output.
fn interrupt(mut child: Child) -> String {
    let sent = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let status = child.wait().expect("an end");
    let mut printed = String::new();
    child.stderr.take().expect("its errors").read_to_string(&mut printed).expect("text");
    assert_eq!(status.code(), Some(130), "{printed}");
    printed
}

fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.path("")).expect("the folder").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().into_string().expect("text")).collect();
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    names
}

/// A capture that never ends: a pipe with half of one in it. The file keeps it open.
fn endless(path: &Path) -> thread::JoinHandle<File> {
    let made = Command::new("mkfifo").arg(path).status().expect("mkfifo runs");
    assert!(made.success());
    let path: PathBuf = path.to_owned();
    thread::spawn(move || {
        let mut pipe = File::options().write(true).open(path).expect("a reader");
        let capture = &race().capture;
        pipe.write_all(&capture[..capture.len() / 2]).expect("read");
        pipe
    })
}

#[test]
fn an_interrupted_import_or_export_leaves_no_file() {
    for (name, arguments, out) in [
        ("import", &["import", "endless.pcapng", "-o", "out.mcap"][..], "out.mcap"),
        ("pcap", &["export", "endless.pcapng", "--format=pcap", "-o", "out.pcapng"], "out.pcapng"),
        ("raw", &["export", "endless.pcapng", "--format=raw", "-o", "out.bin"], "out.bin"),
        ("clip", &["export", "endless.pcapng", "--format=trailbrake", "-o", "out.mcap"], "out.mcap"),
    ] {
        let folder = Folder::new(&format!("interrupted-{name}"));
        let feeding = endless(&folder.path("endless.pcapng"));
        let child = start(&folder, arguments);
        let pipe = feeding.join().expect("half of it is read");
        wait_until(name, || names(&folder).iter().any(|file| file.ends_with(".unfinished")));
        assert!(!folder.path(out).exists(), "{name}: under its name it is complete");
        let printed = interrupt(child);
        drop(pipe);
        assert!(printed.contains("trailbrake: stopped: ") && printed.contains(out), "{name}: {printed}");
        assert!(printed.contains("is not written"), "{name}: {printed}");
        assert_eq!(names(&folder), ["endless.pcapng", "race.pcapng"], "{name}");
    }
}

#[test]
fn an_interrupted_export_leaves_the_file_that_was_there() {
    let folder = Folder::new("interrupted-over");
    fs::write(folder.path("out.bin"), b"yesterday's").expect("a file");
    let feeding = endless(&folder.path("endless.pcapng"));
    let child = start(&folder, &["export", "endless.pcapng", "--format=raw", "-o", "out.bin"]);
    let pipe = feeding.join().expect("half of it is read");
    wait_until("the export", || folder.path("out.bin.unfinished").exists());
    interrupt(child);
    drop(pipe);
    assert_eq!(folder.read("out.bin"), b"yesterday's");
    assert_eq!(names(&folder), ["endless.pcapng", "out.bin", "race.pcapng"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_repair_leaves_the_file_as_it_is() {
    // So much of nothing takes a while to be searched.
    const LONG: u64 = 16 << 30;
    let folder = Folder::new("interrupted-repair");
    let path = folder.path("cut.trailbrake.mcap");
    let bytes = crate::library::recording(1, 20.0);
    fs::write(&path, &bytes[..bytes.len() / 2]).expect("a file");
    File::options().write(true).open(&path).and_then(|file| file.set_len(LONG)).expect("room for holes");
    let child = start(&folder, &["repair", "cut.trailbrake.mcap"]);
    let open_files = PathBuf::from(format!("/proc/{}/fd", child.id()));
    wait_until("the repair", || {
        let open = fs::read_dir(&open_files).into_iter().flatten().flatten();
        open.filter_map(|entry| fs::read_link(entry.path()).ok()).any(|file| file == path)
    });
    let printed = interrupt(child);
    assert!(printed.contains("trailbrake: stopped"), "{printed}");
    assert_eq!(fs::metadata(&path).expect("the file").len(), LONG);
    assert_eq!(names(&folder), ["cut.trailbrake.mcap", "race.pcapng"]);
}
