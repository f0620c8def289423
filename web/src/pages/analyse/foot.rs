//! The line at the bottom: where the cursor is, and what keys there are.

use trailbrake_shared::model::EventKind;
use trailbrake_shared::number;
use trailbrake_shared::session::LogKind;

use crate::analyse::{Analyse, Axis, Shown, State};
use crate::dom::{Part, button, fill_id, part};
use crate::pages::analyse::things::corner_name;

/// What happened within so many metres of the cursor is said.
const NEAR_M: f64 = 5.0;

/// Draws it.
pub(super) fn draw(analyse: &Analyse) {
    analyse.read(|state| fill_id("foot", parts(state)));
}

fn parts(state: &State) -> Vec<Part> {
    let Some(shown) = &state.shown else { return Vec::new() };
    let at = state.cursor_m();
    let place = at.map(|metres| format!("{} m", number::write(metres, 1))).unwrap_or_default();
    let corner = at.and_then(|metres| {
        let corners = shown.comparison().corners.iter();
        let corner = corners.clone().find(|corner| (corner.entry_m..=corner.exit_m).contains(&metres))?;
        let part = match metres {
            metres if metres < (corner.entry_m + corner.apex_m) / 2.0 => "entry",
            metres if metres <= (corner.exit_m + corner.apex_m) / 2.0 => "apex",
            _ => "exit",
        };
        Some(format!("{} · {part}", corner_name(shown, corner.number)))
    });
    let near = |(place_m, _): &(f64, &EventKind)| at.is_some_and(|at| (at - place_m).abs() < NEAR_M);
    let event =
        shown.events().into_iter().find(near).map(|(_, what)| LogKind::Game(what.clone()).to_string());
    let key = |keys: &[&str], words: &str| {
        let keys = keys.iter().map(|key| part("kbd", "").says(key)).collect();
        part("span", "hint").with_all(keys).says(words)
    };
    vec![
        part("span", "").set("data-figure", "cursor").says(&place),
        part("span", "").set("data-figure", "corner").says(&corner.unwrap_or_default()),
        part("span", "").set("data-figure", "event").says(&event.unwrap_or_default()),
        part("span", "").set("data-figure", "quality").says(&quality(shown)),
        part("span", "grow"),
        key(&["R"], "reference"),
        key(&["N", "P"], "lap"),
        key(&["[", "]"], "corner"),
        key(&["X"], "axis"),
    ]
}

/// What leads to everything else that can be done, for those without a keyboard too.
pub(super) fn more() -> Part {
    let more = |key: &str, words: &str, action: &str| {
        button("", "quiet", action).with(part("kbd", "").says(key)).says(words)
    };
    part("div", "more").with(more("Ctrl K", "commands", "palette")).with(more("?", "keys", "keys"))
}

/// How much of the main lap was heard, and what cut its time.
fn quality(shown: &Shown) -> String {
    let Some(heard) = &shown.heard else { return String::new() };
    let rate = number::write(heard.per_second, 0);
    let at = |place_m: f64| format!("at {} m", number::write(place_m, 0));
    let mut words = match shown.gaps(Axis::Distance).as_slice() {
        [] => format!("{rate} samples/s, none missing"),
        [(from_m, _)] => format!("{rate} samples/s, {} missing {}", heard.missing, at(*from_m)),
        gaps => format!("{rate} samples/s, {} missing in {} gaps", heard.missing, gaps.len()),
    };
    for (place_m, what) in shown.events() {
        if is_cut(what) {
            words.push_str(&format!(" · {} {}", LogKind::Game(what.clone()), at(place_m)));
        }
    }
    words
}

/// Whether something cuts a lap's time.
pub(super) const fn is_cut(what: &EventKind) -> bool {
    matches!(what, EventKind::Paused | EventKind::Rewound { .. })
}
