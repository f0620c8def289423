//! Key presses, as the action tables name them.

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};

/// A press of a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeyPress {
    /// The browser's name of the key in lower case, with `ctrl+` in front if Ctrl or Meta is held, and `shift+` before
    /// a digit if Shift is.
    pub(crate) name: String,
    /// Whether Shift is held.
    pub(crate) shift: bool,
    /// The key's digit from 1 to 9; `None` for other keys.
    pub(crate) digit: Option<u8>,
}

impl KeyPress {
    /// The key press of an event; `None` with Alt, whose combinations belong to the browser.
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

/// The digit of a key from 1 to 9. On the row of digits the position of the key counts, since some layouts need Shift
/// for the digit.
fn digit(event: &KeyboardEvent) -> Option<u8> {
    let code = event.code();
    let digit =
        code.strip_prefix("Digit").map_or_else(|| event.key().parse().ok(), |digit| digit.parse().ok());
    digit.filter(|digit| (1..=9).contains(digit))
}

/// Whether a key is for the focused element: all keys in a field, Space and Enter on a button.
pub(crate) fn is_for_field(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    target.is_some_and(|element| match element.tag_name().as_str() {
        "INPUT" | "TEXTAREA" => true,
        // A chooser needs only the keys that choose; letters still belong to the page.
        "SELECT" => matches!(event.key().as_str(), "ArrowUp" | "ArrowDown" | "Home" | "End" | "Enter" | " "),
        "BUTTON" | "A" | "LABEL" => matches!(event.key().as_str(), " " | "Enter"),
        _ => false,
    })
}

/// A key's name as on a keyboard.
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
