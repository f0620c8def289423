//! The message in place of an empty list: what is loading or missing, and what to do.

use leptos::prelude::*;

use super::Library;
use super::actions::Action;
use crate::browser;
use crate::cockpit::Playback;
use crate::driver_settings::SettingsStore;
use crate::http::Failed;
use crate::ui::{ActionButton, FileButton, list};

/// Why there are no rows.
#[derive(Clone, Debug, PartialEq)]
struct Empty {
    /// The reason's name for tests and the style sheet.
    state: &'static str,
    title: &'static str,
    words: String,
}

/// The message while the list has no rows.
#[component]
pub(super) fn EmptyList() -> impl IntoView {
    let (library, driver) = (Library::here(), SettingsStore::here().driver());
    let empty = Memo::new(move |_| {
        let is_empty = library.found.with(|found| found.is_empty());
        is_empty.then(|| empty(library, driver.with(|driver| driver.record)))
    });
    move || {
        empty.get().map(|Empty { state, title, words }| {
            view! {
                <div class="instead" data-figure="instead" data-state=state>
                    <p><b>{title}</b></p>
                    <p>{words}</p>
                    {match state {
                        "no-matches" => {
                            view! { <ActionButton action=Action::ClearSearch>"Clear filters"</ActionButton> }.into_any()
                        }
                        "nowhere" => view! { <OpenFile/> }.into_any(),
                        _ => ().into_any(),
                    }}
                </div>
            }
        })
    }
}

#[component]
fn OpenFile() -> impl IntoView {
    let playback = Playback::here();
    let open = move |files: web_sys::FileList| playback.open_files(list(&files));
    view! { <FileButton label="Open a recording" class="button" testid="open" on_files=open/> }
}

fn empty(library: Library, records: bool) -> Empty {
    let bin = library.query.with(|query| query.bin);
    library.contents.with(|contents| {
        let (state, title, words) = match (&contents.failed, &contents.trouble) {
            _ if !contents.all.is_empty() => {
                ("no-matches", "No matches", "No recording has all of these words and filters.".to_owned())
            }
            (Some(Failed::Silent), _) => (
                "silent",
                "The relay does not answer",
                "What it recorded is safe in its folder, and is listed here as soon as it runs again."
                    .to_owned(),
            ),
            (Some(failed), _) => (
                "nowhere",
                "There is no library here",
                format!("{} You can still open a recording that you have as a file.", failed.words()),
            ),
            (None, _) if !contents.here => ("loading", "Reading the library…", String::new()),
            (None, Some(trouble)) => ("trouble", "The library can't be read", trouble.clone()),
            (None, None) if bin => {
                ("empty-bin", "The bin is empty", "Deleted recordings stay here for thirty days.".to_owned())
            }
            (None, None) if browser::home().is_hub() => (
                "empty",
                "Nothing here yet",
                "What a rig records arrives by itself, while it is driven.".to_owned(),
            ),
            (None, None) if !records => (
                "empty",
                "Nothing recorded yet",
                "Recording is off, so what you drive is not kept. Turn it on in Settings, or drop recordings here."
                    .to_owned(),
            ),
            (None, None) => (
                "empty",
                "Nothing recorded yet",
                format!(
                    "Start driving: every session is recorded automatically, in {}. Or drop recordings here.",
                    contents.folder
                ),
            ),
        };
        Empty { state, title, words }
    })
}
