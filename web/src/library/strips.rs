//! Lines that come and go: what is wrong, files that are being imported, the last change.

use leptos::prelude::*;

use super::Library;
use super::import::Import;

/// What is wrong although recordings are listed.
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

/// The files that are being imported.
#[component]
pub(super) fn Imports() -> impl IntoView {
    let library = Library::here();
    let numbers = Memo::new(move |_| {
        library.imports.with(|all| all.iter().map(|import| import.number).collect::<Vec<_>>())
    });
    view! {
        <ul class="importing" aria-label="Files that are being imported">
            <For each=move || numbers.get() key=|number| *number let:number>
                <ImportRow number/>
            </For>
        </ul>
    }
}

#[component]
fn ImportRow(number: u32) -> impl IntoView {
    let library = Library::here();
    let import = Memo::new(move |_| {
        library.imports.with(|all| all.iter().find(|import| import.number == number).cloned())
    });
    let word = move |read: fn(&Import) -> String| move || import.with(|import| import.as_ref().map(read));
    let failed =
        Memo::new(move |_| import.with(|import| import.as_ref().is_some_and(|it| it.failed.is_some())));
    view! {
        <li data-figure="import" data-failed=move || failed.get().then_some("")>
            <b>{word(|import| import.name.clone())}</b>
            <Show when=move || !failed.get()>
                <progress max="100" value=word(|import| import.percent().to_string())></progress>
            </Show>
            <span>{word(Import::words)}</span>
            <button
                type="button"
                class="quiet"
                data-testid="cancel-import"
                on:click=move |_| library.cancel_import(number)
            >
                {move || if failed.get() { "Dismiss" } else { "Cancel" }}
            </button>
        </li>
    }
}

/// The last change, and its undo.
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
