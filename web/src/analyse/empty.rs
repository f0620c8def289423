//! The page without laps: what is loading, what is missing, and what to do.

use leptos::prelude::*;

use super::actions::Action;
use crate::analyse::{
    AddressFollower, ComparisonStore, LapSource, PendingLink, SelectionStore, SourceId, Sources,
};
use crate::cockpit::TelemetryStore;
use crate::reactive::LocalSignal;
use crate::route::Page;
use crate::ui::ActionButton;

/// Why no laps are shown.
#[derive(Clone, Debug, PartialEq)]
enum Empty {
    /// The recording in the address is being opened: its file name, or its id.
    Opening(String),
    /// The recording in the address could not be opened.
    NotFound(Missing),
    /// Laps are being read.
    Loading,
    /// There is nothing to show: a headline, and what to do.
    Nothing(&'static str, &'static str),
}

/// A recording that is missing.
#[derive(Clone, Debug, PartialEq)]
struct Missing {
    id: String,
    file: Option<String>,
    /// The description of the session, from the link.
    session: Option<String>,
    why: String,
}

/// The message that is shown instead of lanes.
#[component]
pub(super) fn EmptyState() -> impl IntoView {
    let (sources, selection, comparison) = (
        expect_context::<LocalSignal<Sources>>(),
        expect_context::<SelectionStore>(),
        expect_context::<ComparisonStore>(),
    );
    let is_viewer = TelemetryStore::here().is_viewer();
    let empty = Memo::new(move |_| empty(sources, selection, comparison, is_viewer));
    let content = move || {
        empty.get().map(|empty| match empty {
            Empty::Opening(file) => {
                view! { <p data-figure="opening">"Opening " <code>{file}</code></p> }.into_any()
            }
            Empty::NotFound(missing) => view! { <NotFound missing/> }.into_any(),
            Empty::Loading => view! { <p><b>"One moment"</b></p><p>"Loading laps."</p> }.into_any(),
            Empty::Nothing(title, advice) => view! { <Nothing title advice/> }.into_any(),
        })
    };
    view! { <div class="empty-state" id="nothing">{content}</div> }
}

#[component]
fn NotFound(missing: Missing) -> impl IntoView {
    let follower = expect_context::<AddressFollower>();
    let Missing { id, file, session, why } = missing;
    let what =
        if file.is_some() { "If you have it, drop the file " } else { "If you have it, drop the file of " };
    view! {
        <p><b>"Recording not found"</b></p>
        {session.map(|session| view! { <p data-figure="wanted-session"><b>{session}</b></p> })}
        <p data-figure="why">{why}</p>
        <p>
            {what} <code>{file.unwrap_or_else(|| id.clone())}</code>
            " anywhere on this page, or open it: the linked view opens as soon as it's loaded."
        </p>
        <p class="actions">
            <ActionButton action=Action::OpenRecording>"Open the file"</ActionButton>
            <button type="button" data-testid="seek" on:click=move |_| follower.retry()>"Retry"</button>
        </p>
        <p class="soft">"Recording " <code data-figure="wanted">{id}</code></p>
    }
}

#[component]
fn Nothing(title: &'static str, advice: &'static str) -> impl IntoView {
    let is_viewer = TelemetryStore::here().is_viewer();
    view! {
        <p><b>{title}</b></p>
        <p>{advice}</p>
        <p class="actions">
            <ActionButton action=Action::OpenRecording>"Open a recording"</ActionButton>
        </p>
        <p>
            <Show when=move || !is_viewer>
                <a href=Page::Library.hash()>"Library"</a>
                " · "
            </Show>
            <a href=Page::Connections.hash()>{if is_viewer { "Demo" } else { "Connections and demo" }}</a>
        </p>
    }
}

fn empty(
    sources: LocalSignal<Sources>,
    selection: SelectionStore,
    comparison: ComparisonStore,
    is_viewer: bool,
) -> Option<Empty> {
    if comparison.shown().is_some() {
        return None;
    }
    let pending =
        selection.state.with(|selection| selection.pending.as_ref().map(|pending| missing(sources, pending)));
    Some(pending.unwrap_or_else(|| nothing(sources, selection, comparison, is_viewer)))
}

/// The state of the recording that a pending link names.
fn missing(sources: LocalSignal<Sources>, pending: &PendingLink) -> Empty {
    let (id, file) = (pending.id.to_string(), sources.with(|sources| sources.file(pending.id)));
    match &pending.why {
        None => Empty::Opening(file.unwrap_or(id)),
        Some(why) => {
            let session = pending.link.session.clone();
            Empty::NotFound(Missing { id, file, session, why: why.clone() })
        }
    }
}

/// The state of a page without a pending link.
fn nothing(
    sources: LocalSignal<Sources>,
    selection: SelectionStore,
    comparison: ComparisonStore,
    is_viewer: bool,
) -> Empty {
    let (is_chosen, has_trouble) = (selection.main_lap().is_some(), comparison.trouble().is_some());
    sources.with(|sources| match sources.listed() {
        _ if has_trouble => Empty::Nothing("Nothing to show", "Choose another lap."),
        Some(_) if is_chosen => Empty::Loading,
        Some(source) => without_laps(source),
        None if is_viewer => Empty::Nothing(
            "No laps yet",
            "Open a recording, or drop it here. Its latest lap is compared with its best automatically.",
        ),
        None => Empty::Nothing(
            "No laps yet",
            "Drive a lap, start the demo, or drop a recording here. Your latest lap is compared with your best \
             automatically.",
        ),
    })
}

/// Why no lap of the listed source is compared automatically.
fn without_laps(source: &LapSource) -> Empty {
    match (source.name, source.catalogue.laps().is_empty()) {
        (SourceId::Live, _) => Empty::Nothing(
            "No lap of yours yet",
            "It appears when you cross the line; other drivers' laps are in the list.",
        ),
        (SourceId::Recording(_), true) => Empty::Nothing(
            "No finished lap",
            "This recording has no lap from line to line. You can play it on the Live page.",
        ),
        (SourceId::Recording(_), false) => Empty::Nothing("No lap is chosen", "Choose one in the list."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::Analyse;

    #[test]
    fn without_any_laps_it_says_how_to_get_some() {
        let owner = Owner::new();
        owner.set();
        for (is_viewer, way) in [(false, "Drive a lap"), (true, "Open a recording")] {
            let Analyse { sources, selection, comparison, .. } = Analyse::empty();
            let empty = empty(sources, selection, comparison, is_viewer);
            let Some(Empty::Nothing("No laps yet", advice)) = empty else { panic!("{empty:?}") };
            assert!(advice.starts_with(way), "{advice}");
        }
    }
}
