//! When there is nothing to show, commands fail and explain why.

use std::process::Command;

use trailbrake_shared::feed::Feed;

use crate::captures;
use crate::race::{Folder, run};
use crate::recorded::recorded;

/// Every command that reads laps of a file, with the options that it needs.
const COMMANDS: [(&str, &[&str]); 5] = [
    ("laps", &[]),
    ("compare", &["--lap=best"]),
    ("analyse", &[]),
    ("report", &["--lap=best", "-o", "lap.svg"]),
    ("export", &["--format=csv", "-o", "out.csv"]),
];

fn refused(folder: &Folder, command: &str, file: &str, options: &[&str]) -> String {
    let why = run(folder, command, file, options).expect_err("an error");
    format!("{why:#}")
}

#[test]
fn a_file_without_a_packet_of_a_known_game_is_refused() {
    let folder = Folder::new("something-else");
    std::fs::write(folder.path("passwd"), "root:x:0:0:root:/root:/bin/bash\n").expect("a file");
    for (command, options) in COMMANDS {
        let why = refused(&folder, command, "passwd", options);
        assert!(why.contains("passwd: nothing in it is a packet of a known game ("), "{command}: {why}");
        assert!(why.contains("`trailbrake decode "), "{command}: {why}");
    }
    let mut program = Command::new(env!("CARGO_BIN_EXE_trailbrake"));
    let ended = program.args(["laps".as_ref(), folder.path("passwd").as_os_str()]).output().expect("it runs");
    assert_eq!((ended.status.code(), ended.stdout.len()), (Some(1), 0));
}

#[test]
fn packets_end_to_end_need_a_record_size() {
    let folder = Folder::new("uncut");
    std::fs::write(folder.path("one.328xN.bin"), vec![0; 328 * 300]).expect("a file");
    let mut program = Command::new(env!("CARGO_BIN_EXE_trailbrake"));
    let ended = program.arg("laps").arg(folder.path("one.328xN.bin")).output().expect("it runs");
    let printed = String::from_utf8(ended.stderr).expect("text");
    assert_eq!(ended.status.code(), Some(1), "{printed}");
    assert!(printed.contains("say how they are cut with --record-size or --stream"), "{printed}");
}

#[test]
fn a_recording_that_was_cut_off_names_the_command_that_mends_it() {
    let folder = Folder::new("cut-off");
    let whole = recorded(Feed::F1, 3, 120.0);
    std::fs::write(folder.path("cut.mcap"), &whole[..whole.len() * 2 / 3]).expect("a file");
    for (command, options) in COMMANDS {
        let why = refused(&folder, command, "cut.mcap", options);
        assert!(why.contains("was cut off") && why.contains("`trailbrake repair "), "{command}: {why}");
    }
}

#[test]
#[ignore = "needs captures"]
fn laps_without_channels_are_refused() {
    let folder = Folder::new("without-channels");
    // The server sends only the times of laps.
    let capture = captures::path("assetto-corsa-server/acsp-red-bull-ring-2016.bin");
    let capture = capture.to_str().expect("a path");
    let cut = ["--feed=ac-server", "--stream", "--car=1"];
    let (printed, _) = run(&folder, "laps", capture, &cut).expect("laps");
    assert!(printed.contains("1:23.020"), "{printed}");
    for (command, options) in COMMANDS.into_iter().skip(1) {
        let why = refused(&folder, command, capture, &[&cut, options].concat());
        assert!(why.contains("the game sent no samples of"), "{command}: {why}");
    }
    let why = refused(&folder, "laps", capture, &["--feed=ac-server", "--stream", "--car=200"]);
    assert!(why.contains("it has no lap of that car; --car all lists everyone's"), "{why}");
}

#[test]
fn a_lap_that_is_not_there_is_named() {
    let folder = Folder::new("not-there");
    for (options, words) in [
        (&["--lap=77"][..], "the player has no lap 77; "),
        (&["--lap=2", "--car=9"], "no lap of car 9; "),
        (&["--lap=2", "--session=5"], "the player has no lap in session 5; "),
        (&["--lap=2", "--reference=9"], "the reference: "),
    ] {
        let why = refused(&folder, "compare", "race.pcapng", options);
        assert!(why.contains(words) && why.contains("`trailbrake laps --car all "), "{options:?}: {why}");
    }
    let why = refused(&folder, "analyse", "race.pcapng", &["--lap=77"]);
    assert!(why.contains("the player has no lap 77; `trailbrake laps --car all "), "{why}");
}
