//! What hands do on the page for laps side by side: measuring between two cursors.

use serde_json::{Value, json};

use crate::analyse::{choose, compared, cursor, number, part, recorded};
use crate::by_id::{address, serving, until};
use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recorded::Recorded;
use crate::replay::press;

/// The page with lap 2 beside lap 3 of a recording.
async fn opened(recorded: &Recorded, window: Window) -> Option<(Program, Chromium)> {
    let program = serving(recorded)?;
    let chromium = Chromium::open(window).await?;
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(&chromium, 2, 3).await;
    Some((program, chromium))
}

/// Where on the window a place of the axis lies in the lanes, and how far below their upper edge.
async fn seen_at(chromium: &Chromium, share: f64, below: f64) -> (f64, f64) {
    const BOX: &str = "const box = document.querySelector('#lanes').getBoundingClientRect();
        return [box.left + 118, box.right - 14, box.top]";
    let place: Vec<f64> = serde_json::from_value(chromium.ask(BOX).await).expect("numbers");
    (place[0] + share * (place[1] - place[0]), place[2] + below)
}

/// Drags the mouse with its button down, along places in the window.
async fn drag(chromium: &Chromium, places: &[(f64, f64)]) {
    let said = |what: &str, (x, y): (f64, f64)| {
        let held = if what == "mouseReleased" { 0 } else { 1 };
        json!({ "type": what, "x": x, "y": y, "button": "left", "buttons": held, "clickCount": 1 })
    };
    let (first, last) = (places[0], places[places.len() - 1]);
    chromium.devtools("Input.dispatchMouseEvent", said("mousePressed", first)).await;
    for place in places {
        chromium.devtools("Input.dispatchMouseEvent", said("mouseMoved", *place)).await;
    }
    chromium.devtools("Input.dispatchMouseEvent", said("mouseReleased", last)).await;
}

/// Drags one finger along places in the window.
async fn stroke(chromium: &Chromium, places: &[(f64, f64)]) {
    let said = |what: &str, (x, y): (f64, f64)| json!({ "type": what, "touchPoints": [{ "x": x, "y": y }] });
    chromium.devtools("Input.dispatchTouchEvent", said("touchStart", places[0])).await;
    for place in places {
        chromium.devtools("Input.dispatchTouchEvent", said("touchMove", *place)).await;
    }
    chromium.devtools("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] })).await;
}

/// The places between which is measured, metres from the line.
async fn measured(chromium: &Chromium) -> [f64; 2] {
    let text = chromium.text("#measured [data-figure=places]").await;
    let places = text.trim_end_matches(" m").split_once(" to ");
    let (from, to) = places.unwrap_or_else(|| panic!("{text:?}"));
    [from, to].map(|metres| metres.parse().expect("metres"))
}

/// A figure of a channel between the cursors.
async fn told(chromium: &Chromium, slot: &str, of: &str, name: &str) -> f64 {
    number(chromium, &format!("#measured tr[data-slot={slot}][data-of={of}] [data-figure={name}]")).await
}

#[tokio::test]
async fn what_lies_between_two_cursors_is_what_the_command_line_says() {
    let recorded = recorded("measured");
    let Some((program, chromium)) = opened(&recorded, Window::ALL[0]).await else { return };
    assert_eq!(chromium.ask("return document.querySelector('#measured').childElementCount").await, 0);
    press(&chromium, "]").await;
    until(&chromium, "document.querySelector('#foot [data-figure=corner]').innerText.startsWith('T1')").await;
    press(&chromium, "i").await;
    for _ in 0..2 {
        press(&chromium, "]").await;
    }
    press(&chromium, "o").await;
    until(&chromium, "document.querySelector('#measured tr')").await;

    // The page and the command line say the same of the same places.
    let places = address(&chromium).await;
    let place = |key: &str| {
        let (_, rest) = places.split_once(&format!("&{key}=")).expect("a place");
        rest.split('&').next().expect("a number").to_owned()
    };
    let between = format!("{}..{}", place("in"), place("out"));
    let said = compared(&recorded.file, 2, 3, &["--between", &between])["between"].clone();
    let figure = |pointer: &str| said.pointer(pointer).and_then(Value::as_f64).expect("a number");
    let lost = number(&chromium, "#measured [data-figure=area-lost]").await;
    assert!((lost - figure("/lost_s")).abs() <= 0.001, "{lost} {said}");
    let seconds = chromium.text("#measured [data-figure=seconds]").await;
    let seconds: f64 = seconds.trim_end_matches(" s").parse().expect("seconds");
    assert!((seconds - figure("/seconds/0")).abs() <= 0.001, "{seconds} {said}");
    // Values are rounded as they are shown, each in its unit: km/h, per cent, revolutions.
    let shown = [("speed", 3.6, 0.5), ("throttle", 100.0, 0.5), ("brake", 100.0, 0.5), ("rpm", 1.0, 0.5)];
    for (slot, scale, within) in shown {
        for of in ["lap", "reference"] {
            for (name, key) in
                [("first", "first"), ("last", "last"), ("min", "low"), ("max", "high"), ("mean", "mean")]
            {
                let (page, line) =
                    (told(&chromium, slot, of, name).await, figure(&format!("/channels/{slot}/{of}/{key}")));
                assert!((page - line * scale).abs() <= within + 1e-3, "{slot} {of} {name}: {page}, {line}");
            }
        }
        let apart = figure(&format!("/channels/{slot}/lap/mean"))
            - figure(&format!("/channels/{slot}/reference/mean"));
        assert!(
            (told(&chromium, slot, "apart", "mean").await - apart * scale).abs() <= within + 1e-3,
            "{slot}"
        );
    }

    // A press shows just that, and a link brings it back.
    chromium.ask("document.querySelector('[data-action=zoom-measured]').click()").await;
    let (from, to) = part(&chromium).await.expect("a part");
    let [begins, ends] = measured(&chromium).await;
    assert!((from - begins).abs() <= 0.1 && (to - ends).abs() <= 0.1, "{from} {to}");
    press(&chromium, "0").await;
    for window in [Window::ALL[0], Window::ALL[3], Window { width: 390, height: 844, theme: "dark" }] {
        chromium.look(window).await;
        tokio::time::sleep(std::time::Duration::from_millis(400)).await;
        chromium.ask("document.querySelector('#measured').scrollIntoView()").await;
        chromium.picture(&format!("measured-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    let seen = address(&chromium).await;
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(&format!("{}/{seen}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('#measured tr')").await;
    assert_eq!((address(&chromium).await, measured(&chromium).await), (seen, [begins, ends]));

    // The same key at the same place takes one away, and Escape both.
    press(&chromium, "o").await;
    until(&chromium, "!document.querySelector('#measured').childElementCount").await;
    press(&chromium, "o").await;
    until(&chromium, "document.querySelector('#measured').childElementCount").await;
    press(&chromium, "Escape").await;
    until(&chromium, "!document.querySelector('#measured').childElementCount").await;
    assert!(!address(&chromium).await.contains("&in="));
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
async fn measuring_cursors_are_dragged_by_mouse_and_by_finger() {
    let recorded = recorded("dragged");
    let Some((_program, chromium)) = opened(&recorded, Window::ALL[2]).await else { return };
    let touch = json!({ "enabled": true, "maxTouchPoints": 5 });
    chromium.devtools("Emulation.setTouchEmulationEnabled", touch).await;
    press(&chromium, "End").await;
    let whole = cursor(&chromium).await;
    press(&chromium, "o").await;
    press(&chromium, "Home").await;
    press(&chromium, "i").await;
    until(&chromium, "document.querySelector('#measured tr')").await;
    assert!((measured(&chromium).await[1] - whole).abs() < 0.2);

    // The mouse takes a line anywhere along it, and moves nothing else.
    let (from, to) = (seen_at(&chromium, 1.0, 300.0).await, seen_at(&chromium, 0.75, 320.0).await);
    drag(&chromium, &[from, (from.0 - 40.0, from.1), to]).await;
    let [begins, ends] = measured(&chromium).await;
    assert!((ends / whole - 0.75).abs() < 0.005 && begins == 0.0, "{begins} {ends} of {whole}");
    assert_eq!(part(&chromium).await, None, "nothing was zoomed");
    assert!(address(&chromium).await.contains("&out="));

    // A finger takes it by its upper end, as far beside it as fingers are wide.
    let at = seen_at(&chromium, 0.0, 30.0).await;
    let to = seen_at(&chromium, 0.5, 60.0).await;
    stroke(&chromium, &[(at.0 + 18.0, at.1), (at.0 + 60.0, at.1), to]).await;
    let [begins, _] = measured(&chromium).await;
    assert!((begins / whole - 0.5).abs() < 0.005, "{begins} of {whole}");
    // Below it a finger moves the cursor.
    let (at, to) = (seen_at(&chromium, 0.5, 300.0).await, seen_at(&chromium, 0.25, 300.0).await);
    stroke(&chromium, &[at, to]).await;
    assert_eq!(measured(&chromium).await[0], begins);
    assert!((cursor(&chromium).await / whole - 0.25).abs() < 0.005);
    chromium.check_clean().await;
    chromium.close().await;
}
