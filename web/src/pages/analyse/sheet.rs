//! What lies over the page for a moment: the palette of everything that can be done, and the sheet of keys.

use leptos::prelude::document;
use trailbrake_shared::library::folded;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, KeyboardEvent};

use super::actions::{ACTIONS, Action, Hands, named, printed};
use super::{channels, copy, names, notes, paper};
use crate::analyse::{Analyse, Sheet};
use crate::browser;
use crate::dom::{Part, button, fill_id, part};

/// The field in which a command is looked for.
const SEARCH: &str = "command";

/// An action with more keys has a row of them.
const MOST_KEYS: usize = 5;

/// Draws what lies over the page.
pub(super) fn draw(analyse: Analyse) {
    let sheet = analyse.read(|state| state.sheet);
    if sheet == Some(Sheet::Channels) && document().get_element_by_id(SEARCH).is_some() {
        // What is looked for stays, and the keyboard on what was pressed.
        let focused = document().active_element().map(|element| element.id());
        analyse.read(channels::draw_layouts);
        find(analyse);
        return focused.into_iter().for_each(|id| browser::focus(&id));
    }
    let field = |words: &str| {
        part("input", "")
            .set("id", SEARCH)
            .set("type", "search")
            .set("placeholder", words)
            .set("aria-label", words)
            .set("autocomplete", "off")
            .set("data-action", "search-sheet")
    };
    let found = || part("div", "found").set("id", "found");
    let parts = match sheet {
        None => Vec::new(),
        // A stray press beside it does not throw away what was written.
        Some(Sheet::Note) => vec![over("Note", analyse.read(notes::editor)).set("data-action", "")],
        Some(Sheet::Names) => {
            vec![over("Track and corners", analyse.read(names::editor)).set("data-action", "")]
        }
        Some(Sheet::Report) => vec![over("Report", analyse.read(paper::parts))],
        Some(Sheet::Copy) => vec![over("Copy", analyse.read(copy::parts))],
        Some(Sheet::Keys) => vec![over("Keys", vec![part("h2", "").says("Keys"), keys()])],
        Some(Sheet::Palette) => vec![over("Commands", vec![field("Find a command"), found()])],
        Some(Sheet::Channels) => {
            let usual = button("The usual ones", "quiet", "usual-lanes");
            let layouts =
                part("div", "layouts").set("id", "layouts").set("role", "group").set("aria-label", "Layouts");
            vec![over("Channels", vec![field("Find a channel"), found(), layouts, usual])]
        }
    };
    fill_id("sheet", parts);
    match sheet {
        Some(Sheet::Note) => notes::focus(),
        Some(Sheet::Names) => names::focus(),
        Some(Sheet::Palette | Sheet::Channels) => {
            analyse.read(channels::draw_layouts);
            find(analyse);
            browser::focus(SEARCH);
        }
        Some(Sheet::Keys | Sheet::Report | Sheet::Copy) => browser::focus("close-sheet"),
        None => {}
    }
}

/// Lists the commands or channels that hold what is looked for.
pub(super) fn find(analyse: Analyse) {
    let parts = analyse.read(|state| match (state.sheet, &state.shown) {
        (Some(Sheet::Channels), Some(shown)) => {
            let wanted = wanted();
            channels::list(state, shown, &|name| wanted.holds(name))
        }
        _ => {
            let command = |(action, first): (&Action, bool)| {
                let class = if first { "command first" } else { "command" };
                keyed(button(action.says, class, "command").set("data-of", action.name), action)
            };
            let commands: Vec<Part> = found().map(command).collect();
            match commands.is_empty() {
                true => vec![part("p", "missing").says("There is no command of that name.")],
                false => commands,
            }
        }
    });
    fill_id("found", parts);
}

/// Does what a key is for while something lies over the page; whether it is for anything.
pub(super) fn key(hands: &Hands, event: &KeyboardEvent) -> bool {
    let Some(sheet) = hands.analyse.read(|state| state.sheet) else { return false };
    match (event.key().as_str(), sheet) {
        ("Escape", _) => hands.analyse.ask(None),
        ("Enter", Sheet::Note) if !event.shift_key() && in_text(event) => notes::save(hands.analyse),
        ("Enter", Sheet::Names) if in_text(event) => {
            names::pressed(hands.cockpit, hands.analyse, "save-names");
        }
        ("Enter", Sheet::Palette) => {
            if let Some((action, _)) = found().next() {
                run(hands, action.name);
            }
        }
        _ => return false,
    }
    true
}

/// On a button Enter is the button's.
fn in_text(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_none_or(|element| element.tag_name() != "BUTTON")
}

/// Does what was chosen in the palette.
pub(super) fn run(hands: &Hands, name: &str) {
    hands.analyse.ask(None);
    browser::focus("main");
    named(name).into_iter().for_each(|action| (action.does)(hands));
}

/// What is looked for: words that a name holds in any order.
struct Looked(String);

impl Looked {
    fn holds(&self, name: &str) -> bool {
        let name = folded(name);
        // One and many are called alike.
        let one = |word: &str| {
            word.strip_suffix('s').filter(|one| one.len() > 3).is_some_and(|one| name.contains(one))
        };
        self.0.split_whitespace().all(|word| name.contains(word) || one(word))
    }
}

fn wanted() -> Looked {
    let field =
        document().get_element_by_id(SEARCH).and_then(|field| field.dyn_into::<HtmlInputElement>().ok());
    Looked(folded(&field.map(|field| field.value()).unwrap_or_default()))
}

/// The commands that hold what is looked for, the first of them marked.
fn found() -> impl Iterator<Item = (&'static Action, bool)> {
    let wanted = wanted();
    let mut first = true;
    let found = ACTIONS.iter().filter(move |action| wanted.holds(action.says));
    found.map(move |action| (action, std::mem::take(&mut first)))
}

fn over(label: &str, parts: Vec<Part>) -> Part {
    let close = button("Close", "quiet", "close-sheet").set("id", "close-sheet");
    let dialog =
        part("div", "dialog").set("role", "dialog").set("aria-modal", "true").set("aria-label", label);
    part("div", "over")
        .set("data-action", "close-sheet")
        .with(dialog.set("data-action", "").with_all(parts).with(close))
}

fn keys() -> Part {
    let row = |action: &Action| part("div", "command").set("data-command", action.name).says(action.says);
    let rows = ACTIONS.iter().map(|action| keyed(row(action), action));
    part("div", "sheet-of-keys").with_all(rows.collect())
}

/// A command with its keys beside it.
fn keyed(command: Part, action: &Action) -> Part {
    let keys = action.keys.iter().map(|key| part("kbd", "").set("data-key", key).says(&printed(key)));
    // Of a row of digits the first and the last say enough.
    let class = if action.keys.len() > MOST_KEYS { "keys row" } else { "keys" };
    command.with(part("span", class).with_all(keys.collect()))
}
