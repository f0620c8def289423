//! Every key of the Analyse page, as its key sheet lists it, pressed as on a keyboard.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::PATIENCE;
use crate::analyse::{choose, recorded};
use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recorded::RecordedRace;
use crate::recording_links::{serving, until};

/// How one action of the key sheet is tested.
struct KeyTrial {
    /// The action's id in the table of actions.
    action: &'static str,
    /// All its keys, as in the table.
    keys: &'static [&'static str],
    /// Keys pressed first, so that the action has something to do.
    before: &'static [&'static str],
    /// A JavaScript condition on the page's state before (`was`) and after (`now`). It must be false before and true
    /// after.
    gives: &'static str,
}

/// The trials. Every action that has a key has a row; a new action needs a new row. Each trial begins with lap 2 compared
/// with lap 3, the whole lap shown over distance, and the cursor at the start.
const TRIED: [&[KeyTrial]; 3] = [THROUGH_THE_LAP, WHAT_IS_SHOWN, LAPS_AND_NOTES];

/// Moving and measuring along the lap.
const THROUGH_THE_LAP: &[KeyTrial] = &[
    tried("cursor-back", &["arrowleft"], &["end"], "now.cursor < was.cursor"),
    tried("cursor-forward", &["arrowright"], &[], "now.cursor > was.cursor"),
    tried("sample-back", &[","], &["end"], "now.cursor < was.cursor && now.cursor > was.cursor - 5"),
    tried("sample-forward", &["."], &[], "now.cursor > was.cursor && now.cursor < was.cursor + 5"),
    tried("start", &["home"], &["end"], "now.cursor == 0"),
    tried("end", &["end"], &[], "now.cursor > 1000"),
    tried("corner-back", &["["], &["]", "]"], "was.corner.startsWith('T2') && now.corner.startsWith('T1')"),
    tried("corner-forward", &["]"], &[], "now.corner.startsWith('T1') && now.from"),
    tried("zoom-in", &["+", "=", "w"], &[], "now.to && now.to < 0.7 * now.whole && now.fit == 'true'"),
    tried("zoom-out", &["-", "s"], &["]"], "now.to - now.from > 1.4 * (was.to - was.from)"),
    tried("pan-left", &["a"], &["]"], "now.from < was.from - 10 && now.to < was.to - 10"),
    tried("pan-right", &["d"], &["]"], "now.from > was.from + 10 && now.to > was.to + 10"),
    tried("corner-here", &["c"], &["]", "0"], "now.from && now.corner.startsWith('T1')"),
    tried("all", &["0", "z", "l"], &["]"], "was.from && !now.from"),
    tried("undo", &["ctrl+z"], &["]"], "was.from && !now.from"),
    tried("measure-in", &["i"], &["end"], "now.in > 1000"),
    tried("measure-out", &["o"], &["end"], "now.out > 1000"),
    tried("clear-measure", &["escape"], &["i", "end", "o"], "was.measured && !now.measured && !now.in"),
];

/// Layouts, panels and dialogs.
const WHAT_IS_SHOWN: &[KeyTrial] = &[
    tried("fit-lanes", &["y"], &["+"], "was.fit == 'true' && now.fit == 'false'"),
    tried("axis", &["x"], &[], "now.axis == 'time' && !was.axis"),
    tried("channels", &["v"], &[], "now.dialog == 'Channels'"),
    tried("save-layout", SHIFTED, &[], "now.kept == was.kept + 1 && now.said == `Layout ${now.kept} saved`"),
    tried("recall-layout", DIGITS, &[], "now.said != was.said && now.said.match(/^Layout .$/)"),
    tried("gg", &["g"], &[], "now.panel == 'gg' && !was.panel"),
    tried("colour", &["t"], &[], "now.colour == 'cause' && !was.colour"),
    tried("open-recording", &["ctrl+o"], &[], "now.asked == was.asked + 1"),
    tried("keys", &["?"], &[], "now.dialog == 'Keys'"),
    tried("palette", &["ctrl+k"], &[], "now.dialog == 'Commands'"),
];

/// Playback, the choice of laps, and notes.
const LAPS_AND_NOTES: &[KeyTrial] = &[
    tried("play", &[" "], &[], "now.plays && !was.plays"),
    tried("faster", &[">"], &[], "now.speed > was.speed"),
    tried("slower", &["<"], &[], "now.speed < was.speed"),
    // Lap 3 is the reference, which is skipped.
    tried("next-lap", &["n"], &["p"], "now.main == was.main + 1"),
    tried("previous-lap", &["p"], &[], "now.main == was.main - 1"),
    tried("fastest", &["f"], &[], "now.main == now.best && was.main != was.best"),
    tried("refer", &["r"], &[], "now.reference == was.main"),
    tried("note", &["m"], &["]"], "now.dialog == 'Note'"),
    tried("next-note", &["j"], &[], "now.note == was.note + 1 && now.from && now.cursor > 0"),
    tried("previous-note", &["k"], &["j", "0"], "now.note == was.note - 1 && now.from"),
    tried("exclude", &["e"], &[], "now.excluded && !was.excluded"),
];

/// No layout is saved when the test begins; afterwards every number has one.
const SHIFTED: &[&str] =
    &["shift+1", "shift+2", "shift+3", "shift+4", "shift+5", "shift+6", "shift+7", "shift+8", "shift+9"];
const DIGITS: &[&str] = &["1", "2", "3", "4", "5", "6", "7", "8", "9"];

const fn tried(
    action: &'static str,
    keys: &'static [&'static str],
    before: &'static [&'static str],
    gives: &'static str,
) -> KeyTrial {
    KeyTrial { action, keys, before, gives }
}

/// Returns everything on the page that keys change.
const SAYS: &str = "
    const one = selector => document.querySelector(selector), text = selector => one(selector)?.innerText ?? '';
    const query = new URLSearchParams(location.hash.split('?')[1]);
    const number = name => query.has(name) ? Number(query.get(name)) : undefined;
    const lap = role => Number(one(`#lap-list tr.${role}`)?.dataset.lap);
    const laps = [...document.querySelectorAll('#lap-list [data-lap]')];
    const best = laps.reduce((one, other) => Number(other.dataset.time) < Number(one.dataset.time) ? other : one);
    return {
        from: number('from'), to: number('to'), in: number('in'), out: number('out'),
        axis: query.get('axis') ?? undefined, lanes: query.get('lanes') ?? undefined, panel: query.get('panel') ?? undefined,
        colour: query.get('colour') ?? undefined, fit: one('.centre .fit')?.ariaPressed ?? undefined,
        cursor: parseFloat(text('#foot [data-figure=cursor]')), corner: text('#foot [data-figure=corner]'), whole: WHOLE,
        main: lap('main'), reference: lap('reference'), best: Number(best.dataset.lap),
        plays: text('[data-testid=play]').includes('Pause'), speed: parseFloat(text('#play [data-figure=speed]')),
        excluded: laps.some(lap => 'out' in lap.dataset) || undefined, measured: one('#measured').childElementCount > 0,
        said: one('#said')?.textContent ?? '',
        note: [...document.querySelectorAll('#notes li')].findIndex(note => note.matches('[aria-current]')),
        kept: (localStorage.getItem('trailbrake-layouts') ?? '').split('\\n').filter(line => line).length,
        asked: window.asked ?? 0,
        dialog: one('[role=dialog]')?.getAttribute('aria-label') ?? undefined,
    };";

/// Presses a key of the table, with its modifiers, as a keyboard does.
pub(crate) async fn strike(chromium: &Chromium, key: &str) {
    let (held, plain) = key.split_once('+').filter(|(_, rest)| !rest.is_empty()).unwrap_or(("", key));
    let digit = plain.chars().next().filter(|_| plain.len() == 1).and_then(|key| key.to_digit(10));
    let (name, code) = match (plain, digit) {
        ("arrowleft", _) => ("ArrowLeft", String::new()),
        ("arrowright", _) => ("ArrowRight", String::new()),
        ("home", _) => ("Home", String::new()),
        ("end", _) => ("End", String::new()),
        ("escape", _) => ("Escape", String::new()),
        // With Shift, the character of a digit key depends on the keyboard's layout.
        (_, Some(digit)) if held == "shift" => ("§", format!("Digit{digit}")),
        (other, Some(digit)) => (other, format!("Digit{digit}")),
        (other, None) => (other, String::new()),
    };
    let shifted = held == "shift" || matches!(name, "+" | "?" | "<" | ">");
    let modifiers = if held == "ctrl" { 2 } else { 0 } + if shifted { 8 } else { 0 };
    for what in ["rawKeyDown", "keyUp"] {
        let event = json!({ "type": what, "key": name, "code": code, "modifiers": modifiers });
        chromium.devtools("Input.dispatchKeyEvent", event).await;
    }
    // Nobody presses keys so fast that the address can't keep up.
    chromium.settled().await;
}

/// The page's state now.
async fn says(chromium: &Chromium, whole: f64) -> Value {
    chromium.ask(&SAYS.replace("WHOLE", &whole.to_string())).await
}

/// Evaluates a condition on the states before and after.
async fn holds(chromium: &Chromium, gives: &str, was: &Value, now: &Value) -> bool {
    let question = format!("const [was, now] = arguments; return Boolean({gives})");
    let answer = chromium.client.execute(&question, vec![was.clone(), now.clone()]).await;
    answer.unwrap_or_else(|error| panic!("{gives}: {error}")) == Value::Bool(true)
}

/// Resets the page to the state in which each trial begins.
async fn calm(chromium: &Chromium, whole: f64) -> Value {
    let says_now = says(chromium, whole).await;
    let undone = [
        (!says_now["dialog"].is_null(), "escape"),
        (says_now["plays"] == true, " "),
        (says_now["axis"] == "time", "x"),
        (says_now["excluded"] == true, "e"),
    ];
    for (_, key) in undone.into_iter().filter(|(there, _)| *there) {
        strike(chromium, key).await;
    }
    for key in ["escape", "0", "home"] {
        strike(chromium, key).await;
    }
    if says_now["main"] != 2 || says_now["reference"] != 3 {
        choose(chromium, 2, 3).await;
    }
    until(chromium, "!document.querySelector('[role=dialog]')").await;
    says(chromium, whole).await
}

/// A recorded session with two notes on lap 2, which is compared with lap 3.
async fn opened(recorded: &RecordedRace) -> (Program, Chromium) {
    let program = serving(recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&program.url).await.expect("the page");
    let lap = recorded.laps.iter().find(|row| row.lap.number == 2).expect("the lap");
    for (seconds, distance_m) in [(20.0, 900.0), (40.0, 1800.0)] {
        let at = lap.from.plus_seconds(seconds);
        let note =
            json!({ "at": at, "author": "Ann", "text": "late", "car": lap.car, "distance_m": distance_m });
        let write = "const asked = new XMLHttpRequest(); asked.open('POST', arguments[0], false); asked.setRequestHeader('x-trailbrake', 'page'); asked.send(arguments[1]); return asked.status";
        let path = json!(format!("/library/{}/notes", recorded.id));
        let status = chromium.client.execute(write, vec![path, json!(note.to_string())]).await;
        assert_eq!(status.expect("an answer"), 200);
    }
    chromium.client.goto(&link).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    (program, chromium)
}

/// The lap's length, metres.
async fn whole_lap(chromium: &Chromium) -> f64 {
    calm(chromium, 0.0).await;
    strike(chromium, "end").await;
    says(chromium, 0.0).await["cursor"].as_f64().expect("the lap's length")
}

/// Presses every key of some trials.
async fn press_all(recorded: &RecordedRace, trials: &[KeyTrial]) {
    let (_program, chromium) = opened(recorded).await;
    // The browser's file dialog would stay open, so it is only counted.
    const ASKED: &str = "document.addEventListener('click', event => {
        if (event.target.type === 'file') { event.preventDefault(); window.asked = (window.asked ?? 0) + 1 }
    }, true)";
    chromium.ask(ASKED).await;
    let whole = whole_lap(&chromium).await;
    for KeyTrial { action, keys, before, gives } in trials {
        for key in *keys {
            calm(&chromium, whole).await;
            for key in *before {
                strike(&chromium, key).await;
            }
            let was = says(&chromium, whole).await;
            assert!(!holds(&chromium, gives, &was, &was).await, "{action} {key}: holds before: {was}");
            strike(&chromium, key).await;
            let began = Instant::now();
            loop {
                let now = says(&chromium, whole).await;
                if holds(&chromium, gives, &was, &now).await {
                    break;
                }
                assert!(began.elapsed() < PATIENCE, "{action} {key}: {gives}: {was} {now}");
                tokio::time::sleep(Duration::from_millis(30)).await;
            }
        }
    }
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_key_sheet_lists_the_actions_that_are_tried() {
    let recorded = recorded("key-sheet");
    let (_program, chromium) = opened(&recorded).await;
    strike(&chromium, "?").await;
    until(&chromium, "document.querySelector('.sheet-of-keys')").await;
    const LISTED: &str = "return [...document.querySelectorAll('.sheet-of-keys [data-key]')]
        .map(key => [key.closest('[data-testid]').dataset.testid, key.dataset.key])";
    let listed: Vec<(String, String)> = serde_json::from_value(chromium.ask(LISTED).await).expect("pairs");
    let listed: BTreeSet<(String, String)> = listed.into_iter().collect();
    let pairs = TRIED
        .into_iter()
        .flatten()
        .flat_map(|tried| tried.keys.iter().map(|key| (tried.action.to_owned(), (*key).to_owned())));
    let tried: BTreeSet<(String, String)> = pairs.collect();
    let missing: Vec<_> = listed.difference(&tried).collect();
    assert!(missing.is_empty(), "no row tries {missing:?}");
    let gone: Vec<_> = tried.difference(&listed).collect();
    assert!(gone.is_empty(), "the sheet does not list {gone:?}");
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn keys_move_through_the_lap_and_measure_it() {
    press_all(&recorded("keys-through-the-lap"), THROUGH_THE_LAP).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn keys_change_what_is_shown() {
    press_all(&recorded("keys-what-is-shown"), WHAT_IS_SHOWN).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn keys_play_choose_laps_and_go_to_notes() {
    press_all(&recorded("keys-laps-and-notes"), LAPS_AND_NOTES).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn with_shift_an_arrow_moves_the_cursor_ten_times_as_far() {
    let recorded = recorded("shift-and-arrow");
    let (_program, chromium) = opened(&recorded).await;
    let whole = whole_lap(&chromium).await;
    let start = calm(&chromium, whole).await["cursor"].as_f64().expect("metres");
    strike(&chromium, "arrowright").await;
    let step = says(&chromium, whole).await["cursor"].as_f64().expect("metres") - start;
    strike(&chromium, "shift+arrowright").await;
    let far = says(&chromium, whole).await["cursor"].as_f64().expect("metres") - start - step;
    assert!((far / step - 10.0).abs() < 0.1, "{step} {far}");
    chromium.check_clean().await;
    chromium.close().await;
}
