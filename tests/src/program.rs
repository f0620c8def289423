//! The program under test, as a child process that ends with the test.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use trailbrake_isolation::free_port;
use trailbrake_shared::feed::{FEEDS, Feed};

use crate::PATIENCE;

/// A command that runs one of the program's subcommands.
pub fn command(name: &str) -> Command {
    let mut command = Command::new(crate::named_file("TRAILBRAKE_BIN"));
    command.arg(name);
    command
}

/// A running relay.
pub struct Program {
    child: Child,
    /// What it was started with.
    arguments: Vec<OsString>,
    /// The folder of its settings, away from the user's own.
    settings: PathBuf,
    /// The page's address.
    pub url: String,
    /// The UDP port on which it receives F1 2018.
    pub f1_port: u16,
    /// Every feed with a port of its own, and that port.
    ports: Vec<(&'static str, u16)>,
    /// What it prints after its address.
    lines: mpsc::Receiver<String>,
}

impl Program {
    /// Starts the program on free ports.
    pub fn start(options: &[&str]) -> Self {
        Self::start_at("127.0.0.1:0", options)
    }

    /// Starts the program with its page at a given address.
    pub fn start_at(address: &str, options: &[&str]) -> Self {
        Self::recording_at(address, &[&["--no-record"], options].concat())
    }

    /// Starts the program with recording on; the options name the folder.
    pub fn recording(options: &[&str]) -> Self {
        Self::recording_at("127.0.0.1:0", options)
    }

    /// Like [`Self::recording`], with its page at a given address.
    pub fn recording_at(address: &str, options: &[&str]) -> Self {
        Self::run_command(Command::new(crate::named_file("TRAILBRAKE_BIN")), address, options)
    }

    /// Starts the relay of a program that has no arguments yet.
    pub fn run_command(mut command: Command, address: &str, options: &[&str]) -> Self {
        let with_ports = FEEDS.iter().filter(|row| !row.ports.is_empty());
        let ports: Vec<(&str, u16)> = with_ports.map(|row| (row.id, free_port())).collect();
        let f1 = ports.iter().find(|(feed, _)| *feed == Feed::F1.id());
        let f1_port = f1.expect("a port of F1 2018").1;
        command.args(["--http", address, "--no-open"]);
        // A folder of its own, away from the user's settings.
        let settings =
            std::env::temp_dir().join(format!("trailbrake-settings-{}-{}", std::process::id(), f1_port));
        std::fs::create_dir_all(&settings).expect("a folder");
        if !options.contains(&"--config") {
            let options_file = settings.join("config.toml");
            std::fs::write(&options_file, "").expect("a file");
            command.arg("--config").arg(options_file);
        }
        if !options.iter().any(|option| option.starts_with("--udp-bind")) {
            command.args(["--udp-bind", "127.0.0.1"]);
        }
        for (feed, port) in &ports {
            command.arg("--port").arg(format!("{feed}={port}"));
        }
        command.args(options);
        let arguments = command.get_args().map(ToOwned::to_owned).collect();
        let (child, lines, url) = Self::spawn(command);
        Self { child, arguments, settings, url, f1_port, ports, lines }
    }

    /// Starts it, and waits for its address.
    fn spawn(mut command: Command) -> (Child, mpsc::Receiver<String>, String) {
        command.stdout(Stdio::piped()).stdin(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        let out = child.stdout.take().expect("its output");
        let (sender, lines) = mpsc::channel();
        // The rest of the output is read too, so that a full pipe never blocks the program.
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let url = loop {
            let line = lines.recv_timeout(PATIENCE).expect("the program names its address");
            if let Some(at) = line.find("http://127.0.0.1:") {
                let url: String = line[at..].chars().take_while(|c| !c.is_whitespace()).collect();
                break url.trim_end_matches('/').to_owned();
            }
        };
        (child, lines, url)
    }

    /// Ends it at once, as a crash does, and starts it again after a while as it was started before: at the same address,
    /// if that was named.
    pub fn restart(&mut self, away: Duration) {
        self.child.kill().expect("the program runs");
        self.child.wait().expect("an end");
        std::thread::sleep(away);
        let mut command = Command::new(crate::named_file("TRAILBRAKE_BIN"));
        command.args(&self.arguments);
        (self.child, self.lines, self.url) = Self::spawn(command);
    }

    /// The port on which it receives a feed; `None` for a game that it asks from a port of its own.
    pub fn port(&self, feed: &str) -> Option<u16> {
        self.ports.iter().find(|(known, _)| *known == feed).map(|(_, port)| *port)
    }

    /// The number of its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// What its process takes of the memory, in bytes; 0 where the system doesn't say.
    pub fn resident_bytes(&self) -> u64 {
        crate::processes::resident(self.child.id()).unwrap_or_default()
    }

    /// The link for tablets at one of this machine's addresses, once it is printed.
    pub fn tablet_link(&self, address: &str) -> String {
        let start = format!("http://{address}:");
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("the program prints the link");
            if let Some(at) = line.find(&start) {
                return line[at..].chars().take_while(|c| !c.is_whitespace()).collect();
            }
        }
    }

    /// Ends the program at once, as a crash does.
    pub fn kill(mut self) {
        self.child.kill().expect("the program runs");
        self.child.wait().expect("an end");
    }

    /// Ends the program with Ctrl+C. Returns whether it reported success.
    #[cfg(unix)]
    pub fn interrupt(mut self) -> bool {
        let process = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", "INT", &process]).status().expect("kill runs");
        assert!(sent.success(), "no such process");
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().expect("a process") {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("Ctrl+C does not end the program");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.settings);
    }
}
