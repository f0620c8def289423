//! The program as a process: its terminal block, its options, its exit.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use crate::race::{Folder, run};
use crate::running::any_ports;

fn trailbrake(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trailbrake"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn output(arguments: &[&str]) -> Output {
    trailbrake(arguments).output().expect("the program runs")
}

/// Reads the terminal block to its end, while the program keeps running.
fn block(child: &mut Child) -> Vec<String> {
    let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let mut block = Vec::new();
    for line in lines {
        let line = line.expect("text");
        let last = line.contains("Ctrl+C");
        block.push(line);
        if last {
            return block;
        }
    }
    let mut errors = String::new();
    child.stderr.take().expect("its errors").read_to_string(&mut errors).expect("text");
    panic!("the program ended early: {block:?} {errors}");
}

fn options_file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("trailbrake-{}-{name}.toml", std::process::id()));
    fs::write(&path, text).expect("a file");
    path
}

#[test]
fn a_pipe_that_nobody_reads_ends_every_command_quietly() {
    let folder = Folder::new("pipe");
    let whole = ["-o", "race.trailbrake.mcap"];
    run(&folder, "import", "race.pcapng", &whole).expect("a recording");
    let text = |name: &str| folder.path(name).to_str().expect("a path").to_owned();
    let (capture, recording, recordings) = (text("race.pcapng"), text("race.trailbrake.mcap"), text(""));
    for arguments in [
        &["decode", &capture][..],
        &["inspect", &capture],
        &["inspect", &capture, "--json"],
        &["inspect", &recording],
        &["laps", &capture],
        &["laps", &recording, "--json"],
        &["analyse", &capture],
        &["analyse", &capture, "--json"],
        &["bests", "--recordings", &recordings],
        &["bests", "--recordings", &recordings, "--json"],
        &["compare", &capture, "--lap=2", "--reference=1"],
        &["compare", &capture, "--lap=2", "--reference=1", "--json"],
        &["export", &capture, "--format=csv", "-o", "-"],
        &["export", &capture, "--format=mcap", "-o", "-"],
        &["export", &capture, "--format=raw", "-o", "-"],
        &["export", &capture, "--format=pcap", "-o", "-"],
        &["--help"],
    ] {
        let (unread, output) = std::io::pipe().expect("a pipe");
        drop(unread);
        let done = trailbrake(arguments).stdout(output).output().expect("the program runs");
        let printed = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{arguments:?}: {printed}");
        assert!(
            !printed.contains("trailbrake:") && !printed.contains("panicked"),
            "{arguments:?}: {printed}"
        );
    }
}

#[cfg(unix)]
#[test]
fn it_says_where_it_is_and_ends_in_good_order() {
    for signal in ["INT", "TERM"] {
        let options = format!(
            "http = \"127.0.0.1:0\"\nno-open = true\nudp-bind = \"127.0.0.1\"\nno-record = true\nport = {:?}",
            any_ports().collect::<Vec<_>>()
        );
        let file = options_file(signal, &options);
        let mut child =
            trailbrake(&["--config", file.to_str().expect("a path")]).spawn().expect("the program runs");
        let block = block(&mut child);
        let row = |name: &str| {
            let line = block.iter().find(|line| line.trim_start().starts_with(name));
            line.unwrap_or_else(|| panic!("{name} is missing in {block:#?}")).as_str()
        };
        let url = row("This computer").split_whitespace().last().expect("an address");
        assert!(url.starts_with("http://127.0.0.1:") && url.ends_with('/'), "{url}");
        assert!(row("A tablet").contains("--lan"));
        assert!(row("Recording").contains("off (--no-record)"));
        let open = block.iter().filter(|line| line.contains("UDP") && line.ends_with("open"));
        assert_eq!(open.count(), any_ports().count());

        let host = url.trim_start_matches("http://").trim_end_matches('/');
        std::net::TcpStream::connect(host).expect("somebody listens there");
        let killed =
            Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().expect("kill runs");
        assert!(killed.success());
        let status = child.wait().expect("an end");
        assert_eq!(status.code(), Some(0), "{signal}");
        std::net::TcpStream::connect(host).expect_err("nobody listens there any more");
        fs::remove_file(file).expect("removed");
    }
}

#[test]
fn mistakes_end_it_with_a_word_about_them() {
    let file = options_file("mistake", "prot = 1");
    let file = file.to_str().expect("a path");
    for (arguments, code, words) in [
        (&["--port", "f2=20777"][..], 2, "the feeds are f1, dirt-rally"),
        (&["--nonsense"], 2, "--nonsense"),
        (&["--http", "0.0.0.0:0"], 1, "add --lan"),
        (&["--config", "/nowhere/at/all.toml"], 1, "/nowhere/at/all.toml cannot be read"),
        (&["--config", file], 1, "unknown field `prot`"),
        (&["--config", "/dev/null", "--no-open", "--web-dir", "/nowhere/at/all"], 1, "/nowhere/at/all"),
    ] {
        let output = output(arguments);
        let errors = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
        assert!(errors.contains(words), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    fs::remove_file(file).expect("removed");
}

#[test]
fn the_command_line_goes_before_the_file() {
    // With the file's own address the program would refuse to start, with an explanation.
    let file = options_file("before", "http = \"0.0.0.0:0\"\nno-open = true\nport = [\"f1-2018=1\"]\n");
    let path = file.to_str().expect("a path");
    let refused = output(&["--config", path]);
    assert_eq!(refused.status.code(), Some(1));
    let ports: Vec<String> = any_ports().map(|port| format!("--port={port}")).collect();
    let mut arguments =
        vec!["--config", path, "--http", "127.0.0.1:0", "--udp-bind", "127.0.0.1", "--no-record"];
    arguments.extend(ports.iter().map(String::as_str));
    let mut child = trailbrake(&arguments).spawn().expect("the program runs");
    let block = block(&mut child);
    child.kill().expect("killed");
    child.wait().expect("an end");
    assert!(block.iter().any(|line| line.contains("http://127.0.0.1:")), "{block:#?}");
    assert!(!block.iter().any(|line| line.contains("UDP 1 ")), "{block:#?}");
    fs::remove_file(file).expect("removed");
}

/// A second start finds the first one through the options file, which is the only way to give options to a plain start.
#[cfg(target_os = "linux")]
#[test]
fn started_twice_it_names_the_page_of_the_first() {
    let folder = std::env::temp_dir().join(format!("trailbrake-twice-{}", std::process::id()));
    fs::create_dir_all(folder.join("trailbrake")).expect("a folder");
    let options = format!(
        "http = \"127.0.0.1:{}\"\nno-open = true\nudp-bind = \"127.0.0.1\"\nno-record = true\n\
         port = {:?}",
        trailbrake_isolation::free_port(),
        any_ports().collect::<Vec<_>>()
    );
    fs::write(folder.join("trailbrake/config.toml"), options).expect("a file");
    let mut first = trailbrake(&[]).env("XDG_CONFIG_HOME", &folder).spawn().expect("the program runs");
    let url = block(&mut first).iter().find_map(|line| Some(line[line.find("http://")?..].to_owned()));
    let second = trailbrake(&[]).env("XDG_CONFIG_HOME", &folder).output().expect("the program runs");
    first.kill().expect("killed");
    first.wait().expect("an end");
    let printed = String::from_utf8(second.stdout).expect("text");
    assert_eq!(second.status.code(), Some(0), "{printed}");
    let url = url.expect("an address");
    assert!(printed.contains("Running already") && printed.contains(&url), "{printed} and not {url}");
    fs::remove_dir_all(folder).expect("removed");
}
