//! What the driver does with recordings, and undoes.

use std::time::Duration;

use leptos::prelude::set_timeout;
use leptos::task::spawn_local;
use trailbrake_shared::recording::{Entry, RecordingId};
use wasm_bindgen::JsValue;

use super::{Aspect, Library, State, title};
use crate::http;
use crate::words::counted;

/// So long it is said what was done.
const SAID: Duration = Duration::from_secs(12);

/// What was done just now, in a line at the page's foot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Toast {
    /// What.
    pub(crate) words: String,
    /// Whether it can be undone from there.
    pub(crate) undo: bool,
}

/// A recording that was deleted and can be brought back.
#[derive(Clone, Debug)]
pub(super) struct Deleted {
    id: RecordingId,
    title: String,
}

impl Library {
    /// Says what was done.
    pub(crate) fn say(&self, words: String, undo: bool) {
        let toast = Toast { words, undo };
        self.change(&[Aspect::Toast], |state| state.toast = Some(toast.clone()));
        let library = self.clone();
        set_timeout(
            move || {
                if library.read(|state| state.toast.as_ref() == Some(&toast)) {
                    library.change(&[Aspect::Toast], |state| state.toast = None);
                }
            },
            SAID,
        );
    }

    /// Gives the recording that is open another name.
    pub(crate) fn rename(&self, name: &str) {
        let before = |state: &State| state.opened().and_then(|one| one.entry.name.clone());
        if self.read(before).unwrap_or_default() != name.trim() {
            self.relabel(&[("name", name.into())]);
        }
    }

    /// Gives the recording that is open one more tag, or takes one away.
    pub(crate) fn tag(&self, tag: &str, there: bool) {
        let tags = |state: &State| state.opened().map(|one| one.entry.tags.clone());
        let mut tags = self.read(tags).unwrap_or_default();
        tags.retain(|other| other != tag.trim());
        if there && !tag.trim().is_empty() {
            tags.push(tag.trim().to_owned());
        }
        let tags: js_sys::Array = tags.iter().map(JsValue::from).collect();
        self.relabel(&[("tags", tags.into())]);
    }

    fn relabel(&self, wish: &[(&str, JsValue)]) {
        let Some(id) = self.opened_id() else { return };
        let library = self.clone();
        let done = move |answer: String| {
            if let Ok(entry) = serde_json::from_slice::<Entry>(answer.as_bytes()) {
                library.put(entry);
            }
        };
        self.have_done("PATCH", format!("/library/{id}"), Some(http::json(wish)), Box::new(done));
    }

    /// Puts a recording into the bin.
    pub(crate) fn delete(&self, key: &str) {
        let deleted = self.read(|state| {
            let entry = &state.listed(key)?.entry;
            Some(Deleted { id: entry.id?, title: title(entry) })
        });
        let Some(deleted) = deleted else { return };
        let library = self.clone();
        let path = format!("/library/{}", deleted.id);
        let done = move |_| {
            library.leave(&deleted.id.to_string());
            library.say(format!("{} is in the bin.", deleted.title), true);
            library.change(&[], |state| state.deleted.push(deleted));
        };
        self.have_done("DELETE", path, None, Box::new(done));
    }

    /// Brings back what was deleted last.
    pub(crate) fn undo(&self) {
        if let Some(last) = self.read(|state| state.deleted.last().cloned()) {
            self.bring_back(last);
        }
    }

    /// Takes the recording that is open out of the bin.
    pub(crate) fn restore(&self) {
        let opened = self.read(|state| {
            let entry = &state.opened()?.entry;
            Some(Deleted { id: entry.id?, title: title(entry) })
        });
        if let Some(opened) = opened {
            self.bring_back(opened);
        }
    }

    fn bring_back(&self, one: Deleted) {
        let library = self.clone();
        let path = format!("/library/bin/{}", one.id);
        let done = move |_| {
            library.change(&[Aspect::Cursor], |state| {
                state.deleted.retain(|deleted| deleted.id != one.id);
                if !state.query.bin {
                    state.cursor = Some(one.id.to_string());
                }
            });
            if library.read(|state| state.query.bin) {
                library.leave(&one.id.to_string());
            }
            library.say(format!("{} is back in the library.", one.title), false);
            library.refresh();
        };
        self.have_done("POST", path, None, Box::new(done));
    }

    /// Removes for good what is in the bin.
    pub(crate) fn empty_bin(&self) {
        let library = self.clone();
        let done = move |answer: String| {
            let count = answer.trim().parse().unwrap_or_default();
            library.change(&[], |state| state.deleted.clear());
            library.turn_to(true);
            library.say(format!("{} removed for good.", counted(count, "recording", "recordings")), false);
        };
        self.have_done("DELETE", "/library/bin".to_owned(), None, Box::new(done));
    }

    /// Has the relay do something, and says why where it does not.
    pub(super) fn have_done(
        &self,
        method: &'static str,
        path: String,
        body: Option<String>,
        done: Box<dyn FnOnce(String)>,
    ) {
        let library = self.clone();
        spawn_local(async move {
            match http::ask(method, &path, body.as_deref()).await {
                Ok(answer) => done(answer),
                Err(failed) => {
                    library.say(failed.words(), false);
                    // Whatever stands in a field is not so.
                    library.tell(&[Aspect::Known]);
                    library.refresh();
                }
            }
        });
    }

    pub(super) fn opened_id(&self) -> Option<RecordingId> {
        self.read(|state| state.opened().and_then(|one| one.entry.id))
    }

    /// A recording is no longer in the list: the keyboard goes on to the next.
    fn leave(&self, key: &str) {
        self.change(&[Aspect::Shelf, Aspect::Open, Aspect::Cursor, Aspect::Known], |state| {
            let next = state.found.iter().position(|one| one.key == key).and_then(|place| {
                let next = state.found.get(place + 1).or_else(|| state.found.get(place.checked_sub(1)?));
                next.map(|one| one.key.clone())
            });
            if state.cursor.as_deref() == Some(key) {
                state.cursor = next;
            }
            if state.query.open.as_deref() == Some(key) {
                state.open(None);
            }
            state.shelf.all.retain(|one| one.key != key);
        });
        self.say_address();
        self.refresh();
    }
}
