//! What is read at a glance on Live: gear, delta, next corner, and the line about the last one, on every window.

use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recording_links::until;

/// Sizes of type in pixels, and how far the page is wider or the dashboard higher than its room.
const MEASURES: &str = "
    const size = (selector) => {
        const element = document.querySelector(selector);
        return element ? parseFloat(getComputedStyle(element).fontSize) : 0;
    };
    const main = document.querySelector('main');
    const parts = [...document.querySelectorAll('.gear, .dash .delta b, .cue .metres, .dash .speed, .dash .to span')];
    const inside = parts.every((element) => {
        const { left, right } = element.getBoundingClientRect();
        return left >= 0 && right <= innerWidth + 1 && element.scrollWidth <= element.clientWidth + 1;
    });
    // No number that is read at a glance is smaller than 24 px, as far as the window is no telephone.
    const small = [...document.querySelectorAll('.delta-bar *, .dash *, .strip *, .key *, .below *')].filter((element) => {
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && /[0-9]/.test(node.data));
        // The headings of what stands below are for screen readers.
        return own && innerWidth > 640 && !element.closest('.below .head') && element.checkVisibility() && parseFloat(getComputedStyle(element).fontSize) < 24;
    });
    // The bar spans the page.
    const bar = document.querySelector('.delta-bar');
    const number = document.querySelector('.dash [data-figure=delta]');
    const middle = (element) => {
        const { left, right } = element.getBoundingClientRect();
        return (left + right) / 2;
    };
    return {
        small: small.map((element) => element.outerHTML),
        spans: Math.abs(bar.getBoundingClientRect().width - main.clientWidth) <= 1,
        below: Math.abs(middle(number) - middle(bar)) <= 2,
        to: document.querySelector('.dash [data-figure=delta-to]').textContent,
        gear: size('.gear'), delta: size('.dash .delta b'), metres: size('.cue .metres'), strip: size('.strip'),
        wider: main.scrollWidth - main.clientWidth,
        higher: innerWidth > 640 ? main.scrollHeight - main.clientHeight : 0,
        inside,
    };";

/// Whether the bar leads to the side that the number's sign says; the number follows the bar a little later.
const SIDES: &str = "document.querySelector('.delta-bar .fill').dataset.side === \
     (document.querySelector('.dash [data-figure=delta]').textContent.startsWith('+') ? 'behind' : 'ahead')";

/// Once a lap of a demo has a reference, gear, delta and next corner are large in every window.
async fn check_glance(demo: &str, speed: u32) {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let mut wrong = Vec::new();
    let url = format!("{}/#/live?demo={demo}&seed=3&speed={speed}", program.url);
    chromium.client.goto(&url).await.expect("the page");
    let corner = chromium.until("[data-figure='last-corner']", |text| text.contains('T')).await;
    assert!(corner.contains(['+', '-', '\u{2212}']) && corner.contains("0."), "{demo}: {corner}");
    chromium.until("[data-figure='next-corner']", |text| text.starts_with("Turn ")).await;
    chromium.until("[data-figure='brake-point']", |text| text.ends_with(" m") || text == "Brake").await;
    let phone = Window { width: 390, height: 844, theme: "dark" };
    let tablet = Window { width: 1024, height: 768, theme: "dark" };
    for window in Window::ALL.into_iter().chain([phone, tablet]) {
        chromium.look(window).await;
        until(&chromium, SIDES).await;
        let measured = chromium.ask(MEASURES).await;
        let at_least = |name: &str, pixels: f64| measured[name].as_f64().is_some_and(|size| size >= pixels);
        let is_large = at_least("gear", 90.0)
            && at_least("delta", 40.0)
            && at_least("metres", 36.0)
            && at_least("strip", 24.0);
        let fits = measured["wider"].as_i64() <= Some(0) && measured["higher"].as_i64() <= Some(0);
        // The number stands below the bar's zero, and says once what it is against.
        let has_bar = ["spans", "below"].iter().all(|what| measured[what] == true)
            && measured["to"].as_str().is_some_and(|to| to.starts_with("to "));
        let is_legible = measured["small"].as_array().is_some_and(Vec::is_empty);
        if !is_large || !fits || !has_bar || !is_legible || measured["inside"] != true {
            wrong.push(format!("{demo} at {}: {measured}", window.width));
        }
        chromium.picture(&format!("glance-{demo}-{}-{}", window.width, window.theme)).await;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn gear_delta_and_next_corner_are_large_in_f1_2018() {
    check_glance("f1-2018", 6).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn gear_delta_and_next_corner_are_large_in_gran_turismo() {
    check_glance("gran-turismo", 6).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn gear_delta_and_next_corner_are_large_in_dirt_rally() {
    check_glance("dirt-rally", 10).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn gear_delta_and_next_corner_are_large_in_ac_remote() {
    check_glance("ac-remote", 6).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn gear_delta_and_next_corner_are_large_in_ac_telemetry_tool() {
    check_glance("ac-telemetry-tool", 6).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn gear_delta_and_next_corner_are_large_in_ac_lua() {
    check_glance("ac-lua", 6).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn another_car_can_be_watched_and_one_s_own_again() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let url = format!("{}/#/live?demo=f1-2018&seed=4&speed=6", program.url);
    chromium.client.goto(&url).await.expect("the page");
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    let own = chromium.until(".timing .own th", |text| !text.is_empty()).await;
    // Read and clicked in one script, since cars overtake each other in the table.
    let press = "const rows = [...document.querySelectorAll('.timing tr:not(.own) [data-testid=pick]')];
        const name = rows.at(-1).textContent; rows.at(-1).click(); return name";
    let other = chromium.ask(press).await.as_str().expect("a name").to_owned();
    chromium.until(".timing .own th", |text| text == other).await;
    chromium.until(".delta-bar", |text| text.contains("Showing ")).await;
    // Only the player's brakings and corners are compared.
    chromium.until(".dashboard", |text| !text.to_lowercase().contains("last braking zone")).await;
    chromium.ask("document.querySelector('.timing .own [data-testid=pick]').click()").await;
    chromium.until(".timing .own th", |text| text == own).await;
    chromium.until(".delta-bar", |text| !text.contains("Showing ")).await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_telephone_on_its_side_shows_pedals_next_corner_and_all_tyres() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window { width: 844, height: 390, theme: "dark" }).await;
    let url = format!("{}/#/live?demo=gran-turismo&seed=3&speed=6&from=85", program.url);
    chromium.client.goto(&url).await.expect("the page");
    chromium.until("[data-figure='next-corner']", |text| text.starts_with("Turn ")).await;
    chromium.until("[data-figure='brake-point']", |text| text.ends_with(" m") || text == "Brake").await;
    let hidden = "return ['.traces', '[data-figure=next-corner]', '[data-figure=brake-point]', '.gear',
        '.dash [data-figure=delta]', ...['FL', 'FR', 'RL', 'RR'].map((wheel) => `[data-wheel=${wheel}] b`)].filter((selector) => {
            const { top, bottom, left, right, height } = document.querySelector(selector).getBoundingClientRect();
            return top < 0 || left < 0 || bottom > innerHeight || right > innerWidth || height < 20;
        })";
    for _ in 0..40 {
        if chromium.ask(hidden).await.as_array().is_some_and(Vec::is_empty) {
            break;
        }
        chromium.settled().await;
    }
    assert_eq!(chromium.ask(hidden).await, serde_json::json!([]), "out of sight");
    chromium.picture("glance-side-844").await;
    chromium.check_clean().await;
    chromium.close().await;
}
