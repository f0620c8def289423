//! The list by keyboard.

use leptos::prelude::window;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement, HtmlInputElement, KeyboardEvent};

use super::tools;
use crate::browser;
use crate::dom::Listening;
use crate::library::Library;

/// Listens for as long as the page is shown.
pub(super) fn listen(library: &Library) -> Listening {
    let library = library.clone();
    let pressed = move |event: Event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
        let done = match target {
            Some(element) if matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT") => {
                in_field(&library, &element, event)
            }
            target => in_list(&library, target.as_ref(), event),
        };
        if done {
            event.prevent_default();
        }
    };
    Listening::begin(&window(), "keydown", Box::new(pressed))
}

/// In a field most keys are the field's own. Enter goes back to the list, and so does Escape, which leaves a name as it
/// was.
fn in_field(library: &Library, field: &HtmlElement, event: &KeyboardEvent) -> bool {
    let (key, action) = (event.key(), field.get_attribute("data-action"));
    let back = match (key.as_str(), action.as_deref()) {
        ("Escape", Some("name")) => {
            let name = library.read(|state| state.opened().and_then(|one| one.entry.name.clone()));
            if let Some(input) = field.dyn_ref::<HtmlInputElement>() {
                input.set_value(&name.unwrap_or_default());
            }
            true
        }
        ("Escape", Some("search")) => {
            // Some browsers empty the field themselves, and say nothing of it to a field that is left.
            if let Some(input) = field.dyn_ref::<HtmlInputElement>() {
                input.set_value("");
            }
            library.look(|query| query.text.clear());
            true
        }
        ("Escape", _) | ("Enter", Some("name" | "search")) => true,
        ("ArrowDown", Some("search")) => {
            library.step(1);
            true
        }
        _ => false,
    };
    if back {
        let _ = field.blur();
        browser::focus("list");
    }
    false
}

/// Does what a key is for; whether it is for anything.
fn in_list(library: &Library, target: Option<&HtmlElement>, event: &KeyboardEvent) -> bool {
    let pressable =
        target.is_some_and(|element| matches!(element.tag_name().as_str(), "BUTTON" | "A" | "LABEL"));
    let (open, bin) = library.read(|state| (state.query.open.is_some(), state.query.bin));
    let cursor = library.read(|state| state.cursor.clone());
    let page = library.read(|state| state.window.page()) as isize;
    match (event.key().as_str(), cursor) {
        ("z", _) if event.ctrl_key() || event.meta_key() => library.undo(),
        _ if event.ctrl_key() || event.meta_key() || event.alt_key() => return false,
        ("/", _) => browser::focus(tools::SEARCH),
        ("Escape", _) if open => library.open(None),
        ("Delete", Some(cursor)) if !bin => library.delete(&cursor),
        // Whoever stands on a button or a link means that.
        ("Enter", Some(cursor)) if !pressable => library.open(Some(cursor)),
        ("ArrowDown", _) => library.step(1),
        ("ArrowUp", _) => library.step(-1),
        ("PageDown", _) => library.step(page),
        ("PageUp", _) => library.step(-page),
        ("Home", _) => library.step(isize::MIN),
        ("End", _) => library.step(isize::MAX),
        _ => return false,
    }
    true
}
