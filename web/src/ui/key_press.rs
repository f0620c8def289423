//! Key presses, as the tables of commands name them.

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};

/// A press of a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeyPress {
    /// What the browser calls the key, in small letters, with `ctrl+` in front where that is held, and `shift+` before a
    /// digit.
    pub(crate) name: String,
    /// Whether Shift is held.
    pub(crate) shift: bool,
    /// The digit of the key, 1 to 9.
    pub(crate) digit: Option<u8>,
}

impl KeyPress {
    /// The press of an event; `None` with Alt, which is the browser's.
    pub(crate) fn of(event: &KeyboardEvent) -> Option<Self> {
        if event.alt_key() {
            return None;
        }
        let (shift, digit) = (event.shift_key(), digit(event));
        let held = if event.ctrl_key() || event.meta_key() { "ctrl+" } else { "" };
        let name = match digit {
            Some(digit) if shift => format!("{held}shift+{digit}"),
            Some(digit) => format!("{held}{digit}"),
            None => format!("{held}{}", event.key().to_ascii_lowercase()),
        };
        Some(Self { name, shift, digit })
    }
}

/// The digit of a key in the row of digits, whatever the keyboard makes of it with Shift or without.
fn digit(event: &KeyboardEvent) -> Option<u8> {
    let code = event.code();
    let digit =
        code.strip_prefix("Digit").map_or_else(|| event.key().parse().ok(), |digit| digit.parse().ok());
    digit.filter(|digit| (1..=9).contains(digit))
}

/// Whether a key is for the element that has the focus: in a field all are, on a button Space and Enter.
pub(crate) fn is_for_field(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    target.is_some_and(|element| match element.tag_name().as_str() {
        "INPUT" | "TEXTAREA" => true,
        // Of a chooser only what chooses: letters are still the page's.
        "SELECT" => matches!(event.key().as_str(), "ArrowUp" | "ArrowDown" | "Home" | "End" | "Enter" | " "),
        "BUTTON" | "A" | "LABEL" => matches!(event.key().as_str(), " " | "Enter"),
        _ => false,
    })
}

/// A key as it is printed.
pub(crate) fn printed_key(key: &str) -> String {
    match key {
        "arrowleft" => "←".to_owned(),
        "arrowright" => "→".to_owned(),
        "arrowup" => "↑".to_owned(),
        "arrowdown" => "↓".to_owned(),
        " " => "Space".to_owned(),
        "home" => "Home".to_owned(),
        "end" => "End".to_owned(),
        "escape" => "Esc".to_owned(),
        "enter" => "Enter".to_owned(),
        "delete" => "Del".to_owned(),
        key => match key.split_once('+').filter(|(_, rest)| !rest.is_empty()) {
            Some(("ctrl", rest)) => format!("Ctrl {}", rest.to_ascii_uppercase()),
            Some(("shift", rest)) => format!("Shift {rest}"),
            _ => key.to_ascii_uppercase(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_printed_as_on_keyboards() {
        let keys = ["arrowleft", "ctrl+z", " ", "r", "[", "+", "shift+3"];
        assert_eq!(keys.map(printed_key), ["←", "Ctrl Z", "Space", "R", "[", "+", "Shift 3"]);
    }
}
