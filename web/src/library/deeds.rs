//! What the driver does with recordings, and undoes.

use std::time::Duration;

use leptos::prelude::set_timeout;
use leptos::task::spawn_local;
use trailbrake_shared::library::{Entry, Repaired};
use trailbrake_shared::number::count;
use trailbrake_shared::recording::RecordingId;
use wasm_bindgen::JsValue;

use super::words::key;
use super::{Aspect, Library, Listed, State, listed, title};
use crate::http;
use crate::words::encoded;

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

/// A recording, or a file that can't be opened, that was deleted and can be brought back.
#[derive(Clone, Debug)]
pub(super) struct Deleted {
    /// What the bin's list knows it by.
    key: String,
    title: String,
}

impl Deleted {
    fn of(one: &Listed) -> Self {
        Self { key: one.key.clone(), title: title(&one.entry) }
    }
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
        let Some(deleted) = self.read(|state| state.listed(key).map(|one| Deleted::of(one))) else { return };
        let library = self.clone();
        let path = format!("/library/{}", encoded(key));
        let done = move |answer: String| {
            library.leave(&deleted.key);
            library.say(format!("{} is in the bin.", deleted.title), true);
            // A file may have another name there.
            let binned = serde_json::from_slice::<Entry>(answer.as_bytes());
            let key = binned.map(|entry| known_by(&deleted.key, &entry)).unwrap_or_default();
            library.change(&[], |state| state.deleted.push(Deleted { key, ..deleted }));
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
        if let Some(opened) = self.read(|state| state.opened().map(|one| Deleted::of(one))) {
            self.bring_back(opened);
        }
    }

    fn bring_back(&self, one: Deleted) {
        let library = self.clone();
        let path = format!("/library/bin/{}", encoded(&one.key));
        let done = move |answer: String| {
            let back = serde_json::from_slice::<Entry>(answer.as_bytes());
            library.change(&[Aspect::Cursor], |state| {
                state.deleted.retain(|deleted| deleted.key != one.key);
                if !state.query.bin {
                    state.cursor = back.ok().map(|entry| key(&entry));
                }
            });
            if library.read(|state| state.query.bin) {
                library.leave(&one.key);
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
            let removed: u64 = answer.trim().parse().unwrap_or_default();
            library.change(&[], |state| state.deleted.clear());
            library.turn_to(true);
            library.say(format!("{} removed for good.", count(removed, "recording", "recordings")), false);
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
                    library.change(&[Aspect::RecordingDetails, Aspect::Open], |state| state.repairing = None);
                    library.refresh();
                }
            }
        });
    }

    /// Has a damaged file repaired, and opens what is whole of it.
    pub(crate) fn repair(&self, file: &str) {
        let (library, file) = (self.clone(), file.to_owned());
        let path = format!("/library/repair/{}", encoded(&file));
        self.change(&[Aspect::Open], |state| state.repairing = Some(file.clone()));
        let done = move |answer: String| {
            let Ok(repaired) = serde_json::from_slice::<Repaired>(answer.as_bytes()) else { return };
            library.put_back(&file, repaired);
        };
        self.have_done("POST", path, None, Box::new(done));
    }

    /// A file that could not be opened is a recording now.
    fn put_back(&self, file: &str, repaired: Repaired) {
        let (words, whole) = (saved(&repaired), listed(repaired.entry));
        let new = whole.key.clone();
        self.say(format!("{} is repaired.", title(&whole.entry)), false);
        self.change(&[Aspect::Shelf], |state| {
            state.repaired = Some((new.clone(), words));
            if let Some(one) = state.shelf.all.iter_mut().find(|one| one.key == file) {
                *one = whole;
            }
        });
        self.open(Some(new));
        self.refresh();
    }

    pub(super) fn opened_id(&self) -> Option<RecordingId> {
        self.read(|state| state.opened().and_then(|one| one.entry.id))
    }

    /// A recording is no longer in the list: the keyboard goes on to the next.
    fn leave(&self, key: &str) {
        self.change(&[Aspect::Shelf, Aspect::Open, Aspect::Cursor, Aspect::RecordingDetails], |state| {
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

/// What the bin's list knows something by that the library's knew by this.
fn known_by(key: &str, binned: &Entry) -> String {
    if RecordingId::read(key).is_some() { key.to_owned() } else { binned.file.clone() }
}

/// What a repair saved and what was lost, in sentences.
fn saved(repaired: &Repaired) -> Vec<String> {
    let packets = count(usize::try_from(repaired.packets).unwrap_or(usize::MAX), "packet", "packets");
    let gaps = match repaired.gaps {
        0 => "without a gap".to_owned(),
        gaps => format!("with {}", count(usize::try_from(gaps).unwrap_or(usize::MAX), "gap", "gaps")),
    };
    vec![
        format!("Saved: {packets}, {gaps}."),
        format!("Lost: {}.", repaired.lost),
        format!("The file as it was stays beside it, as {}.", repaired.kept),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_saved_is_said_with_what_was_lost() {
        let mut repaired = Repaired {
            packets: 20_204,
            gaps: 1,
            lost: "1 stretch of 0.9 s (54 packets), in lap 3".to_owned(),
            kept: "spa.broken".to_owned(),
            ..Repaired::default()
        };
        let words = saved(&repaired);
        assert_eq!(words[0], "Saved: 20\u{202f}204 packets, with 1 gap.");
        assert_eq!(words[1], "Lost: 1 stretch of 0.9 s (54 packets), in lap 3.");
        assert!(words[2].ends_with("spa.broken."));
        (repaired.packets, repaired.gaps) = (1, 0);
        assert_eq!(saved(&repaired)[0], "Saved: 1 packet, without a gap.");
    }

    #[test]
    fn a_file_is_known_in_the_bin_by_its_name_there() {
        let id = RecordingId(7).to_string();
        let entry = Entry { file: "cut-2.mcap".into(), ..Entry::default() };
        assert_eq!([known_by("cut.mcap", &entry), known_by(&id, &entry)], ["cut-2.mcap".to_owned(), id]);
    }
}
