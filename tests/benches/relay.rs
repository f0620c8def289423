//! What the relay adds: how late a packet reaches a browser, and the processor's time for each message, beside a bare
//! loop that only receives datagrams and sends them to WebSockets.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a tool for the bench: it says what it expects by panicking"
)]

use std::io::{BufRead, BufReader};
use std::net::UdpSocket;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tokio::sync::broadcast;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use trailbrake_shared::games::f1::layout::YEAR_2018;
use trailbrake_shared::games::f1::{Kind, VERSION};
use trailbrake_shared::wire::{self, ToBrowser};
use trailbrake_tests::figures::{figure, quantile};
use trailbrake_tests::program::Program;

/// Where cars are: the largest of F1 2018's packets that come with every frame.
const KIND: Kind = Kind::Motion;
/// Its length in bytes.
const PACKET: usize = KIND.size(YEAR_2018).expect("a kind of 2018");
/// Where a packet has its number: at its end.
const NUMBER: std::ops::Range<usize> = PACKET - 8..PACKET;
/// How long each rate is sent.
const SECONDS: f64 = 5.0;
/// The variable that makes this program the bare loop.
const BARE: &str = "TRAILBRAKE_BARE_LOOP";
/// Clock ticks per second in `/proc`, on every Linux of today.
const TICKS: f64 = 100.0;

/// What is measured: a rate, and for how many browsers.
struct Load {
    name: &'static str,
    /// Bursts per second.
    bursts: u32,
    /// Packets in each.
    packets: u32,
    browsers: usize,
}

const LOADS: [Load; 5] = [
    Load { name: "60 packets/s, 1 browser", bursts: 60, packets: 1, browsers: 1 },
    Load { name: "bursts of 5 at 60 Hz, 1 browser", bursts: 60, packets: 5, browsers: 1 },
    Load { name: "bursts of 5 at 60 Hz, 50 browsers", bursts: 60, packets: 5, browsers: 50 },
    Load { name: "10 000 packets/s, 50 browsers", bursts: 1000, packets: 10, browsers: 50 },
    Load { name: "50 000 packets/s, 1 browser", bursts: 1000, packets: 50, browsers: 1 },
];

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    if std::env::var_os(BARE).is_some() {
        return runtime.block_on(bare_loop());
    }
    for load in &LOADS {
        let program = Program::start(&[]);
        let url = format!("{}/live", program.url.replace("http", "ws"));
        let ours = runtime.block_on(measure(load, program.f1_port, &url, Some(program.process())));
        drop(program);
        let bare = Bare::start();
        let theirs = runtime.block_on(measure(load, bare.port, &bare.url, Some(bare.child.id())));
        drop(bare);
        for (who, measured) in [("relay", ours), ("bare loop", theirs)] {
            let name = |what: &str| format!("{}: {what}, {who}", load.name);
            figure("relay", &name("late, p50"), measured.p50_ms, "ms");
            figure("relay", &name("late, p99"), measured.p99_ms, "ms");
            figure("relay", &name("processor per message"), measured.message_us, "µs");
            figure("relay", &name("lost"), measured.lost, "%");
        }
    }
}

struct Measured {
    p50_ms: f64,
    p99_ms: f64,
    /// Processor time for each packet that reached a browser.
    message_us: f64,
    /// Packets that did not reach a browser, in percent.
    lost: f64,
}

/// Sends packets to a port, and takes them at WebSockets.
async fn measure(load: &Load, port: u16, url: &str, process: Option<u32>) -> Measured {
    let began = Instant::now();
    let sent: Arc<Vec<AtomicU64>> = {
        let count = (f64::from(load.bursts * load.packets) * SECONDS) as usize;
        Arc::new((0..count).map(|_| AtomicU64::default()).collect())
    };
    let mut browsers = Vec::new();
    for _ in 0..load.browsers {
        let mut request = url.into_client_request().expect("a request");
        let origin = url.replace("ws", "http").trim_end_matches("/live").parse().expect("an origin");
        request.headers_mut().insert("origin", origin);
        let (mut socket, _) = tokio_tungstenite::connect_async(request).await.expect("a connection");
        let sent = Arc::clone(&sent);
        browsers.push(tokio::spawn(async move {
            let (mut late_us, mut count) = (Vec::new(), 0_usize);
            while count < sent.len() {
                let message = tokio::time::timeout(Duration::from_secs(2), socket.next()).await;
                let Ok(Some(Ok(Message::Binary(message)))) = message else { break };
                let now = began.elapsed().as_micros() as u64;
                for number in numbers(&message) {
                    let then = sent[number as usize].load(Ordering::Relaxed);
                    late_us.push(now.saturating_sub(then) as f64);
                    count += 1;
                }
            }
            late_us
        }));
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let before_s = process.map_or(0.0, processor_s);
    let (bursts, packets) = (load.bursts, load.packets);
    let game = {
        let sent = Arc::clone(&sent);
        tokio::task::spawn_blocking(move || {
            let game = UdpSocket::bind("127.0.0.1:0").expect("a socket");
            game.connect(("127.0.0.1", port)).expect("a port");
            let first = Instant::now();
            let mut packet = [0; PACKET];
            packet[..2].copy_from_slice(&YEAR_2018.number().to_le_bytes());
            (packet[2], packet[3]) = (VERSION, KIND.id());
            for (number, moment) in sent.iter().enumerate() {
                if number % packets as usize == 0 {
                    let due = Duration::from_secs_f64((number / packets as usize) as f64 / f64::from(bursts));
                    std::thread::sleep(due.saturating_sub(first.elapsed()));
                }
                packet[NUMBER].copy_from_slice(&(number as u64).to_le_bytes());
                moment.store(began.elapsed().as_micros() as u64, Ordering::Relaxed);
                game.send(&packet).expect("sent");
            }
        })
    };
    game.await.expect("all sent");
    let mut late_us = Vec::new();
    for browser in browsers {
        late_us.extend(browser.await.expect("a browser"));
    }
    let spent_s = process.map_or(0.0, processor_s) - before_s;
    let (arrived, all) = (late_us.len() as f64, (sent.len() * load.browsers) as f64);
    Measured {
        p50_ms: quantile(&mut late_us, 0.5) / 1e3,
        p99_ms: quantile(&mut late_us, 0.99) / 1e3,
        message_us: spent_s * 1e6 / arrived,
        lost: 100.0 * (1.0 - arrived / all),
    }
}

/// The numbers of the packets in a message: a batch of the relay's, or a bare packet.
fn numbers(message: &[u8]) -> Vec<u64> {
    let number = |packet: &[u8]| Some(u64::from_le_bytes(packet.get(NUMBER)?.try_into().ok()?));
    if message.len() == PACKET {
        return number(message).into_iter().collect();
    }
    match wire::decode(message) {
        Ok(ToBrowser::Batch(datagrams)) => {
            let ours = datagrams.iter().filter(|datagram| datagram.bytes.len() == PACKET);
            ours.filter_map(|datagram| number(datagram.bytes)).collect()
        }
        _ => Vec::new(),
    }
}

/// The processor time that a process has used, in seconds; nothing where the system does not say.
fn processor_s(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks = |place: usize| fields.get(place).and_then(|field| field.parse().ok()).unwrap_or(f64::NAN);
    (ticks(11) + ticks(12)) / TICKS
}

/// The bare loop as a process of its own.
struct Bare {
    child: Child,
    port: u16,
    url: String,
}

impl Bare {
    fn start() -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        let mut child = command.env(BARE, "1").stdout(Stdio::piped()).spawn().expect("the bare loop");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("its ports");
        let ports: Vec<u16> = line.split_whitespace().filter_map(|port| port.parse().ok()).collect();
        Self { child, port: ports[0], url: format!("ws://127.0.0.1:{}/live", ports[1]) }
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Receives datagrams and sends each to every WebSocket, and nothing else.
async fn bare_loop() {
    let socket = tokio::net::UdpSocket::bind("127.0.0.1:0").await.expect("a socket");
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a listener");
    let port = |address: std::io::Result<std::net::SocketAddr>| address.expect("an address").port();
    println!("{} {}", port(socket.local_addr()), port(listener.local_addr()));
    let (sender, _) = broadcast::channel(65_536);
    let browsers = sender.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            stream.set_nodelay(true).expect("a socket");
            let mut packets = browsers.subscribe();
            tokio::spawn(async move {
                let mut browser = tokio_tungstenite::accept_async(stream).await.expect("a browser");
                while let Ok(packet) = packets.recv().await {
                    if browser.send(Message::Binary(packet)).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    let mut room = vec![0; 65_536];
    loop {
        let Ok((len, _)) = socket.recv_from(&mut room).await else { continue };
        let packet = tokio_tungstenite::tungstenite::Bytes::copy_from_slice(&room[..len]);
        let _ = sender.send(packet);
    }
}
