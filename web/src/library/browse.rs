//! Searches the list, opens recordings, and loads the list and the details from the relay.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::library::{Entry, RecordingDetails};
use trailbrake_shared::recording::RecordingId;

use super::contents::{Contents, OpenRecording, listed};
use super::query::Query;
use super::ticked::Ticked;
use super::toast::{Offer, Toast};
use super::words::title;
use super::{Library, Window};
use crate::browser;
use crate::http;
use crate::route::Page;
use crate::seats;

/// How long a toast is shown.
const TOAST: Duration = Duration::from_secs(12);

impl Library {
    /// Creates an empty library, provides it to all components, and follows the address as long as the page is open.
    pub(crate) fn start() -> Self {
        let library = Self::new();
        provide_context(library);
        library.follow_address();
        window_event_listener(leptos::ev::hashchange, move |_| library.follow_address());
        library
    }

    fn follow_address(self) {
        let fragment = browser::fragment();
        if Page::from_hash(&fragment) != Page::Library {
            return;
        }
        let query = Query::from_hash(&fragment);
        let switches_bin = self.query.with_untracked(|before| before.bin != query.bin);
        self.set_open(query.open.clone());
        self.query.set(query);
        if switches_bin {
            self.start_over();
        }
    }

    fn update_address(self) {
        browser::name_place(&self.query.with_untracked(Query::fragment));
    }

    /// Shows a toast for a while, with an undo button if `undo`.
    pub(crate) fn show_message(self, words: String, undo: bool) {
        self.show_toast(Toast { words, offer: undo.then_some(Offer::Undo) });
    }

    /// Shows a toast for a while. One with a task stays until the driver answers, or another comes.
    pub(super) fn show_toast(self, toast: Toast) {
        self.toast.set(Some(toast.clone()));
        if matches!(toast.offer, Some(Offer::Drive(_))) {
            return;
        }
        set_timeout(
            move || {
                if self.toast.with_untracked(|now| now.as_ref() == Some(&toast)) {
                    self.toast.set(None);
                }
            },
            TOAST,
        );
    }

    /// Changes the search, and updates the address.
    pub(crate) fn search(self, change: impl FnOnce(&mut Query)) {
        self.query.update(change);
        self.update_address();
    }

    /// Opens the details of a recording by its key. `None` closes them.
    pub(crate) fn open(self, key: Option<String>) {
        if let Some(words) = self.untick_message(key.as_deref()) {
            self.show_message(words, false);
        }
        self.set_open(key);
        self.update_address();
    }

    pub(super) fn set_open(self, key: Option<String>) {
        if key.is_some() {
            self.cursor.set(key.clone());
        }
        if self.query.with_untracked(|query| query.open != key) {
            self.repairing.set(None);
            self.details.set(None);
            self.seat.set(None);
            self.learnt.set_value(None);
            self.ticked.set(Ticked::default());
        }
        self.query.update(|query| query.open = key);
    }

    /// The message if opening `key` unticks laps of another recording: an export has laps of one recording only.
    fn untick_message(self, key: Option<&str>) -> Option<String> {
        let is_ticked = self.ticked.with_untracked(|ticked| ticked.count() > 0);
        let opened = untrack(|| self.opened());
        let one = opened.filter(|one| is_ticked && key.is_some_and(|key| key != one.key))?;
        Some(format!(
            "The laps of {} are no longer ticked: an export has laps of one recording.",
            title(&one.entry)
        ))
    }

    /// Shows the bin, or the library.
    pub(crate) fn show_bin(self, bin: bool) {
        self.query.update(|query| query.bin = bin);
        self.set_open(None);
        self.update_address();
        self.start_over();
    }

    /// Clears the list and loads it again.
    fn start_over(self) {
        self.contents.set(Contents::default());
        self.asks_to_empty.set(false);
        self.refresh();
    }

    /// Moves the cursor down by so many rows, or up if negative. Open details follow it.
    pub(crate) fn step(self, rows: isize) {
        let here = untrack(|| self.cursor_row());
        let next = self.found.with_untracked(|found| {
            let last = found.len().checked_sub(1)?;
            let there = match here {
                Some(here) => here.saturating_add_signed(rows).min(last),
                None if rows == isize::MAX => last,
                None => 0,
            };
            found.get(there).map(|one| one.key.clone())
        });
        let is_open = self.query.with_untracked(|query| query.open.is_some());
        match next {
            Some(next) if is_open => self.open(Some(next)),
            Some(next) => self.cursor.set(Some(next)),
            None => {}
        }
    }

    /// Takes the new window after the list was scrolled or resized.
    pub(crate) fn show_window(self, window: Window) {
        let count = self.found.with_untracked(|found| found.len());
        let rows = |window: &Window| (window.row, window.rows(count));
        if self.window.with_untracked(rows) == rows(&window) {
            // The same rows are on the page.
            self.window.update_untracked(|now| *now = window);
        } else {
            self.window.set(window);
        }
    }

    /// Lists the laps of another seat, by its index in the seat chooser.
    pub(crate) fn choose_seat(self, place: usize) {
        let Some(recording) = untrack(|| self.recording()) else { return };
        self.seat.set(seats::at(&recording.catalogue, place).map(|entry| entry.id));
    }

    /// Loads the list. The old one stays until the answer arrives.
    pub(crate) fn refresh(self) {
        self.asked.update_value(|asked| *asked = asked.wrapping_add(1));
        let number = self.asked.get_value();
        let bin = self.query.with_untracked(|query| query.bin);
        spawn_local(async move {
            let answer = http::ask("GET", if bin { "/library/bin" } else { "/library" }, None).await;
            if self.asked.get_value() != number {
                return;
            }
            let contents = self.contents.with_untracked(|contents| contents.answered(answer));
            // An unchanged list is not drawn again.
            if self.contents.with_untracked(|before| *before != contents) {
                self.contents.set(contents);
            }
        });
    }

    /// Replaces the list's row of a changed recording.
    pub(super) fn put(self, entry: Entry) {
        let changed = listed(entry);
        self.contents.update(|contents| contents.replace(&changed.key.clone(), changed));
    }

    /// Loads the details again after another page wrote notes about recording `id`, if that is open.
    pub(crate) fn reload_written(self, id: RecordingId) {
        if self.opened_id() == Some(id) {
            self.reload_details();
        }
    }

    /// Loads the details of the open recording again.
    pub(super) fn reload_details(self) {
        self.learnt.set_value(None);
        self.load_details();
    }

    /// Loads the details of the open recording, unless they were loaded for the same state of its list row.
    pub(crate) fn load_details(self) {
        let is_bin = self.query.with_untracked(|query| query.bin);
        let opened = untrack(|| self.opened()).filter(|one| one.entry.id.is_some() && !is_bin);
        let Some(one) = opened.filter(|one| self.learnt.with_value(|learnt| learnt.as_ref() != Some(one)))
        else {
            return;
        };
        let key = one.key.clone();
        self.learnt.set_value(Some(one));
        spawn_local(async move {
            let answer = http::ask("GET", &format!("/library/{key}"), None).await;
            let details = answer.map_err(|failed| failed.words()).and_then(|json| {
                let details = RecordingDetails::read(json.as_bytes());
                details.map_err(|why| format!("The relay's answer can't be read: {why}."))
            });
            let details = Some(details.map(|details| Arc::new(OpenRecording::new(details))));
            // Another recording may have been opened meanwhile.
            let is_open = self.query.with_untracked(|query| query.open.as_ref() == Some(&key));
            if is_open && self.details.with_untracked(|before| *before != details) {
                self.details.set(details);
            }
        });
    }
}
