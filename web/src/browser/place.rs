//! The address of where the page is already, told no more often than browsers let themselves be told.

use std::cell::RefCell;
use std::time::Duration;

use leptos::prelude::{set_timeout, window};
use wasm_bindgen::JsValue;

use super::{fragment, now_ms};

/// A browser that is told more than two hundred times in ten seconds says so in its console, and listens no more for a
/// while. So many are told at once, and so many a second after that.
const AT_ONCE: f64 = 40.0;
const PER_SECOND: f64 = 14.0;
/// What there is no room for is told so much later, if nothing else is by then.
const LATER: Duration = Duration::from_millis(100);

/// How often the browser can be told now, and what waits.
struct Room {
    left: f64,
    since_ms: f64,
    waiting: Option<String>,
    /// The fragment that the page gave its address last.
    named: String,
}

thread_local! {
    static ROOM: RefCell<Room> = const { RefCell::new(Room { left: AT_ONCE, since_ms: 0.0, waiting: None, named: String::new() }) };
}

impl Room {
    /// Whether the browser can be told at a moment, which then counts as one time.
    fn take(&mut self, now_ms: f64) -> bool {
        let passed_s = ((now_ms - self.since_ms) / 1e3).max(0.0);
        self.left = (self.left + passed_s * PER_SECOND).min(AT_ONCE);
        self.since_ms = now_ms;
        let room = self.left >= 1.0;
        self.left -= f64::from(u8::from(room));
        room
    }
}

/// Says with another fragment where the page is already: no step that the back button would go back.
pub(crate) fn name_place(fragment: &str) {
    let (told, waited) = ROOM.with_borrow_mut(|room| {
        let told = room.take(now_ms());
        let before = std::mem::replace(&mut room.waiting, (!told).then(|| fragment.to_owned()));
        (told, before.is_some())
    });
    match (told, waited) {
        (true, _) => tell(fragment),
        (false, false) => set_timeout(tell_waiting, LATER),
        // Whoever comes for what waited finds this instead.
        (false, true) => {}
    }
}

fn tell_waiting() {
    let waiting = ROOM.with_borrow_mut(|room| room.waiting.take());
    // Meanwhile somebody can have gone to another page.
    let page = |fragment: &str| fragment.split('?').next().unwrap_or_default().to_owned();
    if let Some(waiting) = waiting.filter(|waiting| page(waiting) == page(&fragment())) {
        name_place(&waiting);
    }
}

fn tell(fragment: &str) {
    if let Ok(history) = window().history() {
        // There is nothing to do about a browser that refuses; the next place is told again.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(fragment));
        ROOM.with_borrow_mut(|room| room.named = self::fragment());
    }
}

/// Whether the page itself gave its address this fragment, so that nobody has gone elsewhere since.
pub(crate) fn is_named(fragment: &str) -> bool {
    ROOM.with_borrow(|room| room.named == fragment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_told_less_often_than_they_mind() {
        let mut room = Room { left: AT_ONCE, since_ms: 0.0, waiting: None, named: String::new() };
        // Sixty times a second, for half a minute.
        let told: Vec<f64> =
            (0..1800).map(|frame| f64::from(frame) / 0.06).filter(|now| room.take(*now)).collect();
        for (place, first) in told.iter().enumerate() {
            let within = told[place..].iter().take_while(|at| **at < first + 10_000.0).count();
            assert!(within < 190, "{within} from {first} ms on");
        }
        assert!(told.len() > 300, "{}", told.len());
    }
}
