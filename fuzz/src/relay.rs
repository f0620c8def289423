//! A relay that answers the targets until the program ends.
#![expect(clippy::expect_used, reason = "bringing the program down is how a target reports what it found")]

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::LazyLock;
use std::time::Duration;

use trailbrake_relay::commands::read_settings;
use trailbrake_relay::relaying::{Link, Relay};

/// How long a connection may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// A recording for the library.
const RECORDING: &[u8] = include_bytes!("../corpus/recording_file/finished.mcap");
/// The relay.
static RELAY: LazyLock<RunningRelay> = LazyLock::new(start);

/// The relay's addresses.
struct RunningRelay {
    owner: SocketAddr,
    tablets: Link,
}

/// Who asks.
#[derive(Clone, Copy)]
pub(crate) enum Role {
    Owner,
    Tablet,
    Stranger,
}

impl Role {
    /// The role that a byte selects.
    pub(crate) fn of(choice: u8) -> Self {
        match choice % 3 {
            0 => Self::Owner,
            1 => Self::Tablet,
            _ => Self::Stranger,
        }
    }

    /// The relay's address for this role.
    pub(crate) fn address(self) -> SocketAddr {
        match self {
            Self::Owner => RELAY.owner,
            Self::Tablet | Self::Stranger => RELAY.tablets.address,
        }
    }

    /// The headers of a page in this role.
    pub(crate) fn headers(self) -> String {
        let address = self.address();
        let cookie = match self {
            Self::Tablet => format!("cookie: trailbrake-{}={}\r\n", address.port(), RELAY.tablets.token),
            Self::Owner | Self::Stranger => String::new(),
        };
        format!("host: {address}\r\norigin: http://{address}\r\n{cookie}")
    }
}

/// Sends a request, and more once its head is answered, and reads everything that is answered; nothing where the relay no
/// longer listens at this address.
pub(crate) fn answer(address: SocketAddr, request: &[u8], more: &[u8]) -> Vec<u8> {
    let mut answer = Vec::new();
    // An owner's request may have closed the page to tablets.
    let Ok(mut connection) = TcpStream::connect(address) else { return answer };
    connection.set_read_timeout(Some(PATIENCE)).expect("a time");
    // The server may hang up as soon as it has refused.
    let _ = connection.write_all(request);
    let mut byte = [0];
    while !more.is_empty()
        && !answer.ends_with(b"\r\n\r\n")
        && connection.read(&mut byte).is_ok_and(|len| len > 0)
    {
        answer.extend(byte);
    }
    let _ = connection.write_all(more).and_then(|()| connection.shutdown(Shutdown::Write));
    if let Err(error) = connection.read_to_end(&mut answer) {
        assert!(
            !matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut),
            "no answer"
        );
    }
    answer
}

/// Starts a relay with a library of its own. It has no port and asks no game, so whatever is set, it sends to nobody.
fn start() -> RunningRelay {
    let folder = std::env::temp_dir().join(format!("trailbrake-fuzz-{}", std::process::id()));
    let recordings = folder.join("recordings");
    fs::create_dir_all(&recordings).expect("a folder");
    fs::write(recordings.join("one.mcap"), RECORDING).expect("a recording");
    let options = folder.join("options.toml");
    fs::write(&options, "").expect("an empty file");
    let named = |option: &str, path: &std::path::Path| format!("--{option}={}", path.display());
    let mut settings = read_settings([
        "trailbrake",
        "--no-open",
        "--no-record",
        "--http=127.0.0.1:0",
        "--udp-bind=127.0.0.1",
        "--lan",
        "--lan-address=127.0.0.2",
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
    let owner = relay.report().http;
    let tablets = relay.report().tablets.first().expect("a link").clone();
    runtime.spawn(relay.run(std::future::pending()));
    RunningRelay { owner, tablets }
}
