//! The notice about a recording that the address names and that does not play yet, or is not available.

use leptos::prelude::*;

use crate::cockpit::{Asked, Playback};
use crate::replay::{Link, Place};
use crate::ui::{FileButton, list};

/// The notice: the recording is being opened, or was not found.
#[component]
pub(super) fn LinkedRecording() -> impl IntoView {
    let playback = Playback::here();
    move || match playback.asked.get() {
        Asked::Nothing => ().into_any(),
        Asked::Opening(link) => {
            let name = link.file.clone().unwrap_or_else(|| link.id.to_string());
            view! { <p class="asked" role="status" data-figure="opening">"Opening " <code>{name}</code></p> }
                .into_any()
        }
        Asked::Missing { link, why } => view! { <Missing link why/> }.into_any(),
    }
}

#[component]
fn Missing(link: Link, why: String) -> impl IntoView {
    let playback = Playback::here();
    let begins = match link.place {
        None => "",
        Some(Place::At(_)) => " It starts where the link says.",
        Some(Place::Lap(_)) => " It starts at the lap of the link.",
    };
    let id = link.id.to_string();
    let (what, name) = match &link.file {
        Some(file) => ("the file ", file.clone()),
        None => ("the file of the recording ", id.clone()),
    };
    let open = move |files: web_sys::FileList| playback.open_files(list(&files));
    view! {
        <section class="asked" role="alert" data-figure="missing-recording">
            <h2>"Recording not found"</h2>
            <p data-figure="why">{why}</p>
            <p>
                "If you have it, drop " {what} <code>{name}</code> " anywhere on this page, or open it." {begins}
            </p>
            <p class="actions">
                <FileButton label="Open the file" testid="open" on_files=open/>
                <button
                    type="button"
                    data-testid="retry"
                    on:click=move |_| playback.open_link(link.clone())
                >
                    "Retry"
                </button>
                <span>"Recording " <code data-figure="wanted">{id}</code></span>
            </p>
        </section>
    }
}
