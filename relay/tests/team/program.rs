//! The program and `nats-server` as processes, and the folder of a hub.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use trailbrake_isolation::free_port;

/// The variable that names the servers to test with, as `PATH` names folders.
const SERVERS: &str = "TRAILBRAKE_NATS_SERVERS";
/// Long enough for anything to happen on a busy machine; a test that reaches it has failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The servers to test with.
pub(crate) fn servers() -> Vec<PathBuf> {
    let named =
        std::env::var_os(SERVERS).expect("TRAILBRAKE_NATS_SERVERS names servers: run cargo xtask test");
    let all: Vec<PathBuf> = std::env::split_paths(&named).filter(|path| path.is_file()).collect();
    assert!(!all.is_empty(), "{SERVERS} names no server that exists");
    all
}

/// Asks again and again until there is something.
#[track_caller]
pub(crate) fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let (caller, begun) = (Location::caller(), Instant::now());
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "what {caller} waits for did not happen in {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Runs the program to its end.
pub(crate) fn trailbrake(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trailbrake"));
    command.args(arguments).stdin(Stdio::null()).output().expect("the program runs")
}

/// What the program prints when it succeeds.
pub(crate) fn printed(arguments: &[&str]) -> String {
    let output = trailbrake(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// What the program reports when it fails.
pub(crate) fn error_of(arguments: &[&str]) -> String {
    let output = trailbrake(arguments);
    assert!(!output.status.success(), "{arguments:?} succeeds");
    let words = String::from_utf8(output.stderr).expect("text");
    assert!(!words.contains("panicked"), "{words}");
    words
}

/// A running program, and what it printed so far.
pub(crate) struct Running {
    child: Child,
    printed: Arc<Mutex<Vec<String>>>,
}

impl Running {
    /// Starts the program. A server that it starts is the named one.
    pub(crate) fn start(arguments: &[&str], server: Option<&Path>) -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let own = server.and_then(Path::parent).map(Path::to_owned);
        let folders = own.into_iter().chain(std::env::split_paths(&path));
        Self::with_path(arguments, std::env::join_paths(folders).expect("a path"))
    }

    /// Starts the program where other programs are only in these folders.
    pub(crate) fn with_path(arguments: &[&str], path: OsString) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trailbrake"));
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.env("PATH", path).spawn().expect("the program runs");
        let printed = Arc::<Mutex<Vec<String>>>::default();
        let out: Box<dyn Read + Send> = Box::new(child.stdout.take().expect("its output"));
        let errors: Box<dyn Read + Send> = Box::new(child.stderr.take().expect("its errors"));
        for source in [out, errors] {
            let lines = Arc::clone(&printed);
            std::thread::spawn(move || {
                for line in BufReader::new(source).lines().map_while(Result::ok) {
                    lines.lock().expect("lines").push(line);
                }
            });
        }
        Self { child, printed }
    }

    /// What it printed so far.
    pub(crate) fn text(&self) -> String {
        self.printed.lock().expect("lines").join("\n")
    }

    /// Waits until it printed some words.
    #[track_caller]
    pub(crate) fn says(&mut self, words: &str) {
        let begun = Instant::now();
        while !self.text().contains(words) {
            let state = self.child.try_wait().expect("a state");
            let is_over = state.is_some() || begun.elapsed() > PATIENCE;
            assert!(!is_over || self.text().contains(words), "no {words:?} ({state:?}): {}", self.text());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, name: &str) {
        signal(self.child.id(), name);
    }

    /// Ends it in order.
    pub(crate) fn stop(mut self) -> String {
        self.signal("TERM");
        until(|| self.child.try_wait().expect("a state"));
        self.text()
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("ended");
        self.child.wait().expect("ended");
    }

    /// Waits until it fails by itself, with some words.
    #[track_caller]
    pub(crate) fn fails(mut self, words: &str) {
        let state = until(|| self.child.try_wait().expect("a state"));
        assert!(!state.success());
        // The last lines may be on their way.
        until(|| self.text().contains("trailbrake: ").then_some(()));
        assert!(self.text().contains(words), "no {words:?}: {}", self.text());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.text());
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a signal to a process of this test.
pub(crate) fn signal(id: u32, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), id.to_string()]).status().expect("kill runs");
    assert!(sent.success());
}

/// A hub's folder, and the server that runs there.
pub(crate) struct Hub {
    pub(crate) folder: TempDir,
    pub(crate) port: u16,
    server: Option<Child>,
}

impl Hub {
    /// A new hub, with no server yet.
    pub(crate) fn new(more: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let port = free_port();
        let hub = Self { folder, port, server: None };
        let host = format!("127.0.0.1:{port}");
        printed(&[&["team", "init", &hub.dir(), "--host", &host, "--store-gb", "1"], more].concat());
        hub
    }

    /// A new hub that shares the server of this one.
    pub(crate) fn sharing(&self) -> Self {
        let new = Self { folder: tempfile::tempdir().expect("a folder"), port: self.port, server: None };
        printed(&["team", "init", &new.dir(), "--share", &self.dir(), "--store-gb", "1"]);
        new
    }

    /// Its folder as an argument.
    pub(crate) fn dir(&self) -> String {
        self.folder.path().join("hub").to_str().expect("text").to_owned()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("hub").join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the file")
    }

    /// Adds a rig; returns the path of its invitation.
    pub(crate) fn invite(&self, rig: &str) -> PathBuf {
        let text = printed(&["team", "add", rig, &self.dir()]);
        let path = self.folder.path().join(format!("{rig}.team"));
        fs::File::create(&path).and_then(|mut file| file.write_all(text.as_bytes())).expect("written");
        path
    }

    /// Starts a server, and waits until it answers.
    pub(crate) fn start(&mut self, program: &Path) {
        self.server = Some(start_server(program, &self.path(""), "nats.conf", self.port));
    }

    /// Archives with the program; a server that it starts is the named one.
    pub(crate) fn serve(&self, server: Option<&Path>) -> Running {
        Running::start(&["team", "serve", &self.dir()], server)
    }

    /// The server's process.
    pub(crate) fn server_id(&self) -> u32 {
        self.server.as_ref().expect("a server").id()
    }

    /// Sends a signal to the server.
    pub(crate) fn signal(&self, name: &str) {
        signal(self.server_id(), name);
    }

    /// Ends the server as a power cut would.
    pub(crate) fn kill(&mut self) {
        if let Some(mut server) = self.server.take() {
            server.kill().expect("ended");
            server.wait().expect("ended");
        }
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The three servers of a cluster.
pub(crate) struct Servers {
    program: PathBuf,
    folder: PathBuf,
    ports: [u16; 3],
    running: [Option<Child>; 3],
}

impl Servers {
    pub(crate) fn start(program: &Path, folder: &Path, ports: [u16; 3]) -> Self {
        let running = [None, None, None];
        let mut all = Self { program: program.to_owned(), folder: folder.to_owned(), ports, running };
        (0..3).for_each(|number| all.restart(number));
        all
    }

    pub(crate) fn restart(&mut self, number: usize) {
        let config = format!("nats-{}.conf", number + 1);
        self.running[number] = Some(start_server(&self.program, &self.folder, &config, self.ports[number]));
    }

    pub(crate) fn kill(&mut self, number: usize) {
        if let Some(mut server) = self.running[number].take() {
            server.kill().expect("ended");
            server.wait().expect("ended");
        }
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        (0..3).for_each(|number| self.kill(number));
    }
}

/// Starts a server with a configuration in a folder, and waits until it answers.
pub(crate) fn start_server(program: &Path, folder: &Path, config: &str, port: u16) -> Child {
    let mut command = Command::new(program);
    command.args(["--config", config]).current_dir(folder);
    let log = fs::File::options().create(true).append(true).open(folder.join("server.log")).expect("a log");
    let mut server =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().expect("a server");
    until(|| {
        assert!(
            server.try_wait().expect("a state").is_none(),
            "the server ended: {}",
            fs::read_to_string(folder.join(config.replace(".conf", ".log"))).unwrap_or_default()
        );
        TcpStream::connect(("127.0.0.1", port)).ok()
    });
    server
}
