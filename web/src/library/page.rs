//! The layout of the Library page, and when it loads from the relay.

use std::time::Duration;

use leptos::prelude::*;

use super::Contents;
use super::Library;
use super::actions::{Action, ActionContext};
use super::details::Details;
use super::empty::EmptyList;
use super::list::RecordingList;
use super::strips::{ToastStrip, TroubleStrip};
use super::tools::Tools;
use crate::cockpit::{Navigation, RelayLink, TelemetryStore};
use crate::ui::{PageDialogs, provide_actions};

/// Interval at which the list is loaded while a recording grows.
const REFRESH: Duration = Duration::from_secs(5);
/// Delay before details are loaded, so that rows passed quickly are skipped.
const PAUSE: Duration = Duration::from_millis(120);

/// The page.
#[component]
pub(crate) fn LibraryPage() -> impl IntoView {
    let library = Library::here();
    let navigation = Navigation::here();
    provide_actions::<Action>(ActionContext::new(library));
    follow_relay(library);
    let nowhere = move || (!library.contents.with(Contents::is_somewhere)).then_some("");
    view! {
        <main id="main" node_ref=navigation.main class="library" tabindex="-1" data-page="library" data-nowhere=nowhere>
            <h1 class="unseen">"Library"</h1>
            <Tools/>
            <TroubleStrip/>
            <div class="recordings">
                <RecordingList>
                    <EmptyList/>
                </RecordingList>
                <Details/>
            </div>
            <ToastStrip/>
            <PageDialogs/>
        </main>
    }
}

/// Keeps the list and the details up to date as long as the page is shown.
fn follow_relay(library: Library) {
    let (relay, telemetry) = (RelayLink::here(), TelemetryStore::here());
    let underway = telemetry.sampled(|telemetry| telemetry.ports.underway());
    Effect::new(move |_| {
        // Read both: an effect is called again only for signals that it has read.
        drop((underway.get(), relay.state.get()));
        library.refresh();
    });
    let opened = Memo::new(move |_| library.opened());
    Effect::new(move |_| {
        drop(opened.get());
        set_timeout(move || library.load_details(), PAUSE);
    });
    let grows = move || library.contents.with_untracked(|all| all.all.iter().any(|one| one.entry.underway));
    let refresh = move || {
        if grows() {
            library.refresh();
        }
    };
    let growing = set_interval_with_handle(refresh, REFRESH);
    let focused = window_event_listener(leptos::ev::focus, move |_| library.refresh());
    on_cleanup(move || {
        drop(growing.map(|growing| growing.clear()));
        focused.remove();
    });
}
