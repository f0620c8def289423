//! Assetto Corsa's dedicated server in the page: several cars and no player, chat, and the standings.

use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::Car;
use trailbrake_shared::session::{Receiver, Session, timing_table};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

use crate::chromium::{Chromium, Window};
use crate::program::Program;

/// Runs the demo session that the page runs by itself: the same seed sends the same.
fn evening(seconds: f64) -> Receiver {
    let options = Options { seed: 5, keep_truth: false, ..Options::default() };
    let mut demo = Demo::new(Feed::AcServer, options, Micros(0)).expect("a demo");
    let mut receiver = Receiver::default();
    demo.drive(seconds, &mut |at, bytes| {
        let sender = ([127, 0, 0, 1], 0).into();
        let datagram = Datagram { at, sender, port: 0, feed: None, bytes };
        receiver.receive(&datagram).expect("a message that is understood");
    });
    receiver
}

/// The short name of each driver who has a lap, with the times of all laps.
fn laps(session: &Session) -> Vec<(String, Vec<String>)> {
    let times = |car: Car| {
        let laps = session.car(car).map(|car| car.laps.finished()).unwrap_or_default();
        laps.iter().filter_map(|lap| Some(lap.time?.to_string())).collect()
    };
    let rows = timing_table(session).into_iter().map(|row| (row.short, times(row.car)));
    rows.filter(|(_, times): &(String, Vec<String>)| !times.is_empty()).collect()
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_server_s_cars_stand_in_their_order_and_one_can_be_picked() {
    // Longer than the page needs on a busy machine.
    let receiver = evening(600.0);
    let known = laps(receiver.session().expect("a session"));
    assert_eq!(known.len(), 10, "everybody has a lap by then");

    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let url = format!("{}/#/live?demo=ac-server&seed=5&speed=8&from=240", program.url);
    chromium.client.goto(&url).await.expect("the page");
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    let cars = async || {
        let cars = chromium.ask("return document.querySelector('[data-figure=map]').dataset.cars").await;
        cars.as_str().unwrap_or_default().to_owned()
    };
    chromium.until("[data-figure='map'] .head span", |text| text == "10 cars").await;
    assert_eq!(cars().await, "10");
    chromium.until(".events", |text| text.contains("\u{201c}hi all\u{201d}")).await;
    chromium.until(".delta-bar", |text| text.contains("Showing the leader")).await;

    // The best laps shown are laps that were driven, each beside its driver.
    let shown = chromium
        .until(".timing", |text| {
            let is_shown = |times: &[String]| times.iter().any(|time| text.contains(time.as_str()));
            known.iter().filter(|(_, times)| is_shown(times)).count() >= 5
        })
        .await;
    assert!(shown.to_lowercase().contains("qualifying"), "{shown}");
    for line in shown.lines().filter(|line| line.contains(':')) {
        let (name, best) = match line.split_whitespace().collect::<Vec<_>>().as_slice() {
            [_, name, best, ..] => ((*name).to_owned(), (*best).to_owned()),
            _ => continue,
        };
        assert!(known.iter().any(|(known, _)| *known == name), "{name} {best} is nobody's");
    }
    // Read and clicked in one script, since cars overtake each other in the table.
    let press = "const last = [...document.querySelectorAll('[data-testid=pick]')].at(-1);
        const name = last.textContent; last.click(); return name";
    let name = chromium.ask(press).await.as_str().expect("a name").to_owned();
    chromium.until(".delta-bar", |text| text.contains("Showing ") && !text.contains("the leader")).await;
    let own = chromium.until(".timing .own th", |text| !text.is_empty()).await;
    assert_eq!(own, name);
    for window in Window::ALL {
        chromium.look(window).await;
        // The server commands fit beside the events: the page does not scroll, and two whole events are in sight however many
        // laps are listed above them.
        let room = "const main = document.querySelector('main');
            return [main.scrollHeight - main.clientHeight, document.querySelector('.events .scroll').clientHeight]";
        let room = chromium.ask(room).await;
        assert!(room[0].as_i64() <= Some(0) && room[1].as_i64() >= Some(50), "{window:?}: {room}");
        chromium.picture(&format!("ac-server-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.close().await;
}
