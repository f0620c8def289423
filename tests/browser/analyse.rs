//! Lap comparison in the page: lap selection, advice, navigation, and the view restored from its address.

use serde_json::{Value, json};
use trailbrake_shared::sim::{Mistake, MistakeKind, Options};

use crate::PATIENCE;
use crate::analyse_keyboard::strike;
use crate::chromium::{Chromium, Window};
use crate::program::{Program, command};
use crate::recorded::RecordedRace;
use crate::recording_links::{address, serving, until};
use crate::replay::{drop_file, press};

/// Long enough for three laps.
const SECONDS: f64 = 300.0;
/// The driver brakes for this corner this many metres too early.
const METRES: f64 = 14.0;
const EARLY: Mistake = Mistake { car: 0, lap: 2, corner: 5, what: MistakeKind::BrakesEarly(METRES) };

/// A driver alone on the track, who brakes too early once.
pub(crate) fn recorded(name: &str) -> RecordedRace {
    let practice = Options { cars: 1, player: 0, seed: 31, again: false, ..Options::default() };
    RecordedRace::race(name, SECONDS, Options { mistakes: vec![EARLY], ..practice })
}

/// Selects the main lap and the reference by lap number.
pub(crate) async fn choose(chromium: &Chromium, lap: u64, reference: u64) {
    for (lap, action) in [(lap, "lap"), (reference, "reference")] {
        let selector = format!("[data-lap='{lap}'] [data-testid={action}]");
        chromium.ask(&format!("document.querySelector(\"{selector}\").click()")).await;
    }
    let chips =
        "[...document.querySelectorAll('.chip')].map(chip => chip.innerText.match(/Lap (\\d+)/)[1]).join()";
    until(chromium, &format!("{chips} == '{lap},{reference}'")).await;
}

/// The JSON that `trailbrake compare` prints for two laps.
pub(crate) fn compared(file: &std::path::Path, lap: u32, reference: u32, options: &[&str]) -> Value {
    let (lap, reference) = (lap.to_string(), reference.to_string());
    let mut command = command("compare");
    command.arg(file).args(["--json", "--lap", &lap, "--reference", &reference]).args(options);
    serde_json::from_slice(&command.output().expect("an answer").stdout).expect("json")
}

/// Parses the number that an element shows, with a `−` or a leading `+`.
pub(crate) async fn number(chromium: &Chromium, selector: &str) -> f64 {
    let text = chromium.text(selector).await.replace('−', "-");
    text.trim_start_matches('+').parse().unwrap_or_else(|error| panic!("{selector} is {text:?}: {error}"))
}

/// The cursor's position, metres from the line.
pub(crate) async fn cursor(chromium: &Chromium) -> f64 {
    let text = chromium.text("#foot [data-figure=cursor]").await;
    text.trim_end_matches(" m").parse().unwrap_or_else(|error| panic!("the cursor is at {text:?}: {error}"))
}

/// The part of the axis that the address names: from and to.
pub(crate) async fn part(chromium: &Chromium) -> Option<(f64, f64)> {
    let address = address(chromium).await;
    let value = |key: &str| {
        let (_, rest) = address.split_once(&format!("&{key}="))?;
        rest.split('&').next()?.parse().ok()
    };
    Some((value("from")?, value("to")?))
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_dropped_recording_shows_where_somebody_braked_too_early() {
    let recorded = recorded("side-by-side");
    // A relay without recordings: only the browser has the file.
    let folder = recorded.folder().join("nothing-yet");
    std::fs::create_dir_all(&folder).expect("a folder");
    let program = Program::start(&["--recordings", &folder.to_string_lossy()]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/analyse", program.url)).await.expect("the page");
    chromium.until("#nothing b", |text| text == "No laps yet").await;
    // The empty state fills the width of the page.
    let width = chromium.ask("return document.querySelector('#nothing').clientWidth / innerWidth").await;
    assert!(width.as_f64().is_some_and(|share| share > 0.9), "{width}");
    chromium.picture("analyse-empty").await;
    let bytes = std::fs::read(&recorded.file).expect("the file");
    drop_file(&chromium, "coach.trailbrake.mcap", &bytes).await;

    // The list has every lap with its time, and the latest lap is compared with the best automatically.
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    const LISTED: &str = "return [...document.querySelectorAll('#lap-list [data-lap]')]
        .map(row => [Number(row.dataset.lap), Number(row.dataset.time)]).reverse()";
    let listed: Vec<(u64, u64)> = serde_json::from_value(chromium.ask(LISTED).await).expect("pairs");
    assert_eq!(listed, recorded.lap_times());

    choose(&chromium, u64::from(EARLY.lap), 3).await;
    let time =
        |number: u64| recorded.lap_times().into_iter().find(|(lap, _)| *lap == number).expect("the lap").1;
    let apart = (time(2) as f64 - time(3) as f64) / 1e3;
    assert!((number(&chromium, "[data-figure=apart]").await - apart).abs() < 1e-6, "{apart}");
    let method = chromium.text("[data-figure=method]").await;
    assert!(method.starts_with("aligned by position, ±"), "{method}");

    // The first piece of advice is the planted mistake.
    let first = chromium.text("#things .thing").await;
    let metres = first.split("Braked ").nth(1).and_then(|rest| rest.split(' ').next());
    let metres: f64 = metres.and_then(|metres| metres.parse().ok()).unwrap_or_else(|| panic!("{first}"));
    assert!(first.contains("T5") && first.contains("m too early"), "{first}");
    // The tolerance covers the driver's usual variation from lap to lap.
    assert!((metres - METRES).abs() < 6.0, "{first}");

    // The page and the command line agree.
    let comparison = compared(&recorded.file, EARLY.lap, 3, &[]);
    let corner = comparison["corners"].as_array().and_then(|corners| {
        let name = format!("Turn {}", EARLY.corner);
        corners.iter().find(|corner| corner["name"].as_str() == Some(&name)).cloned()
    });
    let corner = corner.expect("the corner");
    let figure = |name: &str| corner[name].as_f64().unwrap_or_else(|| panic!("{name}: {corner}"));
    let lost =
        number(&chromium, &format!("#corners [data-corner='{}'] [data-figure=lost]", EARLY.corner)).await;
    assert!((lost - figure("loss_s")).abs() <= 0.0005, "{lost}, {corner}");
    // The rows of the ledger add up to the delta.
    const ROWS: &str = "return [...document.querySelectorAll('#corners tbody [data-figure=lost]')]
        .map(cell => Number(cell.textContent.replace('−', '-')))";
    let rows: Vec<f64> = serde_json::from_value(chromium.ask(ROWS).await).expect("seconds");
    assert!(rows.len() > 14 && rows.is_sorted_by(|one, next| one >= next), "{rows:?}");
    let sum = number(&chromium, "#corners [data-figure=sum]").await;
    assert!((sum - apart).abs() <= 0.0005, "{sum} and {apart}");
    assert!((rows.iter().sum::<f64>() - sum).abs() <= 0.0005 * rows.len() as f64, "{rows:?}, {sum}");

    // Clicking the advice zooms the lanes to the corner, with its apex under the cursor.
    chromium.ask("document.querySelector('#things .thing').click()").await;
    until(&chromium, "location.hash.includes('from=')").await;
    let (from, to) = part(&chromium).await.expect("a part");
    let apex = cursor(&chromium).await;
    assert!(from < apex && apex < to && to - from < 1000.0, "{from} {apex} {to}");
    let here = chromium.text("#foot [data-figure=corner]").await;
    assert!(here.starts_with("T5"), "{here}");

    // The corner's card opens in place of the things to fix. The link restores that, too.
    const CLOSELY: &str =
        "return Object.fromEntries([...document.querySelectorAll('#open-corner [data-line]')]
        .map(row => [row.dataset.line, [...row.querySelectorAll('td')].map(cell => cell.textContent)]))";
    until(&chromium, "document.querySelector('#open-corner [data-line=brake-on]')").await;
    let closely = chromium.ask(CLOSELY).await;
    let cell = |line: &str, place: usize| closely[line][place].as_str().unwrap_or_default().to_owned();
    let metres: f64 = cell("brake-on", 2)
        .split(' ')
        .next()
        .and_then(|text| text.parse().ok())
        .unwrap_or_else(|| panic!("{closely}"));
    assert!(cell("brake-on", 2).ends_with(" earlier"), "{closely}");
    assert!((metres + figure("brake_diff_m")).abs() <= 0.5, "{closely}, {corner}");
    let before = apex - figure("brake_on_m");
    assert_eq!(cell("brake-on", 0), format!("−{before:.0}"), "{closely}, {corner}");
    // So does how it was driven, which stands over all laps of the stint, too.
    let percent: f64 = cell("brake-speed", 0).parse().unwrap_or_else(|_| panic!("{closely}"));
    assert!((percent - 100.0 * figure("brake_per_s")).abs() <= 0.5, "{closely}, {corner}");
    assert_eq!(cell("second-lifts", 0), figure("second_lifts").to_string(), "{closely}, {corner}");
    chromium.ask("document.querySelector('[data-testid=all-figures]').click()").await;
    until(&chromium, "document.querySelectorAll('.over-laps tbody tr').length == 3").await;
    let laps = chromium
        .ask("return [...document.querySelectorAll('.over-laps tbody th')].map(th => th.textContent)")
        .await;
    assert_eq!(laps, serde_json::json!(["lap 1", "lap 2", "lap 3, ref."]));
    const SPEEDS: &str = "const heads = [...document.querySelectorAll('.over-laps thead tr > *')];
        const place = heads.findIndex(head => head.dataset.figure == 'brake-speed');
        return [...document.querySelectorAll('.over-laps tbody tr')].map(row => row.children[place].textContent)";
    let speeds: Vec<String> = serde_json::from_value(chromium.ask(SPEEDS).await).expect("figures");
    assert_eq!(speeds.get(1..), Some(&[cell("brake-speed", 0), cell("brake-speed", 1)][..]), "{closely}");
    chromium.ask("document.querySelector('[data-testid=all-figures]').click()").await;
    // Its parts add up to its loss.
    const PARTS: &str = "return [...document.querySelectorAll('#open-corner [data-part] td:last-child')]
        .map(cell => Number(cell.textContent.replace('−', '-')))";
    let parts: Vec<f64> = serde_json::from_value(chromium.ask(PARTS).await).expect("seconds");
    assert!(
        (parts.iter().sum::<f64>() - figure("loss_s")).abs() <= 0.0005 * (parts.len() + 2) as f64,
        "{parts:?}, {corner}"
    );
    let sum = number(&chromium, "#open-corner [data-figure=corner-sum]").await;
    assert!((sum - figure("loss_s")).abs() <= 0.0005, "{sum}, {corner}");
    assert!(address(&chromium).await.contains("&corner=5"));

    // The status bar shows the data quality, and coasting is blue along the bottom of the pedals lane.
    let quality = chromium.text("#foot [data-figure=quality]").await;
    assert_eq!(quality, "60 samples/s, none missing");
    const BLUE: &str = "const canvas = document.querySelectorAll('#lanes canvas')[1];
        const style = getComputedStyle(document.documentElement).getPropertyValue('--coast').trim();
        const wanted = [1, 3, 5].map(place => parseInt(style.slice(place, place + 2), 16));
        const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
        const pen = copy.getContext('2d', { willReadFrequently: true });
        pen.drawImage(canvas, 0, 0);
        const { data } = pen.getImageData(0, 0, copy.width, copy.height);
        let found = 0;
        for (let place = 0; place < data.length; place += 4)
            found += wanted.every((part, own) => Math.abs(data[place + own] - part) < 3) && data[place + 3] > 250;
        return found";
    until(&chromium, &format!("(() => {{ {BLUE} }})() > 20")).await;

    for window in Window::ALL {
        chromium.look(window).await;
        chromium.picture(&format!("analyse-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    for theme in ["dark", "light"] {
        chromium.look(Window { width: 390, height: 844, theme }).await;
        chromium.picture(&format!("analyse-390-{theme}")).await;
        chromium.check_clean().await;
    }
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn keys_do_what_the_sheet_says_and_a_link_brings_all_of_it_back() {
    let recorded = recorded("keys");
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(&chromium, 3, 2).await;

    // The cursor.
    press(&chromium, "Home").await;
    assert_eq!(cursor(&chromium).await, 0.0);
    press(&chromium, "End").await;
    let whole = cursor(&chromium).await;
    assert!(whole > 1000.0, "{whole}");
    press(&chromium, "ArrowLeft").await;
    let step = whole - cursor(&chromium).await;
    assert!((step - whole / 200.0).abs() < 0.2, "{step}");
    press(&chromium, "ArrowRight").await;
    assert!((cursor(&chromium).await - whole).abs() < 0.2);
    press(&chromium, "Home").await;
    press(&chromium, ".").await;
    let sample = cursor(&chromium).await;
    assert!(sample < 3.0, "{sample}");
    press(&chromium, ".").await;
    assert!(cursor(&chromium).await > sample);
    press(&chromium, ",").await;
    assert!((cursor(&chromium).await - sample).abs() < 0.2);

    // Corners, zoom, pan, and back to the whole lap.
    press(&chromium, "]").await;
    until(&chromium, "document.querySelector('#foot [data-figure=corner]').innerText.startsWith('T1')").await;
    press(&chromium, "]").await;
    until(&chromium, "document.querySelector('#foot [data-figure=corner]').innerText.startsWith('T2')").await;
    press(&chromium, "[").await;
    until(&chromium, "document.querySelector('#foot [data-figure=corner]').innerText.startsWith('T1')").await;
    press(&chromium, "0").await;
    assert_eq!(part(&chromium).await, None);
    press(&chromium, "c").await;
    let corner = part(&chromium).await.expect("a corner");
    press(&chromium, "-").await;
    let wider = part(&chromium).await.expect("a part");
    assert!(wider.1 - wider.0 > 1.4 * (corner.1 - corner.0), "{corner:?} {wider:?}");
    press(&chromium, "+").await;
    let again = part(&chromium).await.expect("a part");
    assert!((again.0 - corner.0).abs() < 1.0 && (again.1 - corner.1).abs() < 1.0, "{corner:?} {again:?}");
    press(&chromium, "d").await;
    let on = part(&chromium).await.expect("a part");
    assert!(((on.0 - again.0) / (again.1 - again.0) - 0.2).abs() < 0.01, "{again:?} {on:?}");
    press(&chromium, "a").await;
    assert!((part(&chromium).await.expect("a part").0 - again.0).abs() < 0.1);
    let undo =
        "window.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }))";
    chromium.ask(undo).await;
    assert!((part(&chromium).await.expect("a part").0 - on.0).abs() < 0.1, "one step back");

    press(&chromium, "z").await;
    // Stepping through laps skips the reference.
    press(&chromium, "p").await;
    const MAIN: &str = "document.querySelector('#lap-list tr.main').dataset.lap";
    until(&chromium, &format!("{MAIN} == '1'")).await;
    press(&chromium, "n").await;
    until(&chromium, &format!("{MAIN} == '3'")).await;
    let best = recorded.lap_times().into_iter().min_by_key(|(_, time)| *time).expect("a lap").0;
    press(&chromium, "f").await;
    until(&chromium, &format!("{MAIN} == '{best}'")).await;
    press(&chromium, "r").await;
    until(&chromium, &format!("document.querySelector('#lap-list tr.reference').dataset.lap == '{best}'"))
        .await;

    // Playback runs at real speed, along the lap's own clock.
    press(&chromium, "Home").await;
    press(&chromium, " ").await;
    let began = std::time::Instant::now();
    while cursor(&chromium).await <= 10.0 {
        assert!(began.elapsed() < PATIENCE, "the cursor stays at {}", cursor(&chromium).await);
        chromium.settled().await;
    }
    press(&chromium, " ").await;
    let rests = cursor(&chromium).await;
    chromium.settled().await;
    assert_eq!(cursor(&chromium).await, rests);

    // The cursor keeps its place when the axis changes to time and back.
    press(&chromium, "x").await;
    until(&chromium, "location.hash.includes('axis=time')").await;
    assert!((cursor(&chromium).await - rests).abs() < 0.5);
    press(&chromium, "x").await;

    // The key sheet lists every key, and the palette runs what it lists.
    press(&chromium, "?").await;
    chromium.until("[role=dialog]", |text| text.contains("Make this lap the reference")).await;
    strike(&chromium, "escape").await;
    until(&chromium, "!document.querySelector('[role=dialog]')").await;
    let palette =
        "window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))";
    chromium.ask(palette).await;
    let look = "const field = document.querySelector('#command'); field.value = 'cursor end';
        field.dispatchEvent(new Event('input', { bubbles: true }))";
    chromium.ask(look).await;
    until(&chromium, "document.querySelectorAll('#found button').length == 1").await;
    strike(&chromium, "Enter").await;
    assert!((cursor(&chromium).await - whole).abs() < 30.0);

    // The address restores the same view.
    press(&chromium, "[").await;
    let (seen, looked_at) = (address(&chromium).await, cursor(&chromium).await);
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(&format!("{}/{seen}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    assert_eq!(address(&chromium).await, seen);
    assert_eq!(cursor(&chromium).await, looked_at);
    chromium.check_clean().await;
    chromium.close().await;
}

/// Touches the lanes with one or more fingers, at fractions of their width.
pub(crate) async fn touch(chromium: &Chromium, what: &str, fingers: &[f64]) {
    touches(chromium, &[(what, fingers)]).await;
}

/// Several touches, one right after the other.
pub(crate) async fn touches(chromium: &Chromium, touches: &[(&str, &[f64])]) {
    const AT: &str = "const box = document.querySelector('#lanes').getBoundingClientRect();
        return [box.left + (box.width < 480 ? 118 : 158), box.right - 14, box.top + box.height / 2]";
    let place: Vec<f64> = serde_json::from_value(chromium.ask(AT).await).expect("numbers");
    let (left, right, y) = (place[0], place[1], place[2]);
    let point = |(id, share): (usize, &f64)| json!({ "id": id, "x": left + share * (right - left), "y": y });
    for (what, fingers) in touches {
        let points: Vec<Value> = fingers.iter().enumerate().map(point).collect();
        chromium.devtools("Input.dispatchTouchEvent", json!({ "type": what, "touchPoints": points })).await;
    }
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn fingers_move_the_cursor_and_pinch_the_axis() {
    let recorded = recorded("touched");
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[2]).await;
    chromium.add_touch_screen().await;
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    press(&chromium, "End").await;
    let whole = cursor(&chromium).await;

    touch(&chromium, "touchStart", &[0.25]).await;
    touch(&chromium, "touchMove", &[0.5]).await;
    touch(&chromium, "touchEnd", &[]).await;
    let middle = cursor(&chromium).await;
    assert!((middle / whole - 0.5).abs() < 0.01, "{middle} of {whole}");

    // Pinching: what is under each finger stays under it.
    touch(&chromium, "touchStart", &[0.4, 0.6]).await;
    touch(&chromium, "touchMove", &[0.2, 0.6]).await;
    touch(&chromium, "touchMove", &[0.2, 0.8]).await;
    touch(&chromium, "touchEnd", &[]).await;
    let (from, to) = part(&chromium).await.expect("a part");
    assert!(((to - from) / whole - 1.0 / 3.0).abs() < 0.02, "{from} to {to} of {whole}");
    assert!(((from + to) / 2.0 / whole - 0.5).abs() < 0.02, "{from} to {to} of {whole}");

    // Two fingers moving the same way pan the lanes.
    touch(&chromium, "touchStart", &[0.5, 0.7]).await;
    touch(&chromium, "touchMove", &[0.4, 0.7]).await;
    touch(&chromium, "touchMove", &[0.4, 0.6]).await;
    touch(&chromium, "touchEnd", &[]).await;
    let (on, until) = part(&chromium).await.expect("a part");
    let by = (on - from) / (to - from);
    assert!((by - 0.1).abs() < 0.01, "{from} to {to} became {on} to {until}");
    assert!(((until - on) / (to - from) - 1.0).abs() < 0.01, "{from} to {to} became {on} to {until}");
    chromium.check_clean().await;
    chromium.close().await;
}

/// A driver alone, who in two laps deploys no energy behind some corners, and in the second of them is also slow on the
/// throttle.
fn without_energy() -> RecordedRace {
    let planted = |lap: u32, corners: &[u8], what: MistakeKind| -> Vec<Mistake> {
        corners.iter().map(|corner| Mistake { car: 0, lap, corner: *corner, what }).collect()
    };
    let mut mistakes = planted(1, &[2, 3, 5, 8], MistakeKind::DeploysLess);
    mistakes.extend(planted(2, &[2, 3, 5, 8], MistakeKind::DeploysLess));
    mistakes.extend(planted(2, &[10], MistakeKind::HalfThrottle(0.5)));
    let practice = Options { cars: 1, player: 0, seed: 31, again: false, ..Options::default() };
    RecordedRace::race("energy", SECONDS, Options { mistakes, ..practice })
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_lap_in_like_conditions_is_one_click_away() {
    let recorded = without_energy();
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(&chromium, 2, 3).await;
    until(&chromium, "document.querySelector('[data-testid=like-conditions]')").await;
    let split = chromium.text("[data-figure=delta-split]").await;
    assert!(split.contains("driving") && split.contains("battery"), "{split}");
    for window in Window::ALL {
        chromium.look(window).await;
        chromium.picture(&format!("like-conditions-{}-{}", window.width, window.theme)).await;
    }
    chromium.ask("document.querySelector('[data-testid=like-conditions]').click()").await;
    until(&chromium, "[...document.querySelectorAll('.chip')].at(1)?.innerText.startsWith('Lap 1')").await;
    until(&chromium, "!document.querySelector('[data-testid=like-conditions]')").await;
    chromium.check_clean().await;

    // The grip that both used is a lane.
    let lanes = format!(
        "{}&lanes=speed,grip-used",
        address(&chromium).await.split("&lanes=").next().unwrap_or_default()
    );
    chromium.client.goto(&lanes).await.expect("the page");
    until(&chromium, "document.querySelector('#values [data-lane=\"Grip used\"]')").await;
    chromium.close().await;
}
