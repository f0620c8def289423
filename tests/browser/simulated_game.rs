//! A simulated game that sends by UDP, many times as fast as real.

use std::collections::BTreeSet;
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::{Demo, Options, host};
use trailbrake_shared::time::Micros;

/// How often it sends what is due.
const STEP: Duration = Duration::from_millis(2);

/// What it sends in one go at most. A game that stood still goes on from there: it has nothing to make up for.
const LONGEST_STEP: Duration = Duration::from_millis(10);

/// The game stands still while this many bytes wait for a program that has no processor to read them. Many times as fast
/// as real, it would fill the system's room for them, and what a game sends once would be lost.
const MOST_UNREAD: u64 = 64 << 10;

/// A game that starts at once and sends until it is dropped. One that sends on request listens before it starts.
pub(crate) struct SimulatedGame {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// The socket of a game that has not started.
pub(crate) struct GameSocket(UdpSocket);

impl GameSocket {
    pub(crate) fn open() -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        socket.set_nonblocking(true).expect("a socket that does not block");
        Self(socket)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.0.local_addr().expect("an address")
    }

    /// Starts the game. It sends to `port`, or to those who ask.
    pub(crate) fn start(self, feed: Feed, port: Option<u16>, speed: f64) -> SimulatedGame {
        self.drive(feed, port, speed, Options { seed: 3, keep_truth: false, ..Options::default() })
    }

    /// Like [`Self::start`], with what is driven.
    pub(crate) fn drive(self, feed: Feed, port: Option<u16>, speed: f64, options: Options) -> SimulatedGame {
        let is_over = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || self.send(feed, port, speed, options, &ends));
        SimulatedGame { is_over, thread: Some(thread) }
    }

    fn send(&self, feed: Feed, port: Option<u16>, speed: f64, options: Options, is_over: &AtomicBool) {
        let mut demo = Demo::new(feed, options, Micros(0)).expect("a demo");
        let mut host = if port.is_none() { host(feed) } else { None };
        let (mut driven, mut last) = (0.0, Instant::now());
        let mut ports = BTreeSet::new();
        let mut room = [0; 2048];
        while !is_over.load(Ordering::Relaxed) {
            let passed = last.elapsed();
            last = Instant::now();
            if ports.iter().any(|port| is_behind(*port)) {
                std::thread::sleep(STEP);
                continue;
            }
            driven += passed.min(LONGEST_STEP).as_secs_f64() * speed;
            let mut packets = Vec::new();
            demo.advance(Micros(0).plus_seconds(driven), &mut |_, bytes| packets.push(bytes.to_vec()));
            for packet in packets {
                let own: Vec<SocketAddr> =
                    port.map(|port| ([127, 0, 0, 1], port).into()).into_iter().collect();
                let listeners = host.as_mut().map_or(own.as_slice(), |host| host.listeners(&packet));
                ports.extend(listeners.iter().map(SocketAddr::port));
                for listener in listeners {
                    // Nobody listens yet, or any more: a game sends on.
                    let _ = self.0.send_to(&packet, listener);
                }
            }
            while let Ok((len, from)) = self.0.recv_from(&mut room) {
                demo.receive(&room[..len]);
                if let Some(answer) = host.as_mut().and_then(|host| host.receive(from, &room[..len])) {
                    let _ = self.0.send_to(answer, from);
                }
            }
            std::thread::sleep(STEP);
        }
    }
}

/// Whether a port of this machine has much to read. Where the system does not say, it has not.
fn is_behind(port: u16) -> bool {
    let sockets = std::fs::read_to_string("/proc/net/udp").unwrap_or_default();
    sockets.lines().skip(1).any(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let number = |field: usize| {
            let (_, digits) = fields.get(field)?.split_once(':')?;
            u64::from_str_radix(digits, 16).ok()
        };
        number(1) == Some(u64::from(port)) && number(4).is_some_and(|unread| unread > MOST_UNREAD)
    })
}

impl Drop for SimulatedGame {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
