//! The commands of the guide, as its reader types them.

use std::fs;
use std::path::Path;
use std::process::Command;

use trailbrake_isolation::free_port;

use crate::archive::is_equal_in;
use crate::program::{Hub, Running, servers};
use crate::recorded::{now, put, recorded_from};
use crate::rig::Rig;

/// The commands below a heading of the guide.
fn commands(heading: &str) -> Vec<String> {
    let guide = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/team.md"));
    let guide = guide.expect("the guide");
    let (_, section) = guide.split_once(&format!("\n## {heading}\n")).expect("the heading");
    let block = section.split("```\n").nth(1).expect("commands");
    block.lines().map(str::to_owned).collect()
}

/// Types the commands in a folder, with this machine in the place of the hub's; the last one serves.
fn serve(heading: &str, folder: &Path, server: &Path) -> Running {
    let here = format!("127.0.0.1:{}", free_port());
    let mut typed = commands(heading);
    assert!((3..=10).contains(&typed.len()), "{heading}: {typed:?}");
    for line in &mut typed {
        *line = line.replace("0.0.0.0:8777", "127.0.0.1:0").replace("192.168.1.5:8777", "127.0.0.1:0");
        *line = line.replace("--host hub.example", &format!("--host {here}"));
        *line = line.replace("--host 192.168.1.5", &format!("--host {here}"));
    }
    let last = typed.pop().expect("commands");
    let program = Path::new(env!("CARGO_BIN_EXE_trailbrake")).parent().expect("a folder");
    let own = [program, server.parent().expect("a folder")].map(Path::to_owned);
    let usual = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(own.into_iter().chain(std::env::split_paths(&usual))).expect("a path");
    let script = typed.join("\n");
    let done = Command::new("sh").args(["-euc", &script]).current_dir(folder).env("PATH", &path).output();
    let done = done.expect("a shell");
    assert!(done.status.success(), "{script}\n{}", String::from_utf8_lossy(&done.stderr));
    let serving = last.strip_prefix("trailbrake ").expect("the program");
    let in_folder = |word: &str| match folder.join(word) {
        path if path.exists() => path.to_str().expect("text").to_owned(),
        _ => word.to_owned(),
    };
    let arguments: Vec<String> = serving.split(' ').map(in_folder).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    Running::with_path(&arguments, path)
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn the_guides_commands_archive_what_a_rig_records() {
    let server = servers().remove(0);
    // A certificate for this machine, in place of one from Let's Encrypt.
    let issuer = Hub::new(&["--encrypt"]);
    for (heading, rig, page) in [
        ("Two friends", "bob", "http://127.0.0.1:"),
        ("A league on a small server", "cleo", "https://127.0.0.1:"),
        ("An event on a LAN", "rig-07", "http://127.0.0.1:"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        fs::copy(issuer.path("server.pem"), folder.path().join("fullchain.pem")).expect("copied");
        fs::copy(issuer.path("server-key.pem"), folder.path().join("privkey.pem")).expect("copied");
        let mut serving = serve(heading, folder.path(), &server);
        serving.says(page);
        let invitation = folder.path().join(format!("{rig}.team"));
        let driven = Rig::new(folder.path().join("recordings"), invitation);
        put(&driven.library, "one", &recorded_from(7, 15, now()));
        let mut running = driven.start_idle();
        running.says(&format!("connected as {rig}"));
        is_equal_in(&folder.path().join("hub"), rig, &driven, 1);
        running.stop();
        serving.stop();
    }
}
