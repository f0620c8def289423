//! The Live page of every feed's demo: each preset on each window shows the panels that the game can fill, and these fill
//! the page. The driver chooses and arranges panels.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::program::Program;

const PRESETS: [&str; 4] = ["driver", "engineer", "rally", "server"];
const WIDE: Window = Window { width: 1400, height: 900, theme: "dark" };
const TABLET: Window = Window { width: 1024, height: 768, theme: "dark" };
const WINDOWS: [Window; 4] = [
    WIDE,
    Window { width: 1400, height: 900, theme: "light" },
    TABLET,
    Window { width: 390, height: 844, theme: "dark" },
];

/// The panels, the share of the dashboard that they fill together, and what is wrong with what they show.
const LOOK: &str = "
    const area = (element) => {
        const { width, height } = element.getBoundingClientRect();
        return width * height;
    };
    const main = document.querySelector('main');
    const dashboard = document.querySelector('.dashboard');
    const panels = [...dashboard.querySelectorAll('.panel')];
    const seen = (element) => element.checkVisibility() && !element.classList.contains('unseen');
    const wrong = [];
    for (const element of dashboard.querySelectorAll('*')) {
        const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join('');
        if (/[0-9]/.test(text) && element.tagName !== 'H2' && seen(element) && parseFloat(getComputedStyle(element).fontSize) < 13.5) {
            wrong.push(`small: ${text.trim()}`);
        }
    }
    for (const list of dashboard.querySelectorAll('.readings, .corners, .tyre')) {
        if (list.scrollHeight > list.clientHeight + 1) {
            wrong.push(`cut: ${list.closest('.panel').className} ${list.scrollHeight} > ${list.clientHeight}`);
        }
    }
    for (const value of dashboard.querySelectorAll('.readings dd:not(.fill), .tyre b')) {
        if (!value.textContent) wrong.push('empty: ' + value.parentElement.textContent);
    }
    // What dash and strip show is inside of them: the delta reached under the bar.
    const reaches = (part, whole) => {
        const [inner, outer] = [part.getBoundingClientRect(), whole.getBoundingClientRect()];
        return inner.height > 0 && (inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1 || inner.right > outer.right + 1);
    };
    for (const part of dashboard.querySelectorAll('.dash *, .strip > *')) {
        const whole = part.closest('.dash, .strip');
        const shown = seen(part) && !part.closest('select, .unseen, .lit');
        if (shown && reaches(part, whole)) wrong.push(`reaches out of the dash: ${part.className} ${part.textContent}`);
    }
    for (const list of dashboard.querySelectorAll('.rows > .scroll')) {
        const { top, bottom } = list.getBoundingClientRect();
        for (const row of list.querySelectorAll('tbody tr:not(.own)')) {
            const seat = row.getBoundingClientRect();
            if (seat.top < bottom - 1 && seat.bottom > bottom + 1 && seat.top >= top) wrong.push('half a row: ' + row.textContent);
        }
    }
    for (const panel of panels) {
        if (area(panel) < 12000) wrong.push('a sliver: ' + panel.className);
    }
    if (dashboard.textContent.includes('Not available')) wrong.push('Not available');
    const seats = [...document.querySelectorAll('.bar nav a, .bar button, .bar a')].filter(seen).map((element) => element.getBoundingClientRect());
    for (const [place, seat] of seats.entries()) {
        if (seats.slice(place + 1).some((next) => next.left < seat.right - 1 && next.right > seat.left + 1)) wrong.push('the bar is too full');
    }
    for (const tyre of dashboard.querySelectorAll('.tyre')) {
        const [value, small] = [tyre.querySelector('div > b'), tyre.querySelector('.small')];
        if (!value || !small || !seen(small)) continue;
        const range = document.createRange();
        range.selectNodeContents(value);
        const [own, beside] = [range.getBoundingClientRect(), small.getBoundingClientRect()];
        if (own.right > beside.left && own.bottom > beside.top + 4 && own.top < beside.bottom) wrong.push('values of a tyre overlap');
    }
    if (main.scrollWidth > main.clientWidth) wrong.push(`${main.scrollWidth - main.clientWidth} too wide`);
    if (innerWidth > 640 && main.scrollHeight > main.clientHeight) wrong.push('scrolls');
    return {
        panels: panels.map((panel) => panel.classList[1]).join(' '),
        filled: Math.round(100 * [...panels, ...dashboard.querySelectorAll('.strip')].map(area).reduce((one, other) => one + other, 0) / area(dashboard)),
        preset: dashboard.dataset.preset,
        wrong,
    };";

async fn open(program: &Program, chromium: &Chromium, demo: &str) {
    chromium.client.goto("about:blank").await.expect("an empty page");
    // Laps are listed once the first one is driven.
    let url = format!("{}/#/live?demo={demo}&seed=3&speed=8&from=80", program.url);
    chromium.client.goto(&url).await.expect("the page");
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
}

async fn press(chromium: &Chromium, testid: &str) {
    let press = format!("document.querySelector('[data-testid={testid}]').click()");
    chromium.ask(&press).await;
}

/// What is wrong with what a window shows.
fn faults(seen: &Value, window: Window) -> Vec<String> {
    let mut faults: Vec<String> =
        seen["wrong"].as_array().expect("a list").iter().map(ToString::to_string).collect();
    let filled = seen["filled"].as_u64().unwrap_or_default();
    if window.width > 640 && !(97..=100).contains(&filled) {
        faults.push(format!("{filled} % filled"));
    }
    faults
}

/// In the preset that fits a demo, the page shows these panels in this order; every preset fills every window.
async fn check_panels(demo: &str, expected: &str) {
    let program = Program::start(&[]);
    let chromium = Chromium::open(WIDE).await;
    let mut wrong = Vec::new();
    open(&program, &chromium, demo).await;
    // Panels come and go with what the game has sent so far.
    let began = Instant::now();
    let mut seen = chromium.ask(LOOK).await;
    while seen["panels"] != expected && began.elapsed() < PATIENCE {
        chromium.settled().await;
        seen = chromium.ask(LOOK).await;
    }
    if seen["panels"] != expected {
        wrong.push(format!("{demo}: {}", seen["panels"]));
    }
    let fitting = seen["preset"].as_str().expect("a preset").to_owned();
    let others = PRESETS.into_iter().filter(|preset| *preset != fitting);
    for preset in others.chain([fitting.as_str()]) {
        press(&chromium, &format!("view-{preset}")).await;
        for window in WINDOWS {
            // One window is enough for presets that another game is meant for.
            if preset != fitting && window != TABLET {
                continue;
            }
            chromium.look(window).await;
            let mut seen = chromium.ask(LOOK).await;
            assert_eq!(seen["preset"], preset);
            // Lists get their height a moment after the window.
            for _ in 0..40 {
                if faults(&seen, window).is_empty() {
                    break;
                }
                chromium.settled().await;
                seen = chromium.ask(LOOK).await;
            }
            let faults = faults(&seen, window);
            if !faults.is_empty() {
                wrong.push(format!("{demo} {preset} at {}: {faults:?}", window.width));
            }
            let name = format!("live-{demo}-{preset}-{}-{}", window.width, window.theme);
            chromium.picture(&name).await;
        }
    }
    chromium.check_clean().await;
    assert!(wrong.is_empty(), "{wrong:#?}");
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn panels_that_f1_2018_cannot_fill_leave_their_room_to_the_others() {
    check_panels("f1-2018", "dash trace tyres laps track timing").await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn panels_that_gran_turismo_cannot_fill_leave_their_room_to_the_others() {
    check_panels("gran-turismo", "dash trace tyres laps track energy events").await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn panels_that_dirt_rally_cannot_fill_leave_their_room_to_the_others() {
    check_panels("dirt-rally", "dash trace stage track tyres events").await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn panels_that_ac_remote_cannot_fill_leave_their_room_to_the_others() {
    check_panels("ac-remote", "dash trace tyres laps track timing").await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn panels_that_ac_telemetry_tool_cannot_fill_leave_their_room_to_the_others() {
    check_panels("ac-telemetry-tool", "dash trace tyres laps track timing").await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn panels_that_ac_lua_cannot_fill_leave_their_room_to_the_others() {
    check_panels("ac-lua", "dash trace tyres laps track energy events").await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn panels_that_ac_server_cannot_fill_leave_their_room_to_the_others() {
    check_panels("ac-server", "dash track timing laps session events").await;
}

/// The panels of each column from the left, without the dash.
const COLUMNS: &str = "return [...document.querySelectorAll('.dashboard > :not(.dash)')].map((column) =>
    [...column.querySelectorAll('.panel')].map((panel) => panel.classList[1]).join(' ')).join(' | ')";

async fn until_columns(chromium: &Chromium, expected: &str) {
    for _ in 0..100 {
        if chromium.ask(COLUMNS).await == expected {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{} instead of {expected}", chromium.ask(COLUMNS).await);
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn panels_are_chosen_and_moved_and_stay_so() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(WIDE).await;
    open(&program, &chromium, "f1-2018").await;
    let usual = "trace tyres laps | track timing";
    until_columns(&chromium, usual).await;
    chromium
        .ask("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'p', bubbles: true }))")
        .await;
    chromium.text("[data-panel=laps]").await;
    chromium.picture("live-panels-1400").await;
    chromium.check_clean().await;
    for (panel, button) in [
        ("tyres", "panel"),
        ("damage", "panel"),
        ("laps", "move-right"),
        ("laps", "move-right"),
        ("laps", "move-up"),
        ("track", "move-left"),
        // These change nothing: there is no place to go.
        ("trace", "move-up"),
        ("laps", "move-right"),
    ] {
        chromium.text(&format!("[data-panel={panel}]")).await;
        let click = format!("document.querySelector('[data-panel={panel}] [data-testid={button}]').click()");
        chromium.ask(&click).await;
        chromium.settled().await;
    }
    press(&chromium, "close-dialog").await;
    let arranged = "trace track | timing | laps damage";
    until_columns(&chromium, arranged).await;
    // Another preset is as it was.
    press(&chromium, "view-engineer").await;
    until_columns(&chromium, "timing tyres energy | track laps | session car damage events").await;
    press(&chromium, "view-driver").await;
    until_columns(&chromium, arranged).await;
    chromium.client.refresh().await.expect("the page again");
    until_columns(&chromium, arranged).await;
    // A tablet has its own arrangement.
    chromium.look(TABLET).await;
    until_columns(&chromium, "trace tyres laps track").await;
    press(&chromium, "panels").await;
    chromium.text("[data-panel=laps]").await;
    chromium.picture("live-panels-1024").await;
    press(&chromium, "close-dialog").await;
    chromium.look(WIDE).await;
    press(&chromium, "panels").await;
    press(&chromium, "reset-panels").await;
    press(&chromium, "close-dialog").await;
    until_columns(&chromium, usual).await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_page_is_shown_alone_on_the_screen() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(WIDE).await;
    open(&program, &chromium, "f1-2018").await;
    let button = chromium.client.find(fantoccini::Locator::Css("[data-testid='full-screen']")).await;
    let button = button.expect("a button");
    for alone in [true, false] {
        button.click().await.expect("a click");
        let mut seen = Value::Null;
        for _ in 0..100 {
            seen = chromium.ask("return document.fullscreenElement === document.documentElement").await;
            if seen == alone {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(seen, alone);
    }
    chromium.check_clean().await;
    chromium.close().await;
}
