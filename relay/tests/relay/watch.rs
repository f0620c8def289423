//! `trailbrake watch` as a process: real packets, and the ways in which it ends.

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, UdpSocket};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::mpsc;
use trailbrake_relay::relaying::Settings;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::ac_remote::layout::Answer;
use trailbrake_shared::games::ac_remote::{ANSWER, VERSION};
use trailbrake_shared::games::f1::Kind;
use trailbrake_shared::games::table::ONLY_VERSION;

use crate::running::{self, Running, packet, settings, soon, until};

/// A running `trailbrake watch`.
struct Watching {
    child: Child,
    errors: mpsc::UnboundedReceiver<String>,
}

fn lines(from: impl std::io::Read + Send + 'static) -> mpsc::UnboundedReceiver<String> {
    let (sender, receiver) = mpsc::unbounded_channel();
    thread::spawn(move || {
        for line in BufReader::new(from).lines() {
            if sender.send(line.expect("text")).is_err() {
                return;
            }
        }
    });
    receiver
}

impl Watching {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_trailbrake"))
            .args(["watch", "--config", "/dev/null", "--no-record"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let errors = lines(child.stderr.take().expect("its errors"));
        Self { child, errors }
    }

    fn out(&mut self) -> ChildStdout {
        self.child.stdout.take().expect("its lines")
    }

    /// Waits for a line on stderr that contains these words.
    async fn says(&mut self, words: &str) -> String {
        soon(async {
            loop {
                let line = self.errors.recv().await.expect("it went on");
                if line.contains(words) {
                    return line;
                }
            }
        })
        .await
    }

    async fn ended(mut self) -> ExitStatus {
        until(async || self.child.try_wait().expect("a status")).await
    }

    fn interrupt(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", "INT", &id]).status().expect("kill runs").success());
    }
}

/// A telemetry packet with a session time and the gear of the player's car.
fn in_gear(seconds: f32, gear: u8) -> Vec<u8> {
    let mut bytes = packet(Kind::CarTelemetry, 0);
    bytes[4] = 77;
    bytes[12..16].copy_from_slice(&seconds.to_le_bytes());
    bytes[21..23].copy_from_slice(&250_u16.to_le_bytes());
    bytes[27] = gear;
    bytes
}

/// A game that changes gear ten times a second, until it is dropped.
struct Game(std::sync::mpsc::Sender<()>);

impl Game {
    fn drive(to: SocketAddr) -> Self {
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        thread::spawn(move || {
            let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
            for step in 0_u16.. {
                let _ = socket.send_to(&in_gear(10.0 + f32::from(step) / 10.0, 1 + (step % 8) as u8), to);
                match stopped.recv_timeout(Duration::from_millis(100)) {
                    Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
                    _ => return,
                }
            }
        });
        Self(stop)
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

async fn object(lines: &mut mpsc::UnboundedReceiver<String>, wanted: impl Fn(&Value) -> bool) -> Value {
    soon(async {
        loop {
            let line = lines.recv().await.expect("it went on");
            let object = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
            if wanted(&object) {
                return object;
            }
        }
    })
    .await
}

/// Options that let the system choose every feed's port.
fn any_ports() -> Vec<String> {
    let ports = running::any_ports().map(|port| format!("--port={port}"));
    ["--udp-bind=127.0.0.1".to_owned()].into_iter().chain(ports).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn it_shows_what_a_running_trailbrake_receives_and_waits_for_it_to_run_again() {
    let relay = Running::usual();
    let (address, udp_address) = (relay.report.http, relay.address_of(Feed::F1));
    let mut watching = Watching::start(&["--json", "--http", &address.to_string()]);
    watching.says(&format!("shows what the Trailbrake at http://{address}/ receives")).await;
    let mut out = lines(watching.out());
    let game = Game::drive(udp_address);
    let change = object(&mut out, |object| object["event"] == "on_gear_change").await;
    assert_eq!((&change["feed"], &change["car"]), (&"f1".into(), &0.into()));
    assert!(change["value"].as_u64().is_some_and(|gear| (1..=8).contains(&gear)), "{change}");
    let sample = object(&mut out, |object| object["values"]["speed"].is_number()).await;
    assert!((sample["values"]["speed"].as_f64().expect("a speed") - 250.0 / 3.6).abs() < 1e-4, "{sample}");
    drop(game);

    relay.stop().await;
    watching.says("waiting until it runs again").await;
    let again = Running::start(Settings { http: address, ..settings(&[]) });
    assert_eq!(again.report.http, address);
    let _game = Game::drive(again.address_of(Feed::F1));
    object(&mut out, |object| object["event"] == "on_session_start").await;
    watching.interrupt();
    assert_eq!(watching.ended().await.code(), Some(0));
    again.stop().await;
}

#[tokio::test]
async fn it_opens_the_ports_itself_where_none_runs() {
    let mut arguments = vec!["--events", "--feed", "f1-2018", "--http", "127.0.0.1:0"];
    let ports = any_ports();
    arguments.extend(ports.iter().map(String::as_str));
    let mut watching = Watching::start(&arguments);
    let listens = watching.says("listens at UDP").await;
    // Only the requested feed's port is opened.
    assert_eq!(listens.matches("UDP").count(), 1, "{listens}");
    let port: u16 = listens.split_whitespace().nth(4).and_then(|port| port.parse().ok()).expect("a port");
    let mut out = lines(watching.out());
    let _game = Game::drive(([127, 0, 0, 1], port).into());
    let mut printed = Vec::new();
    while printed.len() < 3 {
        printed.push(soon(out.recv()).await.expect("a line"));
    }
    assert!(printed[0].contains("on_session_start      Session started"), "{printed:?}");
    assert!(printed[1].contains("on_gear_change        Gear changed: "), "{printed:?}");
    watching.interrupt();
    assert_eq!(watching.ended().await.code(), Some(0));
}

#[tokio::test]
async fn a_game_that_was_asked_is_taken_leave_of() {
    let game = tokio::net::UdpSocket::bind("127.0.0.1:0").await.expect("a socket");
    let address = format!("--ac-game={}", game.local_addr().expect("an address"));
    let options = ["--udp-bind", "127.0.0.1", "--http", "127.0.0.1:0", "--feed", "ac-remote"];
    let watching = Watching::start(&[&options[..], &[address.as_str()]].concat());
    let mut room = [0; 100];
    soon(game.recv_from(&mut room)).await.expect("a handshake");
    watching.interrupt();
    // Before the handshake is answered there is nothing to dismiss. The handshake may be repeated once before the exit.
    assert!(watching.ended().await.success());
    let answered = Watching::start(&[&options[..], &[address.as_str()]].concat());
    soon(async {
        loop {
            let (len, from) = game.recv_from(&mut room).await.expect("a datagram");
            match room.get(8) {
                Some(0) => drop(game.send_to(&ac_answer(), from).await.expect("sent")),
                Some(1) => break,
                _ => panic!("{:?}", &room[..len]),
            }
        }
        answered.interrupt();
        while {
            game.recv_from(&mut room).await.expect("that leave is taken");
            room[8] != 3
        } {}
    })
    .await;
    assert!(answered.ended().await.success());
}

/// Assetto Corsa's answer to a handshake.
fn ac_answer() -> Vec<u8> {
    Answer { identifier: ANSWER, version: VERSION, ..Answer::default() }.bytes(ONLY_VERSION)
}

#[tokio::test]
async fn a_closed_pipe_ends_it_quietly() {
    let mut arguments = vec!["--demo", "--http", "127.0.0.1:0"];
    let ports = any_ports();
    arguments.extend(ports.iter().map(String::as_str));
    let mut watching = Watching::start(&arguments);
    let mut out = BufReader::new(watching.out());
    let mut line = String::new();
    out.read_line(&mut line).expect("a line");
    assert!(line.contains("on_session_start"), "{line}");
    drop(out);
    watching.says("listens at").await;
    let mut more = std::mem::replace(&mut watching.errors, mpsc::unbounded_channel().1);
    assert_eq!(watching.ended().await.code(), Some(0));
    assert_eq!(soon(more.recv()).await, None, "nothing is printed about it");
}

#[tokio::test]
async fn it_ends_on_an_interrupt_though_nobody_reads_its_lines() {
    let mut arguments = vec!["--demo", "--json", "--rate", "240", "--http", "127.0.0.1:0"];
    let ports = any_ports();
    arguments.extend(ports.iter().map(String::as_str));
    let mut watching = Watching::start(&arguments);
    let mut out = BufReader::new(watching.out());
    let mut line = String::new();
    out.read_line(&mut line).expect("a line");
    // At two kilobytes a line, the pipe and the queue are full within a few seconds.
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(4) {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    watching.interrupt();
    assert_eq!(watching.ended().await.code(), Some(0));
}

#[tokio::test]
async fn a_port_that_cannot_be_opened_is_reported() {
    let held = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let port = format!("--port=f1-2018={}", held.local_addr().expect("an address").port());
    let arguments = ["--feed", "f1-2018", "--http", "127.0.0.1:0", "--udp-bind", "127.0.0.1", &port];
    let mut watching = Watching::start(&arguments);
    watching.says("is not received").await;
    watching.says("no port could be opened").await;
    assert_eq!(watching.ended().await.code(), Some(1));
}
