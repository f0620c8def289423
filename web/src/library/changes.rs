//! Renames, tags, deletes, restores and repairs recordings.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::library::{Entry, Repaired};
use trailbrake_shared::number::count;
use trailbrake_shared::recording::RecordingId;
use wasm_bindgen::JsValue;

use super::Library;
use super::contents::listed;
use super::toast::Deleted;
use super::words::{key, title};
use crate::browser;
use crate::http::{self, Request};
use crate::jobs::{RunningJob, Work};
use crate::words::encoded;

/// Interval of progress requests to the relay, in milliseconds.
const SHARES_MS: i32 = 300;

impl Library {
    /// Renames the open recording. Calls `failed` if the relay refuses.
    pub(crate) fn rename(self, name: &str, failed: impl FnOnce() + 'static) {
        let before = untrack(|| self.opened()).and_then(|one| one.entry.name.clone());
        if before.unwrap_or_default() != name.trim() {
            self.relabel(&[("name", name.into())], failed);
        }
    }

    /// Adds a tag to the open recording, or removes it.
    pub(crate) fn tag(self, tag: &str, is_added: bool) {
        let mut tags = untrack(|| self.opened()).map(|one| one.entry.tags.clone()).unwrap_or_default();
        tags.retain(|other| other != tag.trim());
        if is_added && !tag.trim().is_empty() {
            tags.push(tag.trim().to_owned());
        }
        let tags: js_sys::Array = tags.iter().map(JsValue::from).collect();
        self.relabel(&[("tags", tags.into())], || {});
    }

    fn relabel(self, labels: &[(&str, JsValue)], failed: impl FnOnce() + 'static) {
        let Some(id) = self.opened_id() else { return };
        let (path, body) = (format!("/library/{id}"), http::json(labels));
        spawn_local(async move {
            match http::ask("PATCH", &path, Some(&body)).await {
                Ok(answer) => {
                    serde_json::from_str(&answer).into_iter().for_each(|entry: Entry| self.put(entry));
                }
                Err(why) => {
                    self.show_message(why.words(), false);
                    failed();
                    self.refresh();
                }
            }
        });
    }

    /// Moves a recording to the bin.
    pub(crate) fn delete(self, key: &str) {
        let Some(deleted) = self.contents.with_untracked(|all| all.get(key).map(|one| Deleted::of(one)))
        else {
            return;
        };
        self.request("DELETE", format!("/library/{}", encoded(key)), None, move |answer| {
            self.remove(&deleted.key);
            self.show_message(format!("{}: moved to bin.", deleted.title), true);
            // A file may get another name in the bin.
            let binned = serde_json::from_str::<Entry>(&answer);
            let key = binned.map(|entry| bin_key(&deleted.key, &entry)).unwrap_or_default();
            self.deleted.update_value(|all| all.push(Deleted { key, ..deleted }));
        });
    }

    /// Restores the recording that was deleted last.
    pub(crate) fn undo(self) {
        if let Some(last) = self.deleted.with_value(|deleted| deleted.last().cloned()) {
            self.restore_deleted(last);
        }
    }

    /// Restores the open recording from the bin.
    pub(crate) fn restore(self) {
        if let Some(opened) = untrack(|| self.opened()) {
            self.restore_deleted(Deleted::of(&opened));
        }
    }

    fn restore_deleted(self, one: Deleted) {
        self.request("POST", format!("/library/bin/{}", encoded(&one.key)), None, move |answer| {
            let restored = serde_json::from_str::<Entry>(&answer);
            self.deleted.update_value(|all| all.retain(|deleted| deleted.key != one.key));
            match self.query.with_untracked(|query| query.bin) {
                true => self.remove(&one.key),
                false => self.cursor.set(restored.ok().map(|entry| key(&entry))),
            }
            self.show_message(format!("{}: back in the library.", one.title), false);
            self.refresh();
        });
    }

    /// Removes all recordings in the bin for good.
    pub(crate) fn empty_bin(self) {
        self.request("DELETE", "/library/bin".to_owned(), None, move |answer| {
            let removed: u64 = answer.trim().parse().unwrap_or_default();
            self.deleted.update_value(Vec::clear);
            self.show_bin(true);
            self.show_message(
                format!("{} removed for good.", count(removed, "recording", "recordings")),
                false,
            );
        });
    }

    /// Sends a request to the relay. Calls `done` with the answer, or shows why there is none.
    pub(super) fn request(
        self,
        method: &'static str,
        path: String,
        body: Option<String>,
        done: impl FnOnce(String) + 'static,
    ) {
        spawn_local(async move {
            match http::ask(method, &path, body.as_deref()).await {
                Ok(answer) => done(answer),
                Err(failed) => {
                    self.show_message(failed.words(), false);
                    self.refresh();
                }
            }
        });
    }

    /// Sends a long request to the relay, as a job that shows progress and can be cancelled. Calls `done` with the
    /// answer.
    pub(super) fn long_request(
        self,
        job: RunningJob,
        path: &str,
        body: Option<String>,
        done: impl FnOnce(String) + 'static,
    ) {
        let Some(request) = Request::open("POST", path) else { return job.finish() };
        let abort = request.clone();
        job.on_cancel(move || {
            abort.abort();
            self.repairing.set(None);
        });
        show_share(job, path.to_owned());
        spawn_local(async move {
            let answer = http::complete(&request, body.as_deref()).await;
            // The relay stops when the request is aborted.
            if !job.is_wanted() {
                return self.refresh();
            }
            match answer {
                Ok(answer) => {
                    job.finish();
                    done(answer);
                }
                Err(failed) => {
                    job.fail(failed.words());
                    self.repairing.set(None);
                    self.refresh();
                }
            }
        });
    }

    /// Has the relay repair a damaged file, and opens the repaired recording.
    pub(crate) fn repair(self, file: &str) {
        let file = file.to_owned();
        let path = format!("/library/repair/{}", encoded(&file));
        self.repairing.set(Some(file.clone()));
        self.long_request(self.jobs.begin(Work::Repair, &file), &path, None, move |answer| {
            if let Ok(repaired) = serde_json::from_str::<Repaired>(&answer) {
                self.take_repaired(&file, repaired);
            }
        });
    }

    /// Replaces the row of a damaged file by the repaired recording, and opens it.
    fn take_repaired(self, file: &str, repaired: Repaired) {
        let (words, whole) = (saved(&repaired), listed(repaired.entry));
        let key = whole.key.clone();
        self.show_message(format!("{} is repaired.", title(&whole.entry)), false);
        self.repaired.set(Some((key.clone(), words)));
        self.contents.update(|contents| contents.replace(file, whole));
        self.open(Some(key));
        self.refresh();
    }

    /// Removes a recording from the list. The cursor moves to the next row, or from the last row to the one before.
    fn remove(self, key: &str) {
        let next = self.found.with_untracked(|found| {
            let place = found.iter().position(|one| one.key == key)?;
            let next = found.get(place + 1).or_else(|| found.get(place.checked_sub(1)?));
            next.map(|one| one.key.clone())
        });
        if self.query.with_untracked(|query| query.open.as_deref() == Some(key)) {
            self.open(None);
        }
        if self.cursor.with_untracked(|cursor| cursor.as_deref() == Some(key)) {
            self.cursor.set(next);
        }
        self.contents.update(|contents| contents.all.retain(|one| one.key != key));
        self.refresh();
    }
}

/// Shows the relay's progress until the job ends.
fn show_share(job: RunningJob, path: String) {
    spawn_local(async move {
        loop {
            browser::pause(SHARES_MS).await;
            if !job.is_wanted() {
                return;
            }
            // If the relay does not answer, the job's own request fails too and says why.
            let Ok(answer) = http::ask("GET", &path, None).await else { return };
            if let Ok(share) = answer.trim().parse() {
                job.reached(share);
            }
        }
    });
}

/// The key in the bin of a recording that had this key in the library.
fn bin_key(key: &str, binned: &Entry) -> String {
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
    fn a_repair_lists_what_it_saved_and_what_was_lost() {
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
        assert_eq!([bin_key("cut.mcap", &entry), bin_key(&id, &entry)], ["cut-2.mcap".to_owned(), id]);
    }
}
