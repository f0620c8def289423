//! Files can be dropped anywhere on the page. While one is held over it, a notice says what dropping does.

use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::{DragEvent, File, FileList};

use super::parts;
use crate::browser;
use crate::cockpit::{Navigation, Playback, TeamStore};
use crate::library::{Contents, Imports, Library};
use crate::route::Page;
use crate::ui::list;

/// Opens or imports dropped files, and covers the page with a notice while one is held over it.
#[component]
pub(super) fn DropTarget() -> impl IntoView {
    let (navigation, playback) = (Navigation::here(), Playback::here());
    let (library, imports) = (Library::here(), Imports::here());
    let team = expect_context::<TeamStore>();
    let held = RwSignal::new(false);
    let listeners = [
        window_event_listener(ev::dragover, move |event| {
            // Otherwise the browser would navigate to the file.
            event.prevent_default();
            held.set(true);
        }),
        window_event_listener(ev::dragleave, move |event| {
            if event.related_target().is_none() {
                held.set(false);
            }
        }),
        window_event_listener(ev::drop, move |event| {
            event.prevent_default();
            held.set(false);
            let files = files_of(&event).map(|files| list(&files)).unwrap_or_default();
            let invitation = TeamStore::invitation_in(&files);
            if let Some(file) = invitation.filter(|_| browser::home().has_relay()) {
                browser::go_to(Page::Connections.hash());
                team.look(file);
            } else if untrack(|| goes_to_library(navigation, library)) {
                add_to_library(imports, files);
            } else if !files.is_empty() {
                playback.open_files(files);
            }
        }),
    ];
    on_cleanup(move || listeners.into_iter().for_each(WindowListenerHandle::remove));
    let words = move || match goes_to_library(navigation, library) {
        true => "Drop recordings to add them to the library",
        false => "Drop a recording to open it",
    };
    view! {
        <Show when=move || held.get()>
            <div class="dropping" data-testid="dropping"><p>{words}</p></div>
        </Show>
    }
}

/// Adds files to the library, with the code of its page.
fn add_to_library(imports: Imports, files: Vec<File>) {
    spawn_local(async move {
        // If the code did not arrive, the page that the files were dropped on says so.
        let _ = parts::import(imports, files).await;
    });
}

fn files_of(event: &DragEvent) -> Option<FileList> {
    event.data_transfer()?.files()
}

/// Whether dropped files are added to the library. Otherwise the page opens them.
fn goes_to_library(navigation: Navigation, library: Library) -> bool {
    navigation.page.get() == Page::Library && library.contents.with(Contents::is_somewhere)
}
