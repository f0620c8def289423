//! The page by keyboard.

use leptos::prelude::window;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement, KeyboardEvent};

use super::actions::{self, Hands};
use super::sheet;
use crate::analyse::Analyse;
use crate::cockpit::Cockpit;
use crate::dom::Listening;

/// Listens for as long as the page is shown.
pub(super) fn listen(cockpit: Cockpit, analyse: &Analyse) -> Listening {
    let analyse = analyse.clone();
    let pressed = move |event: Event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        let hands = Hands { cockpit, analyse: &analyse, far: event.shift_key() };
        if sheet::key(&hands, event) || (!in_field(event) && does(&hands, event)) {
            event.prevent_default();
        }
    };
    Listening::begin(&window(), "keydown", Box::new(pressed))
}

/// In a field keys are the field's own, and on a button Space and Enter are the button's.
fn in_field(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    target.is_some_and(|element| match element.tag_name().as_str() {
        "INPUT" | "TEXTAREA" => true,
        // Of a chooser only what chooses: letters are still the page's.
        "SELECT" => matches!(event.key().as_str(), "ArrowUp" | "ArrowDown" | "Home" | "End" | "Enter" | " "),
        "BUTTON" | "A" => event.key() == " ",
        _ => false,
    })
}

/// Does what a key is for; whether it is for anything.
fn does(hands: &Hands<'_>, event: &KeyboardEvent) -> bool {
    let mut key = event.key().to_ascii_lowercase();
    if event.alt_key() {
        return false;
    }
    if event.ctrl_key() || event.meta_key() {
        key.insert_str(0, "ctrl+");
    }
    let action = actions::of_key(&key);
    action.into_iter().for_each(|action| (action.does)(hands));
    action.is_some()
}
