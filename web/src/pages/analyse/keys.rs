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
pub(super) fn listen(cockpit: Cockpit, analyse: Analyse) -> Listening {
    let pressed = move |event: Event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        let hands = Hands { cockpit, analyse, far: event.shift_key(), digit: digit(event) };
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

/// The digit from 1 to 9 of a key in the row of digits, whatever the keyboard makes of it with Shift or without.
fn digit(event: &KeyboardEvent) -> Option<u8> {
    let code = event.code();
    let digit =
        code.strip_prefix("Digit").map_or_else(|| event.key().parse().ok(), |digit| digit.parse().ok());
    digit.filter(|digit| (1..=9).contains(digit))
}

/// Does what a key is for; whether it is for anything.
fn does(hands: &Hands, event: &KeyboardEvent) -> bool {
    let mut key = match hands.digit {
        Some(digit) if hands.far => format!("shift+{digit}"),
        Some(digit) => digit.to_string(),
        None => event.key().to_ascii_lowercase(),
    };
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
