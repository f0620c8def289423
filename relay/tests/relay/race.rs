//! A race as a file, and commands run on it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::OnceLock;

use clap::Parser as _;
use serde_json::Value;
use trailbrake_relay::commands::{Command, CommandLine};
use trailbrake_shared::export::pcapng;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::truth::LapTruth;
use trailbrake_shared::sim::{Demo, Options, Start};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

pub(crate) const CARS: usize = 2;

/// A captured race of two laps, the bytes sent, and the simulator's truth about its laps.
pub(crate) struct Race {
    pub(crate) capture: Vec<u8>,
    pub(crate) sent: Vec<u8>,
    pub(crate) laps: Vec<LapTruth>,
}

pub(crate) fn race() -> &'static Race {
    static RACE: OnceLock<Race> = OnceLock::new();
    RACE.get_or_init(|| {
        let options = Options {
            start: Start::Grid,
            cars: CARS,
            laps: 2,
            player: 1,
            again: false,
            ..Options::default()
        };
        let mut demo = Demo::new(Feed::F1, options, Micros(1_700_000_000_000_000)).expect("a demo");
        let (mut capture, mut sent) = (pcapng::beginning(), Vec::new());
        let sender = SocketAddr::from(([192, 0, 2, 7], 5000));
        demo.drive(260.0, &mut |at, bytes| {
            let datagram = Datagram { at, sender, port: 20777, feed: None, bytes };
            capture.extend(pcapng::packet(&datagram).expect("a packet"));
            sent.extend(bytes);
        });
        Race { capture, sent, laps: demo.truth().sessions[0].finished.clone() }
    })
}

/// A folder with the race's capture, deleted with the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("trailbrake-files-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        std::fs::write(path.join("race.pcapng"), &race().capture).expect("a file");
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).expect("a file")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a command on a file. Returns its output and its notes.
pub(crate) fn run(
    folder: &Folder,
    command: &str,
    file: &str,
    options: &[&str],
) -> anyhow::Result<(String, String)> {
    let path = |name: &str| folder.path(name).into_os_string();
    let mut arguments = vec!["trailbrake".into(), command.into(), path(file)];
    let mut options = options.iter();
    while let Some(option) = options.next() {
        arguments.push(option.into());
        if *option == "-o" {
            arguments.push(path(options.next().expect("a name")));
        }
    }
    let line = CommandLine::try_parse_from(arguments).expect("a command line");
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    let command = line.command.expect("a command");
    assert!(!matches!(command, Command::Watch(_) | Command::Server(_)), "not a command on files");
    command.run(&mut out, &mut notes)?;
    Ok((String::from_utf8(out)?, String::from_utf8(notes)?))
}

pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}
