//! The panels below the map show what the command line prints, and the address restores them.

use serde_json::Value;
use trailbrake_shared::sim::Options;

use crate::PATIENCE;
use crate::analyse::{choose, cursor, number, part, recorded};
use crate::chromium::{Chromium, Window};
use crate::program::command;
use crate::recorded::RecordedRace;
use crate::recording_links::{address, serving, until};
use crate::replay::press;

/// What `trailbrake analyse` prints for a lap.
fn analysed(file: &std::path::Path, lap: u32) -> Value {
    let mut command = command("analyse");
    command.arg(file).args(["--json", "--lap", &lap.to_string()]);
    serde_json::from_slice(&command.output().expect("an answer").stdout).expect("json")
}

/// A number in the open panel: the given cell of the row whose name begins with `row`.
async fn fact(chromium: &Chromium, row: &str, cell: usize) -> f64 {
    let find = format!(
        "const row = [...document.querySelectorAll('[data-testid=panel] tbody tr')].find(row => row.innerText.startsWith('{row}'));
        row.querySelectorAll('td')[{cell}].dataset.under = 'test'"
    );
    chromium
        .ask("document.querySelectorAll('[data-under]').forEach(cell => cell.removeAttribute('data-under'))")
        .await;
    chromium.ask(&find).await;
    number(chromium, "[data-under=test]").await
}

/// Opens a panel by its tab.
async fn open(chromium: &Chromium, id: &str, head: &str) {
    chromium.ask(&format!("document.querySelector('[data-testid=tab-{id}]').click()")).await;
    chromium.until("[data-testid=panel] h2", |text| text.eq_ignore_ascii_case(head)).await;
}

/// Chooses what the open panel shows.
async fn choose_channel(chromium: &Chromium, id: &str) {
    let choose = format!(
        "const field = document.querySelector('[data-testid=panel] select'); field.value = '{id}';
        field.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    );
    chromium.ask(&choose).await;
}

/// The cursor's place in the address.
async fn cursor_or_none(chromium: &Chromium) -> Option<String> {
    let address = address(chromium).await;
    address.split('&').find(|part| part.starts_with("cursor=")).map(str::to_owned)
}

/// Waits until a chart has more than `least` coloured pixels: it is painted one or two frames later.
async fn until_coloured(chromium: &Chromium, place: usize, least: u64) {
    let began = std::time::Instant::now();
    while coloured(chromium, place).await <= least {
        assert!(began.elapsed() < PATIENCE, "chart {place} stays empty");
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    }
}

/// The middle of the cursor's dot in the first figure, device pixels.
async fn dot(chromium: &Chromium) -> Option<[f64; 2]> {
    const MIDDLE: &str = "const canvas = document.querySelectorAll('[data-testid=figure-0] canvas')[2];
        const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
        const pen = copy.getContext('2d', { willReadFrequently: true });
        pen.drawImage(canvas, 0, 0);
        const { width, data } = pen.getImageData(0, 0, copy.width, copy.height);
        let [x, y, count] = [0, 0, 0];
        for (let at = 0; at < data.length / 4; at++)
            if (data[at * 4 + 3] > 0) [x, y, count] = [x + at % width, y + Math.floor(at / width), count + 1];
        return count ? [x / count, y / count] : null";
    serde_json::from_value(chromium.ask(MIDDLE).await).expect("a place")
}

/// Waits until the cursor's dot is elsewhere, and returns its place.
async fn until_dot(chromium: &Chromium, last: Option<[f64; 2]>) -> [f64; 2] {
    let began = std::time::Instant::now();
    loop {
        if let Some(found) = dot(chromium).await.filter(|found| Some(*found) != last) {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "the dot stays at {last:?}");
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}

/// How many pixels of a figure in the open panel have a colour that is clearly not grey.
async fn coloured(chromium: &Chromium, figure: usize) -> u64 {
    let count = format!(
        "const canvas = document.querySelectorAll('[data-testid=figure-{figure}] canvas')[1];
        const copy = Object.assign(document.createElement('canvas'), {{ width: canvas.width, height: canvas.height }});
        const pen = copy.getContext('2d', {{ willReadFrequently: true }});
        pen.drawImage(canvas, 0, 0);
        const data = pen.getImageData(0, 0, copy.width, copy.height).data;
        let count = 0;
        for (let at = 0; at < data.length; at += 4)
            if (data[at + 3] > 40 && Math.max(data[at], data[at + 1], data[at + 2]) - Math.min(data[at], data[at + 1], data[at + 2]) > 40) count++;
        return count"
    );
    chromium.ask(&count).await.as_u64().expect("a count")
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn grip_and_histograms_show_what_the_command_line_prints() {
    let recorded = recorded("panels");
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(&chromium, 3, 2).await;

    // One key opens the g-g diagram of both laps, and the same key brings back the corner table.
    assert_eq!(chromium.ask("return document.querySelector('#corners').checkVisibility()").await, true);
    press(&chromium, "g").await;
    chromium.until("[data-testid=panel] h2", |text| text.eq_ignore_ascii_case("g-g")).await;
    assert_eq!(chromium.ask("return document.querySelector('#corners').checkVisibility()").await, false);
    for (cell, lap) in [(0, 3), (1, 2)] {
        let grip = &analysed(&recorded.file, lap)["lap"]["grip"];
        let printed = |path: &str| {
            grip.pointer(path).and_then(Value::as_f64).unwrap_or_else(|| panic!("{path} in {grip}"))
        };
        let shown = fact(&chromium, "Grip used", cell).await;
        assert!((shown - printed("/usage") * 100.0).abs() <= 0.05, "{shown} {grip}");
        let shown = fact(&chromium, "Max braking", cell).await;
        assert!((shown - printed("/hardest/braking_g")).abs() <= 0.005, "{shown} {grip}");
        let shown = fact(&chromium, "Max right", cell).await;
        assert!((shown - printed("/hardest/right_g")).abs() <= 0.005, "{shown} {grip}");
    }
    // The envelopes alone have several hundred pixels.
    until_coloured(&chromium, 0, 500).await;
    let square = chromium
        .ask(
            "const box = document.querySelector('[data-testid=figure-0]').getBoundingClientRect();
        return box.height / box.width",
        )
        .await;
    assert!(square.as_f64().is_some_and(|share| share > 0.9), "{square}");
    // The cursor has its dot in the diagram, and the dot follows it.
    assert_eq!(dot(&chromium).await, None);
    press(&chromium, "]").await;
    let first = until_dot(&chromium, None).await;
    press(&chromium, "]").await;
    until_dot(&chromium, Some(first)).await;
    chromium.picture("panels-gg").await;
    press(&chromium, "g").await;
    // A list names all panels. The row of tabs has one line, and scrolls to the tab of the chosen one.
    let pick = |id: &str| {
        format!(
            "const list = document.querySelector('[data-testid=all-panels]');
            list.value = '{id}'; list.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        )
    };
    chromium.ask(&pick("setup")).await;
    chromium.until("[data-testid=panel] h2", |text| text.eq_ignore_ascii_case("setup")).await;
    let in_view = "(() => {
        const box = selector => document.querySelector(selector).getBoundingClientRect();
        const [tab, row] = [box('[data-testid=tab-setup]'), box('.analyse .tabs')];
        return tab.left >= row.left - 1 && tab.right <= row.right + 1 && row.height < 2 * tab.height;
    })()";
    until(&chromium, in_view).await;
    chromium.ask(&pick("corners")).await;
    until(&chromium, "document.querySelector('#corners').checkVisibility()").await;
    until(&chromium, "document.querySelector('#corners').checkVisibility()").await;

    // A histogram of any channel. Gears are whole numbers, and the highest speed matches the command line.
    open(&chromium, "often", "Histograms").await;
    let between = |lap: u32| {
        let mut command = command("analyse");
        let lap = lap.to_string();
        command.arg(&recorded.file).args(["--json", "--lap", &lap, "--between", "0..9999"]);
        let analysis: Value =
            serde_json::from_slice(&command.output().expect("an answer").stdout).expect("json");
        analysis["lap"]["between"].clone()
    };
    let (main, reference) = (between(3), between(2));
    for (cell, lap) in [(0, &main), (1, &reference)] {
        let highest = lap["speed"]["high"].as_f64();
        let highest = highest.unwrap_or_else(|| panic!("{}", lap["speed"])) * 3.6;
        let shown = fact(&chromium, "Max", cell).await;
        assert!((shown - highest).abs() <= 0.6, "{shown} {highest}");
    }
    chromium.picture("panels-often").await;
    let choose_gear =
        "const field = document.querySelector('[data-testid=panel] select'); field.value = 'gear';
        field.dispatchEvent(new Event('input', { bubbles: true }))";
    chromium.ask(choose_gear).await;
    until(&chromium, "location.hash.includes('panel=often&of=gear')").await;
    assert_eq!(fact(&chromium, "Max", 0).await.fract(), 0.0);
    until_coloured(&chromium, 0, 500).await;

    // The address restores the same panel.
    let seen = address(&chromium).await;
    let before = chromium.text("[data-testid=panel]").await;
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(&format!("{}/{seen}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('[data-testid=panel] table')").await;
    assert_eq!(chromium.text("[data-testid=panel]").await, before);
    assert_eq!(address(&chromium).await, seen);
    const SELECTED: &str = "return [...document.querySelectorAll('[role=tab][aria-selected=true]')].map(tab => tab.innerText).join()";
    assert_eq!(chromium.ask(SELECTED).await, "Histograms");
    assert_eq!(chromium.ask("return document.querySelector('#corners').checkVisibility()").await, false);

    // Arrow keys move along the tabs, and leave the cursor where it is.
    let before = cursor_or_none(&chromium).await;
    const ARROW: &str = "const tab = document.querySelector('[role=tab][aria-selected=true]'); tab.focus();
        tab.dispatchEvent(new KeyboardEvent('keydown', { key: 'KEY', bubbles: true, cancelable: true }))";
    for (key, name) in [("ArrowRight", "Tyres"), ("ArrowLeft", "Histograms")] {
        chromium.ask(&ARROW.replace("KEY", key)).await;
        until(&chromium, &format!("document.activeElement.innerText == '{name}'")).await;
        assert_eq!(chromium.ask(SELECTED).await, name);
    }
    assert_eq!(cursor_or_none(&chromium).await, before);
    choose_channel(&chromium, "gear").await;

    for (width, height) in [(1400, 900), (1024, 768), (390, 844)] {
        for theme in ["dark", "light"] {
            chromium.look(Window { width, height, theme }).await;
            chromium.ask("document.querySelector('[role=tablist]').scrollIntoView()").await;
            chromium.picture(&format!("panels-often-{width}-{theme}")).await;
            chromium.check_clean().await;
        }
    }
    chromium.close().await;
}

/// Checks that nothing in an open panel is wider than its column, at several window sizes.
async fn fits(chromium: &Chromium, name: &str) {
    const WIDER: &str = "const column = document.querySelector('.panel-area');
        return Math.max(column.scrollWidth - column.clientWidth, 0)";
    for (width, height) in [(1024, 768), (390, 844), (1400, 900)] {
        for theme in ["light", "dark"] {
            chromium.look(Window { width, height, theme }).await;
            assert_eq!(chromium.ask(WIDER).await, 0, "{name} at {width} is wider than its column");
            chromium.picture(&format!("{name}-{width}-{theme}")).await;
            chromium.check_clean().await;
        }
    }
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn every_panel_shows_what_the_command_line_prints_and_leads_to_its_places() {
    // The other drivers' cars have different setups.
    let practice = Options { cars: 3, player: 0, seed: 31, again: false, ..Options::default() };
    let recorded = RecordedRace::race("panels-all", 420.0, practice);
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(&chromium, 3, 2).await;
    let analysis = analysed(&recorded.file, 3);
    let printed =
        |path: &str| analysis.pointer(path).and_then(Value::as_f64).unwrap_or_else(|| panic!("{path}"));
    let near = |shown: f64, expected: f64, off: f64| {
        assert!((shown - expected).abs() <= off, "{shown} is not {expected}")
    };

    open(&chromium, "tyres", "Tyres").await;
    near(fact(&chromium, "FL", 0).await, printed("/lap/wheels/0/wheels/0/median"), 0.5);
    near(fact(&chromium, "RR", 0).await, printed("/lap/wheels/0/wheels/3/median"), 0.5);
    // The stint's other laps load in the background; then a trend is shown, too.
    until(&chromium, "document.querySelectorAll('[data-testid=panel] .chart').length == 2").await;
    fits(&chromium, "panels-tyres").await;

    open(&chromium, "suspension", "Suspension").await;
    near(fact(&chromium, "FL", 0).await, printed("/lap/dampers/wheels/0/bump_slow") * 100.0, 0.05);
    near(fact(&chromium, "RR", 3).await, printed("/lap/dampers/wheels/3/rebound_fast") * 100.0, 0.05);
    assert_eq!(
        chromium.ask("return document.querySelectorAll('[data-testid=panel] .chart').length").await,
        4
    );
    fits(&chromium, "panels-suspension").await;

    // Clicking a row that has a place goes there.
    open(&chromium, "balance", "Balance").await;
    fits(&chromium, "panels-balance").await;
    chromium.ask("document.querySelectorAll('[data-testid=panel] [data-testid=range]')[4].click()").await;
    until(&chromium, "document.querySelector('#foot [data-figure=corner]').innerText.startsWith('T5')").await;
    let (from, to) = part(&chromium).await.expect("a part");
    let at = cursor(&chromium).await;
    assert!(from < at && at < to && to - from < 1000.0, "{from} {at} {to}");

    open(&chromium, "consistency", "Consistency").await;
    let spread = &analysis["session"]["consistency"]["lap"];
    near(fact(&chromium, "lap", 0).await, spread["best_s"].as_f64().expect("a time"), 0.0005);
    near(fact(&chromium, "lap", 1).await, spread["median_s"].as_f64().expect("a time"), 0.0005);
    near(fact(&chromium, "lap", 2).await, spread["deviation_s"].as_f64().expect("a time"), 0.0005);
    until(&chromium, "document.querySelectorAll('[data-testid=panel] [data-testid=range]').length > 4").await;
    fits(&chromium, "panels-consistency").await;

    open(&chromium, "ideal", "Ideal lap").await;
    let ideal = &analysis["session"]["ideal_sectors"];
    for (sector, best) in (1..).zip(ideal["sectors"].as_array().expect("sectors")) {
        let best_s = best["time_ms"].as_f64().expect("a time") / 1e3;
        near(fact(&chromium, &format!("S{sector}"), 1).await, best_s, 0.0005);
        near(fact(&chromium, &format!("S{sector}"), 2).await, best["lap"].as_f64().expect("a lap"), 0.0);
    }
    fits(&chromium, "panels-ideal").await;

    open(&chromium, "fuel", "Fuel").await;
    until(&chromium, "document.querySelectorAll('[data-testid=panel] .chart').length == 2").await;
    near(fact(&chromium, "Used in a lap", 0).await, printed("/session/fuel/per_lap"), 0.05);
    fits(&chromium, "panels-fuel").await;

    open(&chromium, "splits", "Splits").await;
    let last = printed("/lap/splits/9/clock_s");
    near(fact(&chromium, "100", 0).await, last, 0.0015);
    fits(&chromium, "panels-splits").await;

    // Both laps have the same setup. Laps of two cars do not, and the differences are marked.
    open(&chromium, "setup", "Setup").await;
    // In this game the setup includes the fuel load.
    let marked = "return [...document.querySelectorAll('[data-testid=panel] tr.marked th')].map(row => row.innerText).join()";
    let marked = chromium.ask(marked).await;
    assert!(marked == "" || marked == "Fuel load, kg", "{marked}");
    let other = address(&chromium).await.replace("reference=0.0.", "reference=0.1.");
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(&format!("{}/{other}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelectorAll('[data-testid=panel] tr.marked').length > 3").await;
    let marked = "return [...document.querySelectorAll('[data-testid=panel] tbody tr')].every(row => {
        const [one, other] = [...row.querySelectorAll('td')].map(cell => cell.innerText);
        return (one != other) == row.classList.contains('marked') })";
    assert_eq!(chromium.ask(marked).await, true);
    fits(&chromium, "panels-setup").await;
    chromium.check_clean().await;
    chromium.close().await;
}
