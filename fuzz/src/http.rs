//! Requests to the relay's HTTP server, queries, headers and bodies included.
#![expect(clippy::expect_used, reason = "bringing the program down is how a target reports what it found")]

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::LazyLock;
use std::time::Duration;

use trailbrake_relay::relaying::{Relay, Settings};

/// How long a connection may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// A recording for the library.
const RECORDING: &[u8] = include_bytes!("../corpus/recording_file/finished.mcap");
/// What no request may reach: settings name addresses that packets would be sent to, and tablets come from other machines.
const CLOSED: [&str; 2] = ["/settings", "/tablets"];
/// The relay, which runs until the program ends.
static RELAY: LazyLock<SocketAddr> = LazyLock::new(start);

/// A request: its method and path, headers, an empty line, and the body. It comes from the owner's own page, so that it
/// gets past the doors. The server must answer it, and never with an error of its own.
pub fn http(bytes: &[u8]) {
    let (head, body) = bytes.split_at(end_of_head(bytes));
    let body = body.strip_prefix(b"\n\n").unwrap_or(body);
    let head = String::from_utf8_lossy(head);
    let mut lines = head.lines();
    let line = lines.next().unwrap_or_default();
    let (method, path) = line.split_once(' ').unwrap_or(("GET", line));
    if CLOSED.iter().any(|closed| path.starts_with(closed)) {
        return;
    }
    let address = *RELAY;
    let mut request = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\n");
    request += &format!("x-trailbrake: 1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    for header in lines {
        request += &format!("{header}\r\n");
    }
    let mut request = format!("{request}\r\n").into_bytes();
    request.extend_from_slice(body);

    let mut connection = TcpStream::connect(address).expect("the server accepts");
    connection.set_read_timeout(Some(PATIENCE)).expect("a time");
    // The server may hang up as soon as it has refused.
    let _ = connection.write_all(&request).and_then(|()| connection.shutdown(Shutdown::Write));
    let mut answer = Vec::new();
    let read = connection.read_to_end(&mut answer);
    if let Err(error) = read {
        assert!(
            !matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut),
            "no answer"
        );
    }
    let is_own_error = answer.starts_with(b"HTTP/1.1 500");
    assert!(!is_own_error, "{}", String::from_utf8_lossy(&answer));
}

/// Where the first empty line begins.
fn end_of_head(bytes: &[u8]) -> usize {
    bytes.windows(2).position(|two| two == b"\n\n").unwrap_or(bytes.len())
}

/// Starts a relay with a library of its own that receives nothing.
fn start() -> SocketAddr {
    let folder = std::env::temp_dir().join(format!("trailbrake-fuzz-{}", std::process::id()));
    let recordings = folder.join("recordings");
    fs::create_dir_all(&recordings).expect("a folder");
    fs::write(recordings.join("one.mcap"), RECORDING).expect("a recording");
    let options = folder.join("options.toml");
    fs::write(&options, "").expect("an empty file");
    let named = |option: &str, path: &std::path::Path| format!("--{option}={}", path.display());
    let mut settings = Settings::read([
        "trailbrake",
        "--no-open",
        "--no-record",
        "--http=127.0.0.1:0",
        "--udp-bind=127.0.0.1",
        &named("config", &options),
        &named("recordings", &recordings),
    ])
    .expect("settings");
    settings.ports.clear();
    settings.asking.clear();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = Box::leak(Box::new(runtime.expect("a runtime")));
    let _inside = runtime.enter();
    let relay = Relay::open(settings).expect("a relay");
    let address = relay.report().http;
    runtime.spawn(relay.run(std::future::pending()));
    address
}
