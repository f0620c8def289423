//! The Lua app that the documentation ships, run by a plain Lua: the relay receives and decodes what it sends.

use std::path::Path;
use std::process::Command;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::Car;
use trailbrake_shared::session::Receiver;
use trailbrake_shared::wire::Datagram;

use super::running::{Running, settings};

/// The app as drivers copy it into the game.
const APP: &str = "../docs/ac-lua-app/trailbrake";
const FRAMES: usize = 5;

/// Runs the app for some frames. Returns its log.
async fn run(port: u16, libraries: &'static str) -> String {
    let lua = std::env::var_os("TRAILBRAKE_LUA").expect("TRAILBRAKE_LUA must name a Lua with sockets");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(lua);
    command.arg(here.join("tests/relay/lua_app.lua")).arg(here.join(APP));
    command.args([&port.to_string(), libraries, &FRAMES.to_string()]);
    let output =
        tokio::task::spawn_blocking(move || command.output()).await.expect("no panic").expect("Lua runs");
    let (log, wrong) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{log}{wrong}");
    log.into_owned()
}

#[tokio::test]
#[ignore = "needs Lua with sockets: run cargo xtask test"]
async fn what_the_app_sends_is_what_the_game_knows() {
    let relay = Running::start(settings(&["--port=ac-lua=0"]));
    let port = relay.address_of(Feed::AcLua).port();
    let mut browser = relay.browser().await;
    for libraries in ["shared", "plain"] {
        let log = run(port, libraries).await;
        let name = if libraries == "shared" { "shared/socket" } else { "socket" };
        assert!(log.contains(&format!("Trailbrake: sends to 127.0.0.1:{port} through {name}\n")), "{log}");
        assert!(log.contains("window: sends to"), "{log}");
        let received = browser.datagrams(FRAMES).await;
        assert_eq!(received.len(), FRAMES);
        let mut receiver = Receiver::default();
        for packet in &received {
            assert_eq!(packet.feed, Some(Feed::AcLua));
            let (at, sender, bytes) = (packet.at, packet.sender, packet.bytes.as_slice());
            let datagram = Datagram { at, sender, port, feed: packet.feed, bytes };
            receiver
                .receive(&datagram)
                .unwrap_or_else(|reason| panic!("{reason}: {}", String::from_utf8_lossy(bytes)));
        }
        check(&receiver);
    }
    relay.stop().await;
}

/// Checks what was decoded against the car that the harness simulates.
fn check(receiver: &Receiver) {
    let session = receiver.session().expect("a session");
    let car = session.car(Car(0)).expect("a car");
    let slots =
        (0..trailbrake_shared::model::Slot::COUNT).filter_map(trailbrake_shared::model::Slot::from_index);
    let decoded: Vec<(String, f32)> =
        slots.filter_map(|slot| Some((slot.id(), car.latest.value(slot)?))).collect();
    let expected = [
        ("speed", 42.5),
        ("throttle", 0.75),
        ("brake", 0.0),
        ("rpm", 6500.25),
        ("lap_clock", 78.064),
        ("position_x", 100.5),
        ("position_y", 2.25),
        ("position_z", -50.75),
        ("suspension_position_fl", 0.01),
        ("suspension_position_fr", 0.02),
        ("suspension_position_rl", 0.03),
        ("suspension_position_rr", 0.04),
        ("tyre_temperature_fl", 80.5),
        ("tyre_temperature_fr", 81.5),
        ("tyre_temperature_rl", 82.5),
        ("tyre_temperature_rr", 83.5),
        ("tyre_wear_level_fl", 0.0),
        ("tyre_wear_level_fr", 0.125),
        ("tyre_wear_level_rl", 0.25),
        ("tyre_wear_level_rr", 0.375),
        ("steering_level", -90.5),
        ("clutch_level", 1.0),
        ("gear_number", 4.0),
        ("fuel_level", 31.25),
        ("damage_level_body", 12.5),
        ("damage_level_suspension", 0.75),
        ("track_temperature", 31.5),
        ("rain", 0.25),
    ];
    // Values that the game lacks, and values that are not numbers, were left out.
    assert_eq!(decoded.len(), expected.len(), "{decoded:?}");
    for (id, value) in expected {
        let (_, sent) = decoded.iter().find(|(other, _)| other == id).unwrap_or_else(|| panic!("no {id}"));
        assert!((sent - value).abs() < 1e-5, "{id} is {sent} and not {value}");
    }
}

#[tokio::test]
#[ignore = "needs Lua with sockets: run cargo xtask test"]
async fn without_a_socket_library_the_app_says_so_and_goes_on() {
    let relay = Running::start(settings(&["--port=ac-lua=0"]));
    let log = run(relay.address_of(Feed::AcLua).port(), "none").await;
    let line = log.lines().next().expect("a line");
    assert!(line.starts_with("Trailbrake: no socket library was found (shared/socket, socket"), "{line}");
    assert!(line.contains("nothing is sent"), "{line}");
    assert_eq!(log.lines().count(), 2, "once in the log, and in the window: {log}");
    relay.stop().await;
}
