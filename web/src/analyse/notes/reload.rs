//! Notes and tasks that another page wrote.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::recording::RecordingId;

use crate::analyse::{Analyse, SourceId};
use crate::http;

impl Analyse {
    /// Reloads the notes and tasks of a recording, if it is open from the relay.
    pub(crate) fn reload_written(self, id: RecordingId) {
        let Some(of) = self.source_at_relay(id) else { return };
        spawn_local(async move {
            // If the request fails, the next reload or change brings them.
            if let Ok(answer) = http::ask("GET", &format!("/library/{id}"), None).await
                && let Err(why) = self.take_answer(of, id, &answer)
            {
                self.show_note_trouble(Some(why));
            }
        });
    }

    /// The source of a recording whose notes the relay keeps; `None` if it is not open or only from a file.
    fn source_at_relay(self, id: RecordingId) -> Option<SourceId> {
        let is_at_relay = |of: &SourceId| {
            self.sources.with_untracked(|sources| {
                let opened = sources.get(*of).and_then(|source| source.opened.as_ref());
                opened.is_none_or(|opened| opened.source.is_at_relay())
            })
        };
        let sources: Vec<SourceId> = self.notes.with_untracked(|notes| {
            notes.books.iter().filter(|book| book.id == id).map(|book| book.of).collect()
        });
        sources.into_iter().find(is_at_relay)
    }
}
