//! The sheet of channels: which lanes are shown, in which order, how high; and the layouts that are kept.

use super::actions::Hands;
use super::lanes::not_sent;
use crate::analyse::{Analyse, Choice, Sheet, Shown, State, choices};
use crate::dom::{Part, button, fill_id, part};

/// One press makes a lane so many per cent of its usual height higher or lower.
const STEP: i16 = 25;
/// What people look for under other words than a channel's name has: the words, and of which ids a part is enough.
const GROUPS: &[(&str, &[&str])] = &[
    ("tyres wheels", &["tyre_", "camber", "slip_angle", "combined_slip"]),
    ("suspension dampers", &["suspension", "height"]),
    ("ers hybrid battery", &["ers_", "energy"]),
    ("turbo", &["boost"]),
    ("engine", &["rpm", "oil_", "water_", "boost"]),
    ("aids", &["abs", "traction", "tcs", "asm", "stability"]),
    ("weather", &["rain", "temperature_of", "air_", "track_t"]),
];

/// Everything that a channel can be found by.
fn found_by(choice: &Choice) -> String {
    let mut words = [choice.name.as_str(), " ", &choice.id].concat();
    for (group, ids) in GROUPS {
        if ids.iter().any(|id| choice.id.contains(id)) {
            words.push(' ');
            words.push_str(group);
        }
    }
    words
}

/// The channels of which something is wanted: those that are shown first, in their order.
pub(super) fn list(state: &State, shown: &Shown, wanted: &dyn Fn(&str) -> bool) -> Vec<Part> {
    let choices = choices(shown, &state.lanes).into_iter().filter(|choice| wanted(&found_by(choice)));
    let unsent = not_sent(state.drives_own());
    let rows: Vec<Part> = choices.map(|choice| row(&choice, unsent)).collect();
    match rows.is_empty() {
        true => vec![part("p", "missing").says("No channel of any game is called that.")],
        false => rows,
    }
}

/// A lane that can be shown, or why it can't.
fn row(choice: &Choice, unsent: &str) -> Part {
    let Choice { id, name, percent, sent } = choice;
    if !sent && percent.is_none() {
        let why = part("span", "soft").says(unsent);
        return part("div", "command unsent").set("data-lane", id).says(name).with(why);
    }
    let pressed = if percent.is_some() { "true" } else { "false" };
    let toggle = button(name, "command", "lane").set("data-of", id).set("aria-pressed", pressed);
    let Some(percent) = percent else { return toggle };
    let tool = |action: &'static str, sign: &str, says: &str| {
        button(sign, "quiet", action)
            .set("id", &[action, "-", id].concat())
            .set("data-of", id)
            .set("aria-label", &[name, " ", says].concat())
    };
    part("div", "lane-row")
        .set("data-lane", id)
        .with(toggle)
        .with(tool("lane-lower", "−", "lower"))
        .with(part("span", "soft").says(&[&percent.to_string(), " %"].concat()))
        .with(tool("lane-higher", "+", "higher"))
        .with(tool("lane-up", "↑", "further up"))
        .with(tool("lane-down", "↓", "further down"))
}

/// Lists the layouts that are kept, and says how another is.
pub(super) fn draw_layouts(state: &State) {
    let mut parts: Vec<Part> = Vec::new();
    for layout in &state.layouts {
        let number = layout.number.to_string();
        let name = part("input", "")
            .set("type", "text")
            .set("maxlength", "40")
            .set("value", &layout.name)
            .set("aria-label", &["Name of layout ", &number].concat())
            .set("data-action", "name-layout")
            .set("data-of", &number);
        parts.push(
            part("div", "lane-row")
                .set("data-layout", &number)
                .with(part("kbd", "").says(&number))
                .with(name)
                .with(button("Show", "quiet", "show-layout").set("data-of", &number))
                .with(button("Delete", "quiet", "forget-layout").set("data-of", &number)),
        );
    }
    let free = (1..=9_u8).find(|number| state.layouts.iter().all(|layout| layout.number != *number));
    if let Some(free) = free {
        let number = free.to_string();
        let words = ["Save these lanes as layout ", &number].concat();
        parts.push(button(&words, "quiet", "save-layout-as").set("data-of", &number));
    }
    fill_id("layouts", parts);
}

/// Does what a press in the sheet means; whether it means anything here.
pub(super) fn pressed(analyse: Analyse, action: &str, of: &str) -> bool {
    let number = of.parse().unwrap_or_default();
    match action {
        "lane" => analyse.toggle_lane(of),
        "lane-lower" => analyse.resize_lane(of, -STEP),
        "lane-higher" => analyse.resize_lane(of, STEP),
        "lane-up" => analyse.move_lane(of, -1),
        "lane-down" => analyse.move_lane(of, 1),
        "show-layout" => recall(analyse, number),
        "save-layout-as" => save(analyse, number),
        "forget-layout" => analyse.forget_layout(number),
        _ => return false,
    }
    true
}

/// Keeps what is shown under the digit that was pressed; without one the sheet asks which.
pub(super) fn save_by_digit(hands: &Hands) {
    match hands.digit {
        Some(digit) => save(hands.analyse, digit),
        None => hands.analyse.ask(Some(Sheet::Channels)),
    }
}

/// Shows what is kept under the digit that was pressed; without one the sheet asks which.
pub(super) fn recall_by_digit(hands: &Hands) {
    match hands.digit {
        Some(digit) => recall(hands.analyse, digit),
        None => hands.analyse.ask(Some(Sheet::Channels)),
    }
}

fn save(analyse: Analyse, number: u8) {
    analyse.save_layout(number);
    say(&format!("Layout {number} saved"));
}

fn recall(analyse: Analyse, number: u8) {
    match analyse.recall_layout(number) {
        Some(name) => say(&name),
        None => say(&format!("There is no layout {number}: Shift {number} saves one")),
    }
}

/// Says something for a moment.
pub(super) fn say(words: &str) {
    fill_id("said", vec![part("p", "").says(words)]);
}
