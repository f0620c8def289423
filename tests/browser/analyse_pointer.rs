//! Mouse and touch on the Analyse page: measuring between two cursors, and arranging the lanes.

use serde_json::{Value, json};

use crate::PATIENCE;
use crate::analyse::{choose, compared, cursor, number, part, recorded};
use crate::analyse_keyboard::strike;
use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recorded::RecordedRace;
use crate::recording_links::{address, serving, until};
use crate::replay::press;

/// The page with lap 2 of a recording compared with lap 3.
async fn opened(recorded: &RecordedRace, window: Window) -> (Program, Chromium) {
    let chromium = Chromium::open(window).await;
    (opened_in(&chromium, recorded).await, chromium)
}

/// The same in a browser with a touch screen.
async fn opened_by_touch(recorded: &RecordedRace, window: Window) -> (Program, Chromium) {
    let chromium = Chromium::open(window).await;
    chromium.add_touch_screen().await;
    (opened_in(&chromium, recorded).await, chromium)
}

async fn opened_in(chromium: &Chromium, recorded: &RecordedRace) -> Program {
    let program = serving(recorded);
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(chromium, 2, 3).await;
    // Hit testing needs the lanes to have been painted once.
    chromium.settled().await;
    program
}

/// Window coordinates of a fraction of the axis, `below` pixels under the lanes' upper edge.
async fn seen_at(chromium: &Chromium, share: f64, below: f64) -> (f64, f64) {
    const BOX: &str = "const box = document.querySelector('#lanes').getBoundingClientRect();
        return [box.left + (box.width < 480 ? 118 : 158), box.right - 14, box.top]";
    let place: Vec<f64> = serde_json::from_value(chromium.ask(BOX).await).expect("numbers");
    (place[0] + share * (place[1] - place[0]), place[2] + below)
}

/// Drags with the left mouse button along points of the window.
async fn drag(chromium: &Chromium, places: &[(f64, f64)]) {
    let event = |what: &str, (x, y): (f64, f64)| {
        let held = if what == "mouseReleased" { 0 } else { 1 };
        json!({ "type": what, "x": x, "y": y, "button": "left", "buttons": held, "clickCount": 1 })
    };
    let (first, last) = (places[0], places[places.len() - 1]);
    chromium.devtools("Input.dispatchMouseEvent", event("mousePressed", first)).await;
    for place in places {
        chromium.devtools("Input.dispatchMouseEvent", event("mouseMoved", *place)).await;
    }
    chromium.devtools("Input.dispatchMouseEvent", event("mouseReleased", last)).await;
    chromium.settled().await;
}

/// Drags one finger along points of the window.
async fn stroke(chromium: &Chromium, places: &[(f64, f64)]) {
    let event = |what: &str, (x, y): (f64, f64)| json!({ "type": what, "touchPoints": [{ "x": x, "y": y }] });
    chromium.devtools("Input.dispatchTouchEvent", event("touchStart", places[0])).await;
    for place in places {
        chromium.devtools("Input.dispatchTouchEvent", event("touchMove", *place)).await;
    }
    chromium.devtools("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] })).await;
    chromium.settled().await;
}

/// The two measuring cursors, metres from the line.
async fn measured(chromium: &Chromium) -> [f64; 2] {
    let text = chromium.text("#measured [data-figure=places]").await;
    let places = text.trim_end_matches(" m").split_once(" to ");
    let (from, to) = places.unwrap_or_else(|| panic!("{text:?}"));
    [from, to].map(|metres| metres.parse().expect("metres"))
}

/// A channel's figure between the measuring cursors.
async fn value_shown(chromium: &Chromium, slot: &str, of: &str, name: &str) -> f64 {
    number(chromium, &format!("#measured tr[data-slot={slot}][data-of={of}] [data-figure={name}]")).await
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn what_lies_between_two_cursors_is_what_the_command_line_says() {
    let recorded = recorded("measured");
    let (program, chromium) = opened(&recorded, Window::ALL[0]).await;
    assert_eq!(chromium.ask("return document.querySelector('#measured').childElementCount").await, 0);
    press(&chromium, "]").await;
    until(&chromium, "document.querySelector('#foot [data-figure=corner]').innerText.startsWith('T1')").await;
    press(&chromium, "i").await;
    for _ in 0..2 {
        press(&chromium, "]").await;
    }
    press(&chromium, "o").await;
    until(&chromium, "document.querySelector('#measured tr')").await;

    // The page and the command line agree about the same range.
    let places = address(&chromium).await;
    let place = |key: &str| {
        let (_, rest) = places.split_once(&format!("&{key}=")).expect("a place");
        rest.split('&').next().expect("a number").to_owned()
    };
    let between = format!("{}..{}", place("in"), place("out"));
    let figures = compared(&recorded.file, 2, 3, &["--between", &between])["between"].clone();
    let figure = |pointer: &str| figures.pointer(pointer).and_then(Value::as_f64).expect("a number");
    let lost = number(&chromium, "#measured [data-figure=area-lost]").await;
    assert!((lost - figure("/lost_s")).abs() <= 0.001, "{lost} {figures}");
    let seconds = chromium.text("#measured [data-figure=seconds]").await;
    let seconds: f64 = seconds.trim_end_matches(" s").parse().expect("seconds");
    assert!((seconds - figure("/seconds/0")).abs() <= 0.001, "{seconds} {figures}");
    // Values are rounded as shown, each in its unit: km/h, per cent, revolutions.
    let shown = [("speed", 3.6, 0.5), ("throttle", 100.0, 0.5), ("brake", 100.0, 0.5), ("rpm", 1.0, 0.5)];
    for (slot, scale, within) in shown {
        for of in ["lap", "reference"] {
            for (name, key) in
                [("first", "first"), ("last", "last"), ("min", "low"), ("max", "high"), ("mean", "mean")]
            {
                let (page, line) = (
                    value_shown(&chromium, slot, of, name).await,
                    figure(&format!("/channels/{slot}/{of}/{key}")),
                );
                assert!((page - line * scale).abs() <= within + 1e-3, "{slot} {of} {name}: {page}, {line}");
            }
        }
        let apart = figure(&format!("/channels/{slot}/lap/mean"))
            - figure(&format!("/channels/{slot}/reference/mean"));
        assert!(
            (value_shown(&chromium, slot, "apart", "mean").await - apart * scale).abs() <= within + 1e-3,
            "{slot}"
        );
    }

    // The button zooms to the measured range, and a link restores it.
    chromium.ask("document.querySelector('[data-testid=zoom-measured]').click()").await;
    let (from, to) = part(&chromium).await.expect("a part");
    let [begins, ends] = measured(&chromium).await;
    assert!((from - begins).abs() <= 0.1 && (to - ends).abs() <= 0.1, "{from} {to}");
    press(&chromium, "0").await;
    for window in [Window::ALL[0], Window::ALL[3], Window { width: 390, height: 844, theme: "dark" }] {
        chromium.look(window).await;
        chromium.ask("document.querySelector('#measured').scrollIntoView()").await;
        chromium.picture(&format!("measured-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    let seen = address(&chromium).await;
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(&format!("{}/{seen}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('#measured tr')").await;
    assert_eq!((address(&chromium).await, measured(&chromium).await), (seen, [begins, ends]));

    // The same key at the same place removes one cursor, and Escape both.
    press(&chromium, "o").await;
    until(&chromium, "!document.querySelector('#measured').childElementCount").await;
    press(&chromium, "o").await;
    until(&chromium, "document.querySelector('#measured').childElementCount").await;
    strike(&chromium, "escape").await;
    until(&chromium, "!document.querySelector('#measured').childElementCount").await;
    assert!(!address(&chromium).await.contains("&in="));
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn measuring_cursors_are_dragged_by_mouse_and_by_finger() {
    let recorded = recorded("dragged");
    let (_program, chromium) = opened_by_touch(&recorded, Window::ALL[2]).await;
    press(&chromium, "End").await;
    let whole = cursor(&chromium).await;
    press(&chromium, "o").await;
    press(&chromium, "Home").await;
    press(&chromium, "i").await;
    until(&chromium, "document.querySelector('#measured tr')").await;
    assert!((measured(&chromium).await[1] - whole).abs() < 0.2);

    // The mouse grabs a cursor anywhere along its line, and moves nothing else.
    let (from, to) = (seen_at(&chromium, 1.0, 300.0).await, seen_at(&chromium, 0.75, 320.0).await);
    drag(&chromium, &[from, (from.0 - 40.0, from.1), to]).await;
    let [begins, ends] = measured(&chromium).await;
    assert!((ends / whole - 0.75).abs() < 0.005 && begins == 0.0, "{begins} {ends} of {whole}");
    assert_eq!(part(&chromium).await, None, "nothing was zoomed");
    assert!(address(&chromium).await.contains("&out="));

    // A finger grabs it near its upper end, within the width of a finger.
    let at = seen_at(&chromium, 0.0, 30.0).await;
    let to = seen_at(&chromium, 0.5, 60.0).await;
    stroke(&chromium, &[(at.0 + 18.0, at.1), (at.0 + 60.0, at.1), to]).await;
    let [begins, _] = measured(&chromium).await;
    assert!((begins / whole - 0.5).abs() < 0.005, "{begins} of {whole}");
    // Below that, a finger moves the cursor.
    let (at, to) = (seen_at(&chromium, 0.5, 300.0).await, seen_at(&chromium, 0.25, 300.0).await);
    stroke(&chromium, &[at, to]).await;
    assert_eq!(measured(&chromium).await[0], begins);
    assert!((cursor(&chromium).await / whole - 0.25).abs() < 0.005);
    chromium.check_clean().await;
    chromium.close().await;
}

/// The lanes that the address names, with their heights in per cent; empty for the default lanes.
async fn lanes(chromium: &Chromium) -> Vec<(String, u32)> {
    let address = address(chromium).await;
    let Some((_, rest)) = address.split_once("&lanes=") else { return Vec::new() };
    let lane = |text: &str| match text.split_once('~') {
        Some((id, percent)) => (id.to_owned(), percent.parse().expect("per cent")),
        None => (text.to_owned(), 100),
    };
    rest.split('&').next().expect("lanes").split(',').map(lane).collect()
}

fn height(lanes: &[(String, u32)], id: &str) -> u32 {
    lanes.iter().find(|(lane, _)| lane == id).unwrap_or_else(|| panic!("{id}: {lanes:?}")).1
}

/// The y position of the border below the speed lane, in CSS pixels below the lanes' upper edge, with default heights:
/// delta has 1 and speed 1.75 of 8.75 in all, between the titles above and the axis below. Waits until the mouse
/// pointer shows that the border has been painted there.
async fn border(chromium: &Chromium) -> f64 {
    let began = std::time::Instant::now();
    loop {
        let high = chromium.ask("return document.querySelector('#lanes').clientHeight").await;
        let y = 18.0 + (high.as_f64().expect("pixels") - 22.0 - 18.0) * 2.75 / 8.75;
        let (x, y_seen) = seen_at(chromium, 0.0, y).await;
        let moved = json!({ "type": "mouseMoved", "x": x - 60.0, "y": y_seen });
        chromium.devtools("Input.dispatchMouseEvent", moved).await;
        if chromium.ask("return document.querySelector('#lanes').dataset.grip").await == "row" {
            return y;
        }
        assert!(began.elapsed() < PATIENCE, "no border at {y}");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn lanes_are_made_higher_by_their_borders_and_a_link_keeps_that() {
    let recorded = recorded("borders");
    let (program, chromium) = opened_by_touch(&recorded, Window::ALL[0]).await;
    assert_eq!(lanes(&chromium).await, []);
    let y = border(&chromium).await;
    let (left, top) = seen_at(&chromium, 0.0, 0.0).await;
    let place = |below: f64| (left - 60.0, top + below);

    // The mouse grabs the border itself.
    drag(&chromium, &[place(y), place(y + 20.0), place(y + 50.0)]).await;
    let seen = lanes(&chromium).await;
    let (speed, pedals) = (height(&seen, "speed"), height(&seen, "pedals"));
    assert!(speed > 125 && pedals < 75, "{seen:?}");
    // The sum of both heights is unchanged.
    let together = 1.75 * f64::from(speed) + 1.4 * f64::from(pedals);
    assert!((together - 315.0).abs() < 3.0, "{seen:?}");
    // No lane shrinks to nothing.
    drag(&chromium, &[place(y + 50.0), place(y + 500.0)]).await;
    assert!(height(&lanes(&chromium).await, "pedals") >= 30, "{:?}", lanes(&chromium).await);
    chromium.picture("borders").await;

    // A link restores the heights, and the browser remembers them.
    let seen = address(&chromium).await;
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(&format!("{}/{seen}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    assert_eq!(address(&chromium).await, seen);

    // Back to the default lanes, then with a finger, within a finger's width of the border.
    press(&chromium, "v").await;
    chromium.ask("document.querySelector('[data-testid=reset-lanes]').click()").await;
    strike(&chromium, "escape").await;
    until(&chromium, "!location.hash.includes('lanes=')").await;
    let y = border(&chromium).await;
    stroke(&chromium, &[place(y + 15.0), place(y - 10.0), place(y - 30.0)]).await;
    let seen = lanes(&chromium).await;
    assert!(height(&seen, "speed") < 95 && height(&seen, "pedals") > 105, "{seen:?}");

    // A double click resets both lanes.
    chromium.settled().await;
    for count in [1, 2] {
        for (what, held) in [("mousePressed", 1), ("mouseReleased", 0)] {
            let (x, y) = place(y - 30.0);
            let event = json!({ "type": what, "x": x, "y": y, "button": "left", "buttons": held, "clickCount": count });
            chromium.devtools("Input.dispatchMouseEvent", event).await;
        }
    }
    until(&chromium, "!location.hash.includes('lanes=')").await;
    chromium.check_clean().await;
    chromium.close().await;
}

/// The channels that the dialog lists for a search, shown in a lane or not.
async fn listed(chromium: &Chromium, looked_for: &str) -> Vec<String> {
    let look = format!(
        "const field = document.querySelector('#command'); field.value = '{looked_for}';
         field.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    );
    chromium.ask(&look).await;
    chromium.settled().await;
    const LISTED: &str = "return [...document.querySelectorAll('#found [data-testid=lane]')].map(lane => lane.closest('[data-lane]').dataset.lane)";
    serde_json::from_value(chromium.ask(LISTED).await).expect("names")
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn channels_are_found_by_what_drivers_call_them_and_kept_as_layouts() {
    let recorded = recorded("layouts");
    let (program, chromium) = opened(&recorded, Window::ALL[0]).await;
    press(&chromium, "v").await;
    until(&chromium, "document.querySelector('#found [data-testid=lane]')").await;
    // F1 2018 sends no surface and no handbrake.
    let groups = [
        ("tyres", "tyre_pressure_fl"),
        ("suspension", "suspension_position_rr"),
        ("slip", "wheel_slip_fl"),
        ("ers", "ers_store"),
        ("fuel", "fuel"),
        ("damage", "damage_front_left_wing"),
        ("clutch", "clutch"),
        ("temp brake", "brake_temperature_fl"),
    ];
    let all = listed(&chromium, "").await.len();
    for (words, id) in groups {
        let found = listed(&chromium, words).await;
        assert!(found.iter().any(|found| found == id) && found.len() < all / 2, "{words}: {found:?}");
    }
    assert_eq!(listed(&chromium, "handbrake").await, Vec::<String>::new());
    let words = chromium.text("#found").await;
    assert!(words.contains("Handbrake") && words.contains("Not sent by this game"), "{words}");
    assert_eq!(listed(&chromium, "xyzzy").await, Vec::<String>::new());
    chromium.until("[role=dialog] [role=status]", |words| words == "No channel found.").await;

    // Buttons show a lane, move it up and make it higher, and keep the keyboard focus.
    let click = async |selector: &str| {
        chromium
            .ask(&format!("const it = document.querySelector(\"{selector}\"); it.focus(); it.click()"))
            .await;
    };
    assert!(listed(&chromium, "ers store").await.contains(&"ers_store".to_owned()));
    click("[data-lane=ers_store] [data-testid=lane]").await;
    for _ in 0..3 {
        click("[data-lane=ers_store] [data-testid=lane-up]").await;
    }
    click("[data-lane=ers_store] [data-testid=lane-higher]").await;
    let focused = chromium.ask("return document.activeElement.ariaLabel").await;
    assert!(focused.as_str().is_some_and(|name| name.ends_with(" higher")), "{focused}");
    let own = lanes(&chromium).await;
    let at = own.iter().position(|(id, _)| id == "ers_store").expect("the lane");
    assert_eq!((at, own[at].1, own.len()), (5, 125, 9), "{own:?}");
    for window in [Window::ALL[0], Window { width: 390, height: 844, theme: "light" }] {
        chromium.look(window).await;
        listed(&chromium, "").await;
        chromium.picture(&format!("channels-{}", window.width)).await;
        chromium.check_clean().await;
    }
    chromium.look(Window::ALL[0]).await;
    strike(&chromium, "escape").await;

    // Layout 2 is saved with the axis; it is recalled after the lanes and axis have changed.
    strike(&chromium, "x").await;
    strike(&chromium, "shift+2").await;
    chromium.until("#said", |words| words == "Layout 2 saved").await;
    chromium.picture("layout-saved").await;
    strike(&chromium, "x").await;
    strike(&chromium, "v").await;
    click("[data-testid=reset-lanes]").await;
    click("[data-layout='2'] input").await;
    chromium
        .ask(
            "const name = document.querySelector(\"[data-layout='2'] input\"); name.value = 'Energy';
        name.dispatchEvent(new Event('input', { bubbles: true }))",
        )
        .await;
    strike(&chromium, "escape").await;
    until(&chromium, "!location.hash.includes('lanes=') && !location.hash.includes('axis=')").await;
    // On the next visit the browser still has it.
    chromium.client.goto("about:blank").await.expect("nothing");
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    strike(&chromium, "2").await;
    chromium.until("#said", |words| words == "Energy").await;
    assert_eq!(lanes(&chromium).await, own);
    assert!(address(&chromium).await.contains("axis=time"));
    strike(&chromium, "4").await;
    chromium.until("#said", |words| words.starts_with("There is no layout 4")).await;
    strike(&chromium, "v").await;
    click("[data-layout='2'] [data-testid=delete-layout]").await;
    until(&chromium, "!document.querySelector('[data-layout]')").await;
    chromium.check_clean().await;
    chromium.close().await;
}
