//! A page that finds no seat at the relay says why, and goes on by itself once there is one.

use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::chromium::{Chromium, Window};
use crate::program::Program;

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_page_without_a_seat_says_why_and_goes_on_once_there_is_one() {
    let program = Program::start(&["--lan", "--lan-address=127.0.0.2"]);
    let link = program.tablet_link("127.0.0.2");
    let (site, token) = link.split_once("/?token=").expect("a token");
    let (host, port) = (site.trim_start_matches("http://"), site.rsplit(':').next().expect("a port"));
    // The browser's own device has all its pages open.
    let mut pages = Vec::new();
    for _ in 0..6 {
        let mut request = format!("ws://{host}/live").into_client_request().expect("a request");
        request.headers_mut().insert("origin", site.parse().expect("an origin"));
        let cookie = format!("trailbrake-{port}={token}");
        request.headers_mut().insert("cookie", cookie.parse().expect("a cookie"));
        pages.push(tokio_tungstenite::connect_async(request).await.expect("a page").0);
    }

    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&link).await.expect("the page");
    chromium.until("p.lead", |text| text.starts_with("Too many pages are open on this device")).await;
    chromium
        .until("[data-testid='link']", |text| text == "Too many pages are open on this device · trying again")
        .await;
    chromium.ask("location.hash = '#/live'").await;
    chromium.until("main .empty b", |text| text.contains("close one of them")).await;
    chromium.settled().await;
    for (name, window) in [("crowded-dark", Window::ALL[0]), ("crowded-light", Window::ALL[3])] {
        chromium.look(window).await;
        chromium.picture(name).await;
    }
    pages.pop();
    chromium.until("[data-testid='link']", |text| text.to_lowercase().starts_with("connected")).await;
    chromium.until("main .empty b", |text| text == "No game is sending yet.").await;
    chromium.close().await;
}
