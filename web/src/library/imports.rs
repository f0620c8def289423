//! Imports files one after the other, each with its progress.

use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::library::ImportedRecording;

use super::Library;
use super::import::ImportQueue;
use super::toast::{Offer, Toast};
use super::words::{key, title};
use crate::cockpit::TableQuestions;
use crate::http::{self, Failed, Request};
use crate::jobs::{RunningJob, Work};
use crate::replay::{ImportChoice, Refused, TableChoice, is_ldx_of, recording_file};
use crate::text::words::encoded;

/// The files to import. Copies are handles to the same queue.
#[derive(Clone, Copy)]
pub(crate) struct Imports {
    library: Library,
    questions: TableQuestions,
    queue: StoredValue<ImportQueue, LocalStorage>,
}

impl Imports {
    /// An empty queue of imports into the library, which all components get.
    pub(crate) fn provide(library: Library) -> Self {
        let queue = StoredValue::new_local(ImportQueue::default());
        let imports = Self { library, questions: TableQuestions::here(), queue };
        provide_context(imports);
        imports
    }

    /// The queue that the app provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Queues files for import. An .ldx file goes with its MoTeC log and not alone.
    pub(crate) fn add(self, files: Vec<web_sys::File>) {
        let chosen: Rc<[_]> = files.into();
        let belongs =
            |name: &str| chosen.iter().any(|log| is_log(&log.name()) && is_ldx_of(name, &log.name()));
        for file in chosen.iter().filter(|file| !belongs(&file.name())) {
            self.queue(file.clone(), Rc::clone(&chosen), ImportChoice::REMEMBERED);
        }
        self.import_next();
    }

    fn queue(self, file: web_sys::File, chosen: Rc<[web_sys::File]>, choice: ImportChoice) {
        let job = self.library.jobs.queue(Work::Import, &file.name());
        self.queue.update_value(|queue| queue.add((job, file, chosen, choice)));
    }

    fn import_next(self) {
        let next = self.queue.try_update_value(ImportQueue::next).flatten();
        let Some((job, file, beside, choice)) = next else { return };
        spawn_local(async move {
            match recording_file(file.clone(), &beside, choice, move |_: &str, share| job.reached(share))
                .await
            {
                Ok((made, note)) if job.is_wanted() => {
                    let again = (file, beside);
                    self.send(job, &made, note, again).await;
                }
                Err(Refused::Because(words)) => job.fail(words),
                Err(Refused::Unknown(table)) => {
                    job.finish();
                    self.questions.ask(*table, move |mapping| {
                        let choice =
                            ImportChoice { table: TableChoice::Chosen(mapping), ..ImportChoice::REMEMBERED };
                        self.queue(file.clone(), Rc::clone(&beside), choice);
                        self.import_next();
                    });
                }
                Ok(_) | Err(Refused::Cancelled) => {}
            }
            self.queue.update_value(ImportQueue::go_on);
            self.import_next();
        });
    }

    async fn send(
        self,
        job: RunningJob,
        file: &web_sys::File,
        note: Option<String>,
        (original, chosen): (web_sys::File, Rc<[web_sys::File]>),
    ) {
        let path = format!("/library?name={}", encoded(&file.name()));
        let Some(request) = Request::open("POST", &path) else { return job.finish() };
        let abort = request.clone();
        job.on_cancel(move || abort.abort());
        let bytes = (file.size() as u64).max(1);
        // The relay checks the file once all bytes are sent.
        let sent = move |sent: u64| match sent >= bytes {
            true => drop(job.step(None, "Checking…".to_owned())),
            false => drop(job.reached(sent as f64 / bytes as f64)),
        };
        let answer = http::send_file(&request, file, sent).await;
        let imported = answer.and_then(|json| ImportedRecording::read(&json).map_err(|_| Failed::Stranger));
        match imported {
            Ok(imported) => {
                job.finish();
                self.show_imported(&imported, note);
            }
            Err(Failed::Refused(words)) => job.fail(words),
            // A cancelled import fails like this too, but its job is gone: nothing is shown.
            Err(failed @ (Failed::Silent | Failed::Stranger)) => {
                job.fail_for_now(failed.words(), move || {
                    self.queue(original.clone(), Rc::clone(&chosen), ImportChoice::REMEMBERED);
                    self.import_next();
                })
            }
        }
    }

    fn show_imported(self, imported: &ImportedRecording, note: Option<String>) {
        self.library.cursor.set(Some(key(&imported.entry)));
        let sentences: Vec<String> = [Some(words(imported)), note].into_iter().flatten().collect();
        self.library.toasts.show(Toast { words: sentences.join(" "), offer: offer(imported) });
        self.library.refresh();
    }
}

/// The message after an import. A copy of a known recording, or a clip of it with notes or tasks, is merged with it: the
/// message names what was added, changed and deleted.
fn words(imported: &ImportedRecording) -> String {
    let title = title(&imported.entry);
    match &imported.merged {
        None => format!("{title} imported."),
        Some(merged) if merged.is_empty() => format!("{title} was there already. No new notes or tasks."),
        Some(merged) => format!("{title} was there already. {}", merged.sentences().join(" ")),
    }
}

/// The coach's task that can be driven now.
fn offer(imported: &ImportedRecording) -> Option<Offer> {
    let task = imported.merged.as_ref()?.tasks.iter().find(|task| !task.done)?;
    Some(Offer::Drive(Box::new(task.clone())))
}

fn is_log(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".ld")
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::library::Entry;
    use trailbrake_shared::recording::{MergedNotes, Task};

    use super::*;

    #[test]
    fn a_merged_copy_says_what_it_added() {
        let entry = Entry { name: Some("Friday".into()), ..Entry::default() };
        let check = |merged: Option<MergedNotes>, expected: &str| {
            assert_eq!(words(&ImportedRecording { entry: entry.clone(), merged }), expected);
        };
        check(None, "Friday imported.");
        check(Some(MergedNotes::default()), "Friday was there already. No new notes or tasks.");
        let note = r#"{"recording":"00000000000000000000000000000003","at":5,"author":"Ann","text":"late"}"#;
        let added = vec![serde_json::from_str(note).expect("a note")];
        check(
            Some(MergedNotes { added, ..MergedNotes::default() }),
            "Friday was there already. 1 note by Ann added: “late”.",
        );
    }

    #[test]
    fn a_coach_s_new_task_can_be_driven_at_once() {
        let task = |done: bool| -> Task {
            let mean = |mean: f64| serde_json::json!({ "laps": 8, "mean": mean, "deviation": 0.1 });
            let task = serde_json::json!({
                "recording": "00000000000000000000000000000003", "created": 5, "author": "Ann",
                "corner": { "number": 5, "apex_m": 900.0, "from_m": 700.0, "to_m": 1100.0 },
                "words": "Brake later",
                "target": { "measure": "brake-point", "goal": 805.0, "tolerance": 4.0, "aim": "exact" },
                "laps": 12, "done": done,
                "baseline": { "time_s": mean(8.0), "value": mean(800.0), "mistakes": 0 },
            });
            serde_json::from_value(task).expect("a task")
        };
        let offered = |tasks: Vec<Task>| {
            let merged = Some(MergedNotes { tasks, ..MergedNotes::default() });
            offer(&ImportedRecording { entry: Entry::default(), merged })
        };
        assert_eq!(offered(vec![task(true), task(false)]), Some(Offer::Drive(Box::new(task(false)))));
        assert_eq!([offered(vec![task(true)]), offered(Vec::new())], [None, None]);
        assert_eq!(
            offer(&ImportedRecording::default()),
            None,
            "another's recording, imported for the first time"
        );
    }
}
