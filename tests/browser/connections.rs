//! The Connections page: what each misconfiguration says, the last packets, what to set in a game, and tablets.

use std::net::UdpSocket;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::json;
use trailbrake_shared::feed::{FEEDS, GAME_TITLES};
use trailbrake_shared::games::gran_turismo::Letter;

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::game::{Dashboard, Game};
use crate::library::{Folder, click};
use crate::program::Program;
use crate::recording_links::until;

/// A packet of F1 2027, by its year.
fn f1_2027() -> Vec<u8> {
    let mut packet = vec![0; 1464];
    packet[..2].copy_from_slice(&2027_u16.to_le_bytes());
    packet
}

/// The packet of DiRT Rally with `extradata` 0.
fn dirt_motion() -> Vec<u8> {
    [[0; 64].as_slice(), b"ToCA"].concat()
}

async fn open(chromium: &Chromium, feed: &str) {
    click(chromium, &format!("[data-feed='{feed}'] [data-testid=open-connection]")).await;
    chromium.text(&format!("[data-feed='{feed}'] [data-testid=packets]")).await;
}

/// The games in the order of the page.
async fn order(chromium: &Chromium) -> Vec<String> {
    let feeds = "return [...document.querySelectorAll('[data-feed]')].map(row => row.dataset.feed)";
    serde_json::from_value(chromium.ask(feeds).await).expect("names")
}

async fn pictures(chromium: &Chromium, name: &str) {
    let phones = ["dark", "light"].map(|theme| Window { width: 390, height: 844, theme });
    for window in Window::ALL.into_iter().chain(phones) {
        chromium.look(window).await;
        chromium.picture(&format!("connections-{name}-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.look(Window::ALL[0]).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn each_misconfiguration_says_what_to_do_and_comes_first() {
    let other = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let taken = other.local_addr().expect("an address").port();
    let program = Program::start(&[&format!("--port=ac-lua={taken}")]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&program.url).await.expect("the page");

    // A port that another program has: who it is, and how to go on.
    let lua = "[data-feed='ac-lua'] [data-testid=closed]";
    let words = chromium.until(lua, |text| text.contains("is taken by")).await;
    assert!(words.contains(&format!("Port {taken} is taken by")), "{words}");
    assert!(words.contains(&std::process::id().to_string()), "{words}");
    assert!(words.contains("--port ac-lua=OTHER"), "{words}");

    // Motion alone is shown on Live; its advice waits here. Nothing is sent once Live is shown, so that it comes once.
    let dirt = Game::new(program.f1_port);
    let shown = async {
        while chromium.ask("return !document.querySelector('[data-page=live]')").await == json!(true) {
            dirt.send_bytes(&dirt_motion());
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(PATIENCE, shown).await.expect("Live with 68 bytes");
    chromium.ask("location.hash = '#/connections'").await;
    let words =
        chromium.until("[data-feed='dirt-rally'] .note", |text| text.contains("extradata=\"3\"")).await;
    assert!(words.contains("only motion data arrives"), "{words}");

    // Another year's format, and an unknown sender, counted apart.
    let (game, stranger) = (Game::new(program.f1_port), Game::new(program.f1_port));
    stranger.send_bytes(&[0xca, 0xfe]);
    game.send_bytes(&f1_2027());
    game.send_bytes(&f1_2027());
    let f1 = "[data-feed='f1'] [data-testid=rejected]";
    let words = chromium.until(f1, |text| text.contains("2 packets")).await;
    assert!(
        words.contains("This looks like F1 2027: it is newer than this version of Trailbrake"),
        "{words}"
    );
    assert!(words.contains("Also packets from 1 other sender."), "{words}");

    let order = order(&chromium).await;
    let problems = ["f1", "dirt-rally", "gran-turismo", "ac-lua"];
    assert_eq!(order[..4], problems, "problems first");
    let others = FEEDS.iter().filter(|row| row.networked && !problems.contains(&row.id));
    assert_eq!(order[4..], others.map(|row| row.id).collect::<Vec<_>>(), "then the rest as in the table");
    pictures(&chromium, "problems").await;

    // Opened: each sender with its count; the list can be cleared.
    open(&chromium, "f1").await;
    let rejects = chromium.text("[data-feed='f1'] [data-testid=rejects]").await;
    assert!(rejects.contains("2 packets") && rejects.contains("1 packet\n"), "{rejects}");
    click(&chromium, "[data-feed='f1'] [data-testid=packets-rejected]").await;
    let packet = "[data-feed='f1'] .packet-list li:last-child [data-testid=packet]";
    chromium.until(packet, |text| text.contains("2 B") && text.contains("Unknown packet")).await;
    click(&chromium, packet).await;
    let why = chromium.text("[data-feed='f1'] [data-testid=packet-fields]").await;
    assert!(why.contains("Unknown packet (2 bytes, starting ca fe)"), "{why}");
    let bytes = chromium.text("[data-feed='f1'] [data-testid=packet-bytes]").await;
    assert!(bytes.starts_with("0000  ca fe"), "{bytes}");
    pictures(&chromium, "rejected").await;
    click(&chromium, "[data-feed='f1'] [data-testid=clear-rejects]").await;
    until(&chromium, "!document.querySelector('[data-feed=f1] [data-testid=rejected]')").await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_silent_console_and_another_program_s_heartbeat_have_advice_of_their_own() {
    // A console answers to its usual port alone: an address of its own keeps other programs away from that.
    let options = ["--udp-bind=127.0.0.78", "--port=gran-turismo=33740", "--console=127.0.0.77"];
    let chromium = Chromium::open(Window::ALL[0]).await;
    let row = "[data-feed='gran-turismo']";
    let silent = Program::start(&options);
    chromium.client.goto(&silent.url).await.expect("the page");
    let words = chromium.until(row, |text| text.contains("Nothing answers at")).await;
    assert!(
        words.contains("Nothing answers at 127.0.0.77: is the console on, and is this its address?"),
        "{words}"
    );
    open(&chromium, "gran-turismo").await;
    let request = chromium.text(&format!("{row} [data-testid=request]")).await;
    assert!(request.contains(" to 127.0.0.77:"), "{request}");
    drop(silent);

    let program = Program::start(&options);
    let console = UdpSocket::bind("127.0.0.77:0").expect("a console");
    let mut packet = vec![0; Letter::A.size()];
    packet[..4].copy_from_slice(&Letter::A.scheme().magic());
    Letter::A.scheme().seal([1, 2, 3, 4], &mut packet);
    let sending = Sending::start(move || {
        let _ = console.send_to(&packet, "127.0.0.78:33740");
    });
    chromium.client.goto(&program.url).await.expect("the page");
    chromium.text("[data-page=live]").await;
    chromium.ask("location.hash = '#/connections'").await;
    let words = chromium.until(row, |text| text.contains("another program keeps asking")).await;
    drop(sending);
    assert!(words.contains("sends A (296 bytes) although C was asked"), "{words}");
    assert!(words.contains("Close it or set it to C"), "{words}");
    assert_eq!(order(&chromium).await[0], "gran-turismo");
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_last_packets_can_be_read_field_by_field_while_more_arrive() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&program.url).await.expect("the page");
    chromium.text("[data-feed='f1']").await;
    let game = driving(program.f1_port);
    chromium.text("[data-page=live]").await;
    chromium.ask("location.hash = '#/connections'").await;
    let row = "[data-feed='f1']";
    chromium.until(&format!("{row} [data-testid=rate]"), |text| text.contains("packets/s")).await;
    assert_eq!(order(&chromium).await[..2], ["gran-turismo", "f1"], "the problem, then what sends");
    open(&chromium, "f1").await;
    let sizes = chromium.text(&format!("{row} [data-testid=sizes]")).await;
    assert!(sizes.contains("1085 bytes"), "{sizes}");
    let first = format!("{row} .packet-list li:first-child [data-testid=packet]");
    let before = chromium.text(&first).await;
    assert!(before.contains("1085 B") && before.contains("Car Telemetry"), "{before}");
    chromium.until(&first, |text| text != before).await;

    // Choosing one stops the list.
    click(&chromium, &first).await;
    let fields = chromium.text(&format!("{row} [data-testid=packet-fields]")).await;
    let field = |name: &str, value: &str| {
        let mut lines = fields.lines().filter(|line| line.starts_with(name));
        assert!(lines.any(|line| line.split_whitespace().last() == Some(value)), "{name} {value}: {fields}");
    };
    field("header.packet_format", "2018");
    field("car.0.speed", "241");
    field("car.0.engine_rpm", "11234");
    let bytes = chromium.text(&format!("{row} [data-testid=packet-bytes]")).await;
    assert!(bytes.starts_with("0000  e2 07 01 06"), "{bytes}");
    let paused = chromium.text(&first).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(chromium.text(&first).await, paused, "it is being read");
    assert_eq!(
        chromium
            .ask(&format!("return document.querySelectorAll(\"{row} [data-testid=packet]\").length"))
            .await,
        json!(50)
    );
    pictures(&chromium, "packets").await;
    click(&chromium, &format!("{row} [data-testid=pause-packets]")).await;
    chromium.until(&first, |text| text != paused).await;
    drop(game);
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_steps_name_the_open_port_and_an_address_that_receives() {
    let program = Program::start(&["--port=ac-server=31005"]);
    let chromium = Chromium::open_alone(Window::ALL[0]).await;
    let permissions =
        json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"], "origin": program.url });
    chromium.devtools("Browser.grantPermissions", permissions).await;
    chromium.client.goto(&program.url).await.expect("the page");
    open(&chromium, "dirt-rally").await;
    let steps = "[data-feed='dirt-rally'] [data-testid=setup]";
    let line = chromium.text(&format!("{steps} li:nth-child(3) code")).await;
    assert!(line.contains("extradata=\"3\" ip=\"127.0.0.1\""), "{line}");
    assert!(!line.contains("port=\"20777\""), "another port is open: {line}");
    click(&chromium, &format!("{steps} li:nth-child(3) button")).await;
    chromium.until(&format!("{steps} li:nth-child(3) button"), |text| text == "Copied").await;
    let copied = chromium.ask("return navigator.clipboard.readText()").await;
    assert_eq!(copied.as_str(), Some(line.as_str()));

    open(&chromium, "ac-telemetry-tool").await;
    let tool = chromium.text("[data-feed='ac-telemetry-tool'] [data-testid=setup]").await;
    assert!(tool.contains("to_ip=127.0.0.1") && tool.contains("It sends to port "), "{tool}");

    // This test receives from this computer only: no address of it would be of use elsewhere.
    click(&chromium, ".segments input[value=elsewhere]").await;
    chromium
        .until(steps, |text| text.contains("from this computer only") && text.contains("ip=\"ADDRESS\""))
        .await;
    let addresses = chromium.ask("return document.querySelectorAll('[data-testid=addresses]').length").await;
    assert_eq!(addresses, json!(0));
    pictures(&chromium, "steps").await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_demo_is_no_game_that_sends() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/live?demo=f1-2018", program.url)).await.expect("the page");
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    chromium.ask("location.hash = '#/connections'").await;
    chromium.until("main h1", |text| text == "Waiting for a game").await;
    let row = chromium.until("[data-feed='f1']", |text| text.contains("Waiting")).await;
    assert!(!row.contains("packets/s") && !row.contains("127.0.0.1"), "{row}");
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_owner_opens_the_page_to_tablets_and_closes_it_again() {
    let program = Program::start(&["--lan-address=127.0.0.2"]);
    let owner = Chromium::open(Window::ALL[0]).await;
    owner.client.goto(&program.url).await.expect("the page");
    click(&owner, "[data-testid=open-to-tablets]").await;
    let link = owner.text("[data-testid=tablets] .copied-text code").await;
    assert!(link.starts_with("http://127.0.0.2:") && link.contains("/?token="), "{link}");
    let code =
        owner.ask("return document.querySelector('[data-testid=code] path').getAttribute('d').length").await;
    assert!(code.as_u64().is_some_and(|length| length > 1000), "{code}");
    owner.ask("document.querySelector('[data-testid=tablets]').scrollIntoView()").await;
    pictures(&owner, "tablets").await;

    let tablet = Chromium::open(Window::ALL[2]).await;
    let (address, _) = link.split_once("/?token=").expect("a token");
    tablet.client.goto(address).await.expect("an answer");
    tablet.until("body", |text| text.contains("Open the link")).await;
    tablet.client.goto(&link).await.expect("the page");
    tablet.until("[data-testid='link']", |text| text.to_lowercase().starts_with("connected")).await;
    tablet.text("[data-feed='f1']").await;
    let sections = tablet.ask("return document.querySelectorAll('[data-testid=tablets]').length").await;
    assert_eq!(sections, json!(0), "only the owner gives access");

    click(&owner, "[data-testid=close-to-tablets]").await;
    owner.text("[data-testid=open-to-tablets]").await;
    tablet.until("[data-testid='link']", |text| text.to_lowercase().contains("reconnecting")).await;
    owner.check_clean().await;
    tablet.close().await;
    owner.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_game_without_room_in_the_recorder_is_named_until_there_is_room() {
    let folder = Folder::new("crowd");
    let recordings = folder.0.to_string_lossy().into_owned();
    let program = Program::recording(&["--recordings", &recordings]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&program.url).await.expect("the page");
    chromium.text("[data-feed='f1']").await;
    // As many programs of one machine as are recorded with one feed, and another.
    let crowd: Vec<Sending> = (0..4).map(|_| driving(program.f1_port)).collect();
    chromium.text("[data-page=live]").await;
    let pill = "[data-testid=recording].trouble";
    let last = driving(program.f1_port);
    chromium.until(pill, |text| text == "Not recorded: F1 2018 to 25").await;
    let reason = chromium.ask(&format!("return document.querySelector('{pill}').title")).await;
    let reason = reason.as_str().unwrap_or_default();
    assert!(reason.starts_with("F1 2018 to 25 from 127.0.0.1:"), "{reason}");
    assert!(reason.ends_with("too many programs send at once"), "{reason}");
    chromium.picture("crowded-out").await;
    drop(crowd);
    until(&chromium, &format!("!document.querySelector('{pill}')")).await;
    drop(last);
    chromium.close().await;
}

/// A game that sends the same dashboard.
fn driving(port: u16) -> Sending {
    let mut game = Game::new(port);
    Sending::start(move || game.send(Dashboard { speed: 241, gear: 6, rpm: 11_234, throttle: 87, brake: 12 }))
}

/// A game or a console that sends sixty packets a second until it is dropped.
struct Sending {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Sending {
    fn start(mut send: impl FnMut() + Send + 'static) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || {
            while !ends.load(Ordering::Relaxed) {
                send();
                std::thread::sleep(Duration::from_millis(16));
            }
        });
        Self { is_over, thread: Some(thread) }
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_driver_finds_their_game_by_its_name_and_what_works_with_it() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&program.url).await.expect("the page");
    chromium.text("[data-testid=find-game]").await;
    let list = "[...document.querySelectorAll('#games li')].map(row => row.innerText)";
    let search = async |words: &str| {
        chromium
            .ask(&format!(
                "const field = document.querySelector('[data-testid=find-game]');
                field.value = {words:?};
                field.dispatchEvent(new Event('input', {{ bubbles: true }}))"
            ))
            .await;
    };
    assert_eq!(chromium.ask(&format!("return {list}.length")).await, json!(0));

    // By its nickname: one game, and one click to its setup.
    search("gt7").await;
    until(&chromium, &format!("{list}.length === 1 && {list}[0].includes('Gran Turismo 7')")).await;
    click(&chromium, "[data-set-up='gran-turismo']").await;
    until(&chromium, "document.activeElement.closest('[data-feed=gran-turismo]')").await;
    until(&chromium, "document.activeElement.getAttribute('aria-expanded') === 'true'").await;

    // A game with several ways names each.
    search("assetto corsa csp").await;
    until(&chromium, &format!("{list}.length === 1 && {list}[0].includes('Lua app')")).await;

    // One that sends nothing: what to open instead.
    search("iracing").await;
    until(&chromium, &format!("{list}.length === 1 && {list}[0].includes('.ibt')")).await;
    search("hovercraft").await;
    until(&chromium, &format!("{list}.length === 0")).await;
    let words = chromium.until(".finder [role=status]", |text| !text.is_empty()).await;
    assert!(words.contains("No game of this name is known"), "{words}");

    search("").await;
    click(&chromium, "[data-testid=all-games]").await;
    let all = GAME_TITLES.len();
    until(&chromium, &format!("{list}.length === {all}")).await;
    pictures(&chromium, "games").await;
    chromium.close().await;
}

/// EA SPORTS WRC's configuration, as the game writes it.
const WRC_CONFIG: &str = r#"{ "schema": 2, "udp": { "packets": [
    { "structure": "wrc", "packet": "session_update", "ip": "127.0.0.1", "port": 20777, "frequencyHz": -1, "bEnabled": false }
] } }"#;
/// The game's folder with Steam on Linux, in the driver's home.
const WRC_FOLDER: &str = ".local/share/Steam/steamapps/compatdata/1849250/pfx/drive_c/users/steamuser/Documents/My Games/WRC/\
                          telemetry";

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_games_files_are_shown_first_written_on_a_yes_and_as_they_were_after_undo() {
    let home = Folder::new("home");
    let mut command = Command::new(trailbrake_tests::named_file("TRAILBRAKE_BIN"));
    command.env("HOME", &home.0).arg("--no-record");
    let program = Program::run_command(command, "127.0.0.1:0", &[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&program.url).await.expect("the page");
    open(&chromium, "ea-wrc").await;

    // The game was never started.
    click(&chromium, "[data-testid=game-files]").await;
    chromium.until("[role=dialog] [role=alert]", |words| words.contains("start EA SPORTS WRC once")).await;
    chromium.picture("connections-no-game-files").await;
    chromium.check_clean_but(&["/game-files/"]).await;
    close_dialog(&chromium).await;

    let folder = home.0.join(WRC_FOLDER);
    std::fs::create_dir_all(&folder).expect("a folder");
    let (config, structure) = (folder.join("config.json"), folder.join("udp/trailbrake.json"));
    std::fs::write(&config, WRC_CONFIG).expect("a file");
    let read = || std::fs::read_to_string(&config).expect("a file");

    // Shown, and left alone.
    click(&chromium, "[data-testid=game-files]").await;
    let shown = chromium.text("[data-testid=file-changes]").await;
    assert!(shown.contains("session_update") && shown.contains("vehicle_speed"), "{shown}");
    pictures(&chromium, "game-files").await;
    close_dialog(&chromium).await;
    assert_eq!(read(), WRC_CONFIG);
    assert!(!structure.exists());

    // The driver agrees.
    click(&chromium, "[data-testid=game-files]").await;
    click(&chromium, "[data-testid=write-game-files]").await;
    chromium.until("[role=dialog] [role=status]", |words| words.contains("Kept as it was")).await;
    let port = program.port("ea-wrc").expect("a port");
    assert_eq!(read().matches(&format!("\"port\": {port}")).count(), 5);
    assert!(structure.exists());
    close_dialog(&chromium).await;

    click(&chromium, "[data-testid=undo-game-files]").await;
    click(&chromium, "[data-testid=write-game-files]").await;
    chromium.until("[role=dialog] [role=status]", |words| words.contains("Kept as it was")).await;
    assert_eq!(read(), WRC_CONFIG);
    assert!(!structure.exists());
    chromium.check_clean().await;
}

async fn close_dialog(chromium: &Chromium) {
    let escape =
        "dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))";
    chromium.ask(escape).await;
    until(chromium, "!document.querySelector('[role=dialog]')").await;
}
