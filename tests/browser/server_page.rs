//! The Server page: every command reaches a server byte by byte, and those that do harm only after a confirmation.

use std::net::UdpSocket;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recording_links::until;

/// The current session: seven laps of Magione, written from the protocol's table.
const SESSION: &[u8] = b"\x3b\x04\x01\x01\x02\x02A\0\0\0C\0\0\0\x07magione\0\x04Race\x03\0\0\x07\0\x40\x9c\x18\x1e\x073_clear\xc0\x63\xff\xff";
/// Slot 0: somebody in car `a` with skin `b`, up to the name, and after it team `T` and guid `7`.
const CAR: [&[u8]; 2] = [b"\x36\0\x01\x01a\0\0\0\x01b\0\0\0", b"\x01T\0\0\0\x017\0\0\0"];
/// The error for a slot that does not exist.
const ERROR: &[u8] = b"\x3c\x02n\0\0\0o\0\0\0";
/// Car 0's position: 40 m/s at a quarter of the lap.
const UPDATE: &[u8] =
    b"\x35\0\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x20\x42\0\0\0\0\0\0\0\0\x05\x58\x1b\0\0\x80\x3e";
/// Slot 0 writes what follows.
const CHAT: &[u8] = b"\x39\0";

/// A server that answers requests and keeps them.
pub(crate) struct FakeServer {
    pub(crate) port: u16,
    requests: Arc<Mutex<Vec<Vec<u8>>>>,
    is_over: Arc<AtomicBool>,
}

impl FakeServer {
    /// A server with one driver, who answers each message in the chat with the same words.
    pub(crate) fn start(driver: &str, chat: &str) -> Self {
        let car = [CAR[0], &wide(driver), CAR[1]].concat();
        let chat = [CHAT, &wide(chat)].concat();
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        socket.set_read_timeout(Some(Duration::from_millis(100))).expect("a timeout");
        let port = socket.local_addr().expect("an address").port();
        let server = Self { port, requests: Arc::default(), is_over: Arc::default() };
        let (requests, is_over) = (Arc::clone(&server.requests), Arc::clone(&server.is_over));
        std::thread::spawn(move || {
            let mut plugin = None;
            let mut room = [0; 2048];
            while !is_over.load(Ordering::Relaxed) {
                if let Ok((len, from)) = socket.recv_from(&mut room) {
                    let request = room[..len].to_vec();
                    let answer = match request.as_slice() {
                        [0xcc, ..] => Some(SESSION),
                        [0xc9, 0] => Some(car.as_slice()),
                        [0xc9, ..] => Some(ERROR),
                        [0xcb, ..] => Some(chat.as_slice()),
                        _ => None,
                    };
                    if let Some(answer) = answer {
                        socket.send_to(answer, from).expect("sent");
                    }
                    plugin = Some(from);
                    requests.lock().expect("the requests").push(request);
                }
                if let Some(plugin) = plugin {
                    let _ = socket.send_to(UPDATE, plugin);
                }
            }
        });
        server
    }

    fn count(&self, request: &[u8]) -> usize {
        self.requests.lock().expect("the requests").iter().filter(|one| *one == request).count()
    }

    /// Waits until a request has arrived so many times.
    async fn until(&self, request: &[u8], times: usize) {
        let began = Instant::now();
        while self.count(request) < times {
            let known = || self.requests.lock().expect("the requests").clone();
            assert!(began.elapsed() < PATIENCE, "no {request:02x?} in {:02x?}", known());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// A text as the protocol writes it.
fn wide(text: &str) -> Vec<u8> {
    let letters = text.chars().flat_map(|letter| u32::from(letter).to_le_bytes());
    [text.chars().count() as u8].into_iter().chain(letters).collect()
}

pub(crate) async fn press(chromium: &Chromium, testid: &str) {
    let element = format!("document.querySelector('[data-testid={testid}]')");
    until(chromium, &element).await;
    chromium.ask(&format!("{element}.click()")).await;
}

pub(crate) async fn write(chromium: &Chromium, testid: &str, text: &str) {
    let element = format!("document.querySelector('[data-testid={testid}]')");
    until(chromium, &element).await;
    chromium.ask(&format!("{element}.value = '{text}'")).await;
}

/// A button whose command does harm: nothing is sent when its dialog is closed, and once when it is confirmed.
async fn confirmed(chromium: &Chromium, server: &FakeServer, testid: &str, request: &[u8]) {
    press(chromium, testid).await;
    press(chromium, "close-dialog").await;
    until(chromium, "!document.querySelector('dialog')").await;
    press(chromium, testid).await;
    until(chromium, "document.querySelector('[data-figure=question]')").await;
    chromium.settled().await;
    assert_eq!(server.count(request), 0, "{testid} before it is confirmed");
    press(chromium, "confirm").await;
    server.until(request, 1).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn every_command_reaches_the_server_byte_by_byte() {
    let server = FakeServer::start("Ann", "hi");
    let program = Program::start(&[&format!("--ac-server=127.0.0.1:{}", server.port)]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/live", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('nav a[href=\"#/server\"]')").await;
    chromium.ask("document.querySelector('nav a[href=\"#/server\"]').click()").await;
    chromium.until(".drivers", |text| text.contains("Ann")).await;

    write(&chromium, "message", "Hi").await;
    press(&chromium, "send").await;
    server.until(&[vec![0xcb], wide("Hi")].concat(), 1).await;
    chromium.until("[data-answer=done]", |text| text.contains("server")).await;
    chromium.until(".chat .scroll", |text| text.contains("\u{201c}hi\u{201d}")).await;

    press(&chromium, "select-driver").await;
    chromium.until("[data-figure=selected-driver]", |name| name == "Ann").await;
    press(&chromium, "request-driver").await;
    server.until(&[0xc9, 0], 2).await;
    until(&chromium, "document.querySelector('.chat input[value=driver]')").await;
    chromium.ask("document.querySelector('.chat input[value=driver]').click()").await;
    write(&chromium, "message", "Box").await;
    press(&chromium, "send").await;
    server.until(&[vec![0xca, 0], wide("Box")].concat(), 1).await;
    confirmed(&chromium, &server, "kick", &[0xce, 0]).await;

    confirmed(&chromium, &server, "next-session", &[0xcf]).await;
    confirmed(&chromium, &server, "restart-session", &[0xd0]).await;
    let before = server.count(&[0xcc, 0xff, 0xff]);
    press(&chromium, "request-session").await;
    server.until(&[0xcc, 0xff, 0xff], before + 1).await;

    press(&chromium, "interval").await;
    write(&chromium, "interval-ms", "500").await;
    press(&chromium, "submit").await;
    server.until(&[0xc8, 0xf4, 0x01], 1).await;

    press(&chromium, "change-session").await;
    for (field, value) in [
        ("session-number", "2"),
        ("session-name", "GP"),
        ("session-kind", "3"),
        ("session-laps", "300"),
        ("session-minutes", "90"),
        ("session-wait", "75"),
    ] {
        write(&chromium, field, value).await;
    }
    chromium.picture("server-session-form").await;
    press(&chromium, "submit").await;
    let session =
        [&[0xcd, 1][..], &wide("GP"), &[3, 0x2c, 0x01, 0, 0, 0x18, 0x15, 0, 0, 75, 0, 0, 0]].concat();
    until(&chromium, "document.querySelector('[data-figure=question]')").await;
    assert_eq!(server.count(&session), 0);
    press(&chromium, "confirm").await;
    server.until(&session, 1).await;

    press(&chromium, "admin-command").await;
    write(&chromium, "admin-text", "/help").await;
    press(&chromium, "submit").await;
    let admin = [vec![0xd1], wide("/help")].concat();
    until(&chromium, "document.querySelector('[data-figure=question]')").await;
    assert_eq!(server.count(&admin), 0);
    press(&chromium, "confirm").await;
    server.until(&admin, 1).await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn drivers_laps_collisions_and_chat_have_their_places() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/server", program.url)).await.expect("the page");
    chromium.until("main", |text| text.contains("No dedicated server is sending.")).await;
    chromium.ask("location.hash = '#/live?demo=ac-server&seed=5&speed=20&from=150'").await;
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    chromium.ask("location.hash = '#/server'").await;
    chromium.until(".chat .scroll", |text| text.contains("\u{201c}hi all\u{201d}")).await;
    chromium.until("[aria-label='List of laps']", |text| text.contains("Lap 2")).await;
    press(&chromium, "select-driver").await;
    for window in Window::ALL.into_iter().chain([Window { width: 390, height: 844, theme: "dark" }]) {
        chromium.look(window).await;
        let room = "const main = document.querySelector('main');
            return [main.scrollWidth - main.clientWidth, innerWidth > 640 ? main.scrollHeight - main.clientHeight : 0,
                Math.min(...[...document.querySelectorAll('.server .scroll')].map((list) => list.clientHeight))]";
        let room = chromium.ask(room).await;
        assert!(room[0].as_i64() <= Some(0) && room[1].as_i64() <= Some(0), "{window:?}: {room}");
        assert!(room[2].as_i64() >= Some(40), "{window:?}: {room}");
        chromium.picture(&format!("server-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.close().await;
}
