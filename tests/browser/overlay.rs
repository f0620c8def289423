//! The overlay: figures of the live session on a transparent ground.

use serde_json::json;

use crate::chromium::{Chromium, Window};
use crate::program::Program;

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_overlay_shows_what_its_address_names_and_nothing_behind_it() {
    let program = Program::start(&["--demo", "--demo-speed", "4"]);
    let chromium = Chromium::open_alone(Window { width: 800, height: 600, theme: "dark" }).await;
    chromium.client.goto(&format!("{}/overlay?show=map,gear,delta", program.url)).await.expect("the page");
    chromium.until("[data-figure='gear']", |gear| gear.parse::<u8>().is_ok_and(|gear| gear > 1)).await;
    // The delta begins with the second lap.
    chromium.until("[data-figure='delta']", |delta| delta.starts_with(['+', '−', '0'])).await;
    let map = "return Number(document.querySelector('[data-figure=map]').dataset.cars)";
    assert_eq!(chromium.ask(map).await, 20);
    let parts = "return [...document.querySelectorAll('[data-part]')].map(part => part.dataset.part).join()";
    assert_eq!(chromium.ask(parts).await, "map,gear,delta");
    for element in ["document.documentElement", "document.body", "document.querySelector('.panel')"] {
        let ground = chromium.ask(&format!("return getComputedStyle({element}).backgroundColor")).await;
        assert_eq!(ground, "rgba(0, 0, 0, 0)", "{element}");
    }
    let scheme = chromium.ask("return getComputedStyle(document.documentElement).colorScheme").await;
    assert!(scheme.as_str().is_some_and(|scheme| scheme.contains("light")), "{scheme}");
    assert_eq!(chromium.ask("return document.querySelector('nav, header')").await, json!(null));
    let studio = json!({ "color": { "r": 0, "g": 120, "b": 60, "a": 255 } });
    chromium.devtools("Emulation.setDefaultBackgroundColorOverride", studio).await;
    chromium.picture("overlay").await;
    chromium.check_clean().await;
    chromium.close().await;
}
