//! Importing files: one after the other, each with its progress.

use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::library::ImportedRecording;

use super::Library;
use super::import::Import;
use super::words::{key, title};
use crate::http::{self, Failed, Request};
use crate::replay::{Refused, is_ldx_of, recording_file};
use crate::words::encoded;

impl Library {
    /// Imports files.
    pub(crate) fn import(self, files: Vec<web_sys::File>) {
        let chosen: Rc<[_]> = files.into();
        let belongs =
            |name: &str| chosen.iter().any(|log| is_log(&log.name()) && is_ldx_of(name, &log.name()));
        for file in chosen.iter().filter(|file| !belongs(&file.name())) {
            let add = |queue: &mut super::import::ImportQueue| queue.add(file.clone(), &chosen);
            let Some(number) = self.import_queue.try_update_value(add) else { return };
            let (name, bytes) = (file.name(), file.size() as u64);
            self.imports.update(|all| all.push(Import { number, name, bytes, sent: None, failed: None }));
        }
        self.import_next();
    }

    /// Cancels the import of a file, or dismisses why it failed.
    pub(crate) fn cancel_import(self, number: u32) {
        self.imports.update(|all| all.retain(|one| one.number != number));
        self.import_queue.update_value(|queue| queue.remove(number));
        let sending = self.import_queue.with_value(|queue| queue.sending.clone());
        if let Some((_, Some(request))) = sending.filter(|(sends, _)| *sends == number) {
            request.abort();
        }
    }

    fn import_next(self) {
        let next = self.import_queue.try_update_value(super::import::ImportQueue::next).flatten();
        let Some((number, file, beside)) = next else { return };
        spawn_local(async move {
            match recording_file(file, &beside, move |_: &str, _| self.is_wanted(number)).await {
                Ok((file, note)) if self.is_wanted(number) => self.send(number, &file, note).await,
                Err(Refused::Because(words)) => {
                    self.update_import(number, |import| import.failed = Some(words));
                }
                Ok(_) | Err(Refused::Cancelled) => {}
            }
            self.import_queue.update_value(|queue| queue.sending = None);
            self.import_next();
        });
    }

    async fn send(self, number: u32, file: &web_sys::File, note: Option<String>) {
        let path = format!("/library?name={}", encoded(&file.name()));
        let Some(request) = Request::open("POST", &path) else { return };
        let bytes = file.size() as u64;
        self.update_import(number, |import| (import.bytes, import.sent) = (bytes, Some(0)));
        self.import_queue.update_value(|queue| queue.sending = Some((number, Some(request.clone()))));
        let sent = move |bytes| self.update_import(number, |import| import.sent = Some(bytes));
        let answer = http::send_file(&request, file, sent).await;
        self.finish_import(number, answer, note);
    }

    fn is_wanted(self, number: u32) -> bool {
        self.imports.with_untracked(|all| all.iter().any(|one| one.number == number))
    }

    fn finish_import(self, number: u32, answer: Result<String, Failed>, note: Option<String>) {
        let imported = answer.and_then(|json| ImportedRecording::read(&json).map_err(|_| Failed::Stranger));
        match imported {
            Ok(imported) => {
                self.imports.update(|all| all.retain(|one| one.number != number));
                self.cursor.set(Some(key(&imported.entry)));
                let imported = words(&imported);
                self.show_message(
                    [Some(imported), note].into_iter().flatten().collect::<Vec<_>>().join(" "),
                    false,
                );
                self.refresh();
            }
            // One that was cancelled is gone from the list already.
            Err(failed) => self.update_import(number, |import| import.failed = Some(failed.words())),
        }
    }

    fn update_import(self, number: u32, change: impl FnOnce(&mut Import)) {
        self.imports.update(|all| {
            if let Some(import) = all.iter_mut().find(|one| one.number == number) {
                change(import);
            }
        });
    }
}

/// What an import did. A copy of a known recording is merged with it: which notes that added, changed and deleted.
fn words(imported: &ImportedRecording) -> String {
    let title = title(&imported.entry);
    match &imported.merged {
        None => format!("{title} imported."),
        Some(merged) if merged.is_empty() => format!("{title} was there already. No new notes."),
        Some(merged) => format!("{title} was there already. {}", merged.sentences().join(" ")),
    }
}

fn is_log(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".ld")
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::library::Entry;
    use trailbrake_shared::recording::MergedNotes;

    use super::*;

    #[test]
    fn a_merged_copy_says_what_it_added() {
        let entry = Entry { name: Some("Friday".into()), ..Entry::default() };
        let check = |merged: Option<MergedNotes>, expected: &str| {
            assert_eq!(words(&ImportedRecording { entry: entry.clone(), merged }), expected);
        };
        check(None, "Friday imported.");
        check(Some(MergedNotes::default()), "Friday was there already. No new notes.");
        let note = r#"{"recording":"00000000000000000000000000000003","at":5,"author":"Ann","text":"late"}"#;
        let added = vec![serde_json::from_str(note).expect("a note")];
        check(
            Some(MergedNotes { added, ..MergedNotes::default() }),
            "Friday was there already. 1 note by Ann added: “late”.",
        );
    }
}
