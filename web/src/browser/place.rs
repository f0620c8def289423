//! Writes the current view into the address, no more often than browsers allow.

use std::cell::RefCell;
use std::time::Duration;

use leptos::prelude::{set_timeout, window};
use wasm_bindgen::JsValue;

use super::{fragment, now_ms};

/// The number of address changes that are allowed at once. Browsers ignore changes beyond about two hundred in ten
/// seconds and warn in the console.
const AT_ONCE: f64 = 40.0;
/// The number of address changes a second that are allowed after that.
const PER_SECOND: f64 = 14.0;
/// The time until a postponed change is written.
const LATER: Duration = Duration::from_millis(100);

/// The rate limit, and the postponed change.
struct Room {
    /// How many changes are allowed now.
    left: f64,
    /// When `left` was last updated, in milliseconds of the page.
    since_ms: f64,
    /// The fragment of a postponed change.
    waiting: Option<String>,
    /// The fragment that the page last wrote.
    named: String,
}

thread_local! {
    static ROOM: RefCell<Room> = const { RefCell::new(Room { left: AT_ONCE, since_ms: 0.0, waiting: None, named: String::new() }) };
}

impl Room {
    /// Returns whether a change is allowed now, and counts it if so.
    fn take(&mut self, now_ms: f64) -> bool {
        let passed_s = ((now_ms - self.since_ms) / 1e3).max(0.0);
        self.left = (self.left + passed_s * PER_SECOND).min(AT_ONCE);
        self.since_ms = now_ms;
        let room = self.left >= 1.0;
        self.left -= f64::from(u8::from(room));
        room
    }
}

/// Replaces the address's fragment without a step in the history, as soon as the rate limit allows.
pub(crate) fn name_place(fragment: &str) {
    let (allowed, waited) = ROOM.with_borrow_mut(|room| {
        let allowed = room.take(now_ms());
        let before = std::mem::replace(&mut room.waiting, (!allowed).then(|| fragment.to_owned()));
        (allowed, before.is_some())
    });
    match (allowed, waited) {
        (true, _) => write_address(fragment),
        (false, false) => set_timeout(write_postponed, LATER),
        // The pending timer writes this fragment instead.
        (false, true) => {}
    }
}

fn write_postponed() {
    let waiting = ROOM.with_borrow_mut(|room| room.waiting.take());
    // The user may have gone to another page meanwhile.
    let page = |fragment: &str| fragment.split('?').next().unwrap_or_default().to_owned();
    if let Some(waiting) = waiting.filter(|waiting| page(waiting) == page(&fragment())) {
        name_place(&waiting);
    }
}

fn write_address(fragment: &str) {
    if let Ok(history) = window().history() {
        // If the browser refuses, the next change tries again.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(fragment));
        ROOM.with_borrow_mut(|room| room.named = self::fragment());
    }
}

/// Whether this is the fragment that the page itself last wrote, so that the user has not changed it since.
pub(crate) fn is_named(fragment: &str) -> bool {
    ROOM.with_borrow(|room| room.named == fragment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_changes_less_often_than_browsers_allow() {
        let mut room = Room { left: AT_ONCE, since_ms: 0.0, waiting: None, named: String::new() };
        // Sixty times a second, for half a minute.
        let written: Vec<f64> =
            (0..1800).map(|frame| f64::from(frame) / 0.06).filter(|now| room.take(*now)).collect();
        for (index, first) in written.iter().enumerate() {
            let within = written[index..].iter().take_while(|at| **at < first + 10_000.0).count();
            assert!(within < 190, "{within} from {first} ms on");
        }
        assert!(written.len() > 300, "{}", written.len());
    }
}
