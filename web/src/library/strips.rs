//! Temporary messages: trouble with the relay or its folder, and the last change.

use leptos::prelude::*;

use super::Library;

/// The trouble while recordings are listed. Without any, the empty list shows it.
#[component]
pub(super) fn TroubleStrip() -> impl IntoView {
    let library = Library::here();
    let words = Memo::new(move |_| {
        library.contents.with(|contents| {
            let failed = contents.failed.as_ref();
            let last = failed.map(|failed| format!("{} This is the last list.", failed.words()));
            last.or_else(|| contents.trouble.clone()).filter(|_| !contents.all.is_empty())
        })
    });
    move || {
        words.get().map(|words| {
            view! { <p class="stopped" role="status" data-figure="library-trouble">{words}</p> }
        })
    }
}

/// The message about the last change, with its undo.
#[component]
pub(super) fn ToastStrip() -> impl IntoView {
    let library = Library::here();
    let toast = move || {
        library.toast.get().map(|toast| {
            let undo = toast.undo.then(|| {
                view! { <button type="button" data-testid="undo" on:click=move |_| library.undo()>"Undo"</button> }
            });
            view! { <span>{toast.words}</span> {undo} }
        })
    };
    view! { <div class="toast" role="status" data-figure="toast">{toast}</div> }
}
