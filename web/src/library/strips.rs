//! Temporary messages: trouble with the relay or its folder, and the last change.

use leptos::prelude::*;

use super::Library;
use super::changes::undo;
use super::toast::Offer;
use crate::browser;
use crate::cockpit::ActiveTask;
use crate::route::Page;

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

/// The message about the last change, with what can be done about it.
#[component]
pub(super) fn ToastStrip() -> impl IntoView {
    let (library, active_task) = (Library::here(), ActiveTask::here());
    let toast = move || {
        library.toasts.shown.get().map(|toast| {
            let offer = toast.offer.map(|offer| match offer {
                Offer::Undo => {
                    let on_undo = move |_| undo(library);
                    view! { <button type="button" data-testid="undo" on:click=on_undo>"Undo"</button> }.into_any()
                }
                Offer::Drive(task) => {
                    let drive = move |_| {
                        library.toasts.shown.set(None);
                        active_task.follow(Some((*task).clone()));
                        // It may have been changed or deleted since the import.
                        active_task.reload(task.recording);
                        browser::go_to(Page::Live.hash());
                    };
                    view! {
                        <button type="button" class="primary" data-testid="drive-now" on:click=drive>"Drive it now"</button>
                        <button type="button" class="quiet" data-testid="not-now" on:click=move |_| library.toasts.shown.set(None)>"Not now"</button>
                    }
                    .into_any()
                }
            });
            view! { <span>{toast.words}</span> {offer} }
        })
    };
    view! { <div class="toast" role="status" data-figure="toast">{toast}</div> }
}
