//! Figures copied as pictures and as tables: the clipboard or file holds what the page shows.

use serde_json::{Value, json};

use crate::analyse::{choose, cursor, number, part, recorded};
use crate::analyse_keyboard::strike;
use crate::chromium::{Chromium, Window};
use crate::recording_links::{serving, until};
use crate::replay::press;

/// A CSV table, parsed: its headers and its rows. A field with a comma is quoted.
struct Table {
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn read(text: &str) -> Self {
        let mut rows = text.split_terminator("\r\n").map(|line| {
            let (mut fields, mut quoted) = (vec![String::new()], false);
            for letter in line.chars() {
                match letter {
                    '"' => quoted = !quoted,
                    ',' if !quoted => fields.push(String::new()),
                    letter => fields.last_mut().expect("a field").push(letter),
                }
            }
            fields
        });
        let heads: Vec<String> = rows.next().expect("heads");
        let rows: Vec<Vec<String>> = rows.collect();
        assert!(rows.iter().all(|row| row.len() == heads.len()), "{text}");
        Self { heads, rows }
    }

    /// A row's field in the column with a given header.
    fn cell<'a>(&self, row: &'a [String], head: &str) -> &'a str {
        let place = self.heads.iter().position(|other| other == head);
        &row[place.unwrap_or_else(|| panic!("no {head} in {:?}", self.heads))]
    }

    fn number(&self, row: &[String], head: &str) -> f64 {
        let cell = self.cell(row, head);
        cell.parse().unwrap_or_else(|error| panic!("{head} is {cell:?}: {error}"))
    }
}

/// Opens the dialog of figures, copies one of them, and returns the dialog's message.
async fn take(chromium: &Chromium, figure: &str, format: &str) -> String {
    chromium.ask("document.querySelector('[data-testid=copy]').click()").await;
    until(chromium, "document.querySelector('[role=dialog] [data-testid=copied]')").await;
    chromium.ask(&format!("document.querySelector('[data-testid=copy-{figure}-{format}]').click()")).await;
    let message = chromium.until("[data-testid=copied]", |words| !words.is_empty()).await;
    strike(chromium, "escape").await;
    until(chromium, "!document.querySelector('[role=dialog]')").await;
    message
}

/// Copies a figure's table through the clipboard, and returns it parsed and as text.
async fn table(chromium: &Chromium, figure: &str) -> (Table, String) {
    let message = take(chromium, figure, "csv").await;
    assert!(message.ends_with(" copied as CSV."), "{message}");
    let text = chromium.ask("return navigator.clipboard.readText()").await;
    let text = text.as_str().expect("text").to_owned();
    (Table::read(&text), text)
}

/// Width and height from a PNG's header.
fn size(png: &Value) -> [u64; 2] {
    let bytes: Vec<u8> = serde_json::from_value(png.clone()).expect("bytes");
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(&bytes[12..16], b"IHDR");
    [16, 20].map(|at| bytes[at..at + 4].iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// Width and height of an element's canvas, in device pixels.
async fn canvas(chromium: &Chromium, host: &str) -> [u64; 2] {
    let canvas = format!("const it = document.querySelector('{host} canvas'); return [it.width, it.height]");
    serde_json::from_value(chromium.ask(&canvas).await).expect("a size")
}

/// The size of a copied picture, which has a legend above the canvas.
fn with_legend([width, height]: [u64; 2]) -> [u64; 2] {
    [width, height + 26]
}

/// Counts the pixels of a colour in the legend of the picture on the clipboard.
const INKED: &str = "const style = getComputedStyle(document.documentElement).getPropertyValue('INK').trim();
    const wanted = [1, 3, 5].map(place => parseInt(style.slice(place, place + 2), 16));
    return navigator.clipboard.read().then(([item]) => item.getType('image/png')).then(createImageBitmap).then(picture => {
        const copy = Object.assign(document.createElement('canvas'), { width: picture.width, height: 26 });
        const pen = copy.getContext('2d');
        pen.drawImage(picture, 0, 0);
        const { data } = pen.getImageData(0, 0, copy.width, copy.height);
        let found = 0;
        for (let at = 0; at < data.length; at += 4)
            found += wanted.every((part, own) => Math.abs(data[at + own] - part) < 3);
        return found;
    })";

/// The values that the page shows for a lane at the cursor: the first number of each row.
async fn values_shown(chromium: &Chromium, lane: &str) -> Vec<f64> {
    let rows = format!(
        "return [...document.querySelectorAll('#values [data-lane=\"{lane}\"] span')].map(row => row.textContent)"
    );
    let rows: Vec<String> = serde_json::from_value(chromium.ask(&rows).await).expect("rows");
    let number = |row: &String| {
        let first = row.split(" · ").next().unwrap_or_default().replace('−', "-").replace('\u{202f}', "");
        first.trim_start_matches('+').parse().unwrap_or_else(|error| panic!("{rows:?}: {error}"))
    };
    rows.iter().map(number).collect()
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn figures_are_copied_as_tables_and_pictures() {
    let recorded = recorded("copied");
    let program = serving(&recorded);
    let chromium = Chromium::open_alone(Window::ALL[0]).await;
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    let allowed =
        json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"], "origin": program.url });
    chromium.devtools("Browser.grantPermissions", allowed).await;
    chromium.devtools("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })).await;
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(&chromium, 2, 3).await;

    // The lanes over a corner: a row for each sample of the lap, with the page's values at the cursor.
    press(&chromium, "]").await;
    press(&chromium, ".").await;
    let (from, to) = part(&chromium).await.expect("a part");
    let at = cursor(&chromium).await;
    let (lanes, _) = table(&chromium, "lanes").await;
    assert_eq!(lanes.heads[..4], ["Distance m", "Delta s", "Speed km/h (Lap 2)", "Speed km/h (Lap 3)"]);
    assert!(lanes.heads.contains(&"Throttle % (Lap 3)".to_owned()), "{:?}", lanes.heads);
    let places: Vec<f64> = lanes.rows.iter().map(|row| lanes.number(row, "Distance m")).collect();
    assert!(places.len() > 100 && places.is_sorted(), "{places:?}");
    assert!(places[0] >= from - 0.1 && places[0] < from + 2.0, "{places:?} from {from}");
    assert!(places[places.len() - 1] <= to + 0.1 && places[places.len() - 1] > to - 2.0, "to {to}");
    let row = lanes.rows.iter().min_by(|one, other| {
        let off = |row: &[String]| (lanes.number(row, "Distance m") - at).abs();
        off(one).total_cmp(&off(other))
    });
    let row = row.expect("a row");
    for (lane, place, head, off) in [
        ("Delta", 0, "Delta s", 0.000_51),
        ("Speed", 0, "Speed km/h (Lap 2)", 0.51),
        ("Speed", 1, "Speed km/h (Lap 3)", 0.51),
        ("Pedals", 0, "Throttle % (Lap 2)", 0.51),
        ("Gear", 1, "Gear (Lap 3)", 0.0),
    ] {
        let (shown, copied) = (values_shown(&chromium, lane).await[place], lanes.number(row, head));
        assert!((shown - copied).abs() <= off, "{head}: {copied}, but {shown} at {at} m");
    }

    // Every corner. One row is checked against the corner table.
    let (corners, _) = table(&chromium, "corners").await;
    let row = corners.rows.iter().find(|row| row[0] == "T5").expect("the corner");
    let (shown, copied) = (
        number(&chromium, "#corners [data-corner='5'] [data-figure=lost]").await,
        corners.number(row, "Loss s"),
    );
    assert!((shown - copied).abs() <= 0.000_51, "{copied}, but {shown}");
    let parts = corners.heads.iter().filter(|head| head.starts_with("Loss by "));
    let parts: f64 = parts.map(|head| corners.number(row, head)).sum();
    assert!((parts - copied).abs() <= 0.01, "{parts} of {copied}");
    let apart = corners.number(row, "Min speed km/h (Lap 2)") - corners.number(row, "Min speed km/h (Lap 3)");
    assert!((apart - corners.number(row, "Min speed km/h (difference)")).abs() < 1e-9);

    // The whole track with the map's colour channel, whatever part of it is on screen.
    for _ in ["cause", "speed"] {
        press(&chromium, "t").await;
    }
    until(&chromium, "document.querySelector('[data-testid=track-colour]')?.value == 'speed'").await;
    let (track, _) = table(&chromium, "track").await;
    assert_eq!(track.heads, ["Distance m", "x m", "z m", "Speed km/h"]);
    assert!(track.rows.len() > places.len() * 5);
    let row = track
        .rows
        .iter()
        .find(|row| (track.number(row, "Distance m") - at).abs() < 0.06)
        .expect("the cursor");
    let shown = number_in(&chromium.text("#track-value").await);
    assert!((track.number(row, "Speed km/h") - shown).abs() <= 0.51, "{row:?}, but {shown}");

    // The g-g diagram: the envelope reaches as far as the panel says.
    press(&chromium, "g").await;
    chromium.until("[data-testid=panel] h2", |text| text.eq_ignore_ascii_case("g-g")).await;
    let (grip, text) = table(&chromium, "gg").await;
    assert_eq!(grip.heads, ["", "drawn as", "left and right, g", "braking and accelerating, g"]);
    for (lap, cell) in [("lap", 0), ("reference", 1)] {
        let line = |row: &&Vec<String>| row[0] == lap && row[1] == "line";
        let hardest = grip.rows.iter().filter(line).map(|row| -number_in(&row[3])).fold(f64::MIN, f64::max);
        let expected = format!(
            "const row = [...document.querySelectorAll('[data-testid=panel] tbody tr')].find(row => row.innerText.startsWith('Max braking'));
            return row.querySelectorAll('td')[{cell}].innerText"
        );
        let expected = number_in(chromium.ask(&expected).await.as_str().expect("words"));
        assert!((hardest - expected).abs() < 0.06, "{lap}: {hardest}, but {expected}");
        let dots = grip.rows.iter().filter(|row| row[0] == lap && row[1] == "dot").count();
        assert!(dots > 1000, "{lap}: {dots} samples");
    }

    // Pictures have the canvas's pixels, below a legend that names the laps.
    const COPIED: &str = "return navigator.clipboard.read().then(([item]) => item.getType('image/png'))
        .then(picture => picture.arrayBuffer()).then(bytes => [...new Uint8Array(bytes).slice(0, 24)])";
    for (figure, host) in [("lanes", "#lanes"), ("track", "#map"), ("gg", "[data-testid=figure-0]")] {
        let words = take(&chromium, figure, "picture").await;
        assert!(words.ends_with(" copied as picture."), "{words}");
        assert_eq!(size(&chromium.ask(COPIED).await), with_legend(canvas(&chromium, host).await), "{figure}");
        for ink in ["--main", "--reference"] {
            let drawn = chromium.ask(&INKED.replace("INK", ink)).await;
            assert!(drawn.as_u64() > Some(20), "{figure}: {drawn} pixels of {ink} in the legend");
        }
    }

    // Without a clipboard, or with one that the browser refuses, it is saved as a file, and the page says so.
    const CAUGHT: &str = "window.saved = [];
        URL.createObjectURL = content => { window.saved.push(content); return 'blob:' };
        HTMLAnchorElement.prototype.click = function () { window.saved.push(this.download) };
        Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })";
    chromium.ask(CAUGHT).await;
    let words = take(&chromium, "gg", "csv").await;
    assert_eq!(words, "Saved as gg.csv: this address has no clipboard.");
    let saved = chromium.ask("return window.saved[0].text().then(text => [text, window.saved[1]])").await;
    assert_eq!(saved, json!([text, "gg.csv"]));
    const KEPT: &str = "window.saved = [];
        const clipboard = { write: () => Promise.reject(new Error('kept')), writeText: () => Promise.reject(new Error('kept')) };
        Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })";
    chromium.ask(KEPT).await;
    let words = take(&chromium, "lanes", "picture").await;
    assert_eq!(words, "Saved as lanes.png: the browser refused its clipboard.");
    let saved = "return window.saved[0].arrayBuffer().then(bytes => [...new Uint8Array(bytes).slice(0, 24)])";
    assert_eq!(size(&chromium.ask(saved).await), with_legend(canvas(&chromium, "#lanes").await));
    assert_eq!(chromium.ask("return window.saved[1]").await, "lanes.png");

    // The palette offers it, and every button is large enough for a finger.
    strike(&chromium, "ctrl+k").await;
    until(&chromium, "document.querySelector('#found [data-testid=copy]')").await;
    chromium.ask("document.querySelector('#found [data-testid=copy]').click()").await;
    until(&chromium, "document.querySelectorAll('.copy-row').length == 4").await;
    for (width, height, theme) in [(1400, 900, "dark"), (1024, 768, "light"), (390, 844, "dark")] {
        chromium.look(Window { width, height, theme }).await;
        chromium.picture(&format!("copy-{width}-{theme}")).await;
        chromium.check_clean().await;
    }
    chromium.add_touch_screen().await;
    let low =
        "return Math.min(...[...document.querySelectorAll('.copy-row button')].map(it => it.offsetHeight))";
    assert!(chromium.ask(low).await.as_f64().is_some_and(|pixels| pixels >= 44.0));
    chromium.close().await;
}

/// The number that a text begins with.
fn number_in(text: &str) -> f64 {
    let plain = text.trim().replace('−', "-");
    let number = plain.split_whitespace().next().unwrap_or_default();
    number.parse().unwrap_or_else(|error| panic!("{text:?}: {error}"))
}
