//! The page on a tablet: loaded over the network by the link with its token, at an address that browsers do not trust.

use fantoccini::Locator;
use serde_json::json;
use trailbrake_isolation::{ADDRESS, has_own_network};
use trailbrake_tests::web_host::WebHost;

use crate::chromium::{Chromium, Window};
use crate::library::Folder;
use crate::program::Program;
use crate::recording_links::until;
use crate::screen::VIDEO_PLAYS;

#[tokio::test]
#[ignore = "needs a namespace of its own: run cargo xtask test"]
async fn a_tablet_opens_the_page_by_its_link_and_stays_on() {
    if !has_own_network("tablet::a_tablet_opens_the_page_by_its_link_and_stays_on") {
        return;
    }
    let program = Program::start(&["--lan", "--demo=f1-2018", "--demo-speed", "20"]);
    let link = program.tablet_link(ADDRESS);
    let (site, token) = link.split_once("/?token=").expect("a token");
    let chromium = Chromium::open_alone(Window::ALL[2]).await;
    chromium.add_touch_screen().await;

    // Without the link there is no page, and no data.
    for path in
        ["", "/?token=", &format!("/?token={}", "0".repeat(token.len())), "/library", "/trailbrake_web.js"]
    {
        chromium.client.goto(&format!("{site}{path}")).await.expect("an answer");
        let text = chromium.text("body").await;
        assert!(text.starts_with("Open the link"), "{path}: {text}");
    }

    // With it there is everything, and the token leaves the address: also when a page of another site leads there,
    // whose navigation carries no cookie.
    let elsewhere = Folder::new("elsewhere");
    let page = format!(
        "<!doctype html><link rel=icon href=data:,><a id=link href=\"{link}\">The page</a> <a id=bare href=\"{site}/\">No key</a>"
    );
    std::fs::write(elsewhere.0.join("index.html"), page).expect("a file");
    let other_site = WebHost::start(elsewhere.0.clone(), "/");
    let follow = async |id: &str| {
        chromium.client.goto(&other_site.url).await.expect("the other site");
        let link = chromium.client.find(Locator::Id(id)).await.expect("a link");
        link.click().await.expect("a click");
    };
    follow("link").await;
    chromium.until("[data-figure='speed']", |text| !text.is_empty()).await;
    assert_eq!(chromium.ask("return location.search").await, json!(""));
    let history = chromium.ask("return navigation.entries().map(entry => entry.url)").await;
    let history = history.as_array().expect("a list");
    assert!(
        !history.is_empty() && history.iter().all(|url| !url.to_string().contains("token")),
        "{history:?}"
    );
    // A link without the token, from there, brings no cookie. Typed, the same address does.
    follow("bare").await;
    assert!(chromium.text("body").await.starts_with("Open the link"));
    chromium.client.goto(&format!("{site}/")).await.expect("the page");
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    assert_eq!(chromium.ask("return location.href").await, json!(format!("{site}/#/live")));
    assert_eq!(chromium.ask("return isSecureContext || 'wakeLock' in navigator").await, json!(false));
    until(&chromium, "document.querySelector('.laps [data-lap][data-time]')").await;
    chromium.picture("tablet-live").await;

    // It may not do what only the owner may, and its page does not offer it.
    for (method, path) in [("POST", "/tablets"), ("DELETE", "/tablets")] {
        let ask = format!(
            "return fetch('{path}', {{ method: '{method}', headers: {{ 'x-trailbrake': 'page' }} }}).then(answer => answer.text().then(text => [answer.status, text]))"
        );
        let words = "Only the computer that Trailbrake runs on may do this.\n";
        assert_eq!(chromium.ask(&ask).await, json!([403, words]), "{method} {path}");
    }
    chromium.client.goto(&format!("{site}/#/connections")).await.expect("the connections");
    until(&chromium, "document.querySelector('.connection')").await;
    assert_eq!(chromium.ask("return document.querySelector('[data-testid=tablets]')").await, json!(null));
    chromium.client.goto(&format!("{site}/#/live")).await.expect("the live page");

    // It stays on while the game is shown.
    until(&chromium, VIDEO_PLAYS).await;
    let time = chromium.ask("return document.querySelector('.screen-on').currentTime").await;
    until(&chromium, &format!("document.querySelector('.screen-on').currentTime > {time}")).await;
    chromium.client.goto(&format!("{site}/#/library")).await.expect("the library");
    until(&chromium, "!document.querySelector('.screen-on')").await;
    chromium.client.refresh().await.expect("the page again");
    chromium.until("[data-testid='link']", |text| text.contains("packets/s")).await;
    chromium.client.goto(&format!("{site}/#/live")).await.expect("the live page");
    until(&chromium, VIDEO_PLAYS).await;
    // The refused page asks for an icon, with the cookie, and there is none of that name.
    chromium.check_clean_but(&["403", "favicon.ico"]).await;

    drop(program);
    until(&chromium, "!document.querySelector('.screen-on')").await;
    chromium.close().await;
}
