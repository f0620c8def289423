//! Text with a button that copies it.

use leptos::prelude::*;

use crate::browser;

/// The outcome of the last copy, which the button shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// Nothing was copied yet.
    Copy,
    Copied,
    /// The browser refused, or has no clipboard here. A click on the text selects all of it.
    Refused,
}

/// A text to enter or paste elsewhere, with a button that copies it.
#[component]
pub(crate) fn CopiedText(#[prop(into)] text: Signal<String>) -> impl IntoView {
    let outcome = RwSignal::new(Outcome::Copy);
    Effect::new(move |_| {
        text.track();
        outcome.set(Outcome::Copy);
    });
    let copy = move |_| {
        leptos::task::spawn_local(async move {
            let copied = browser::copy_text(&text.get_untracked()).await;
            outcome.set(if copied { Outcome::Copied } else { Outcome::Refused });
        });
    };
    let label = move || match outcome.get() {
        Outcome::Copy => "Copy",
        Outcome::Copied => "Copied",
        Outcome::Refused => "Select and copy",
    };
    view! {
        <span class="copied-text">
            <code>{text}</code>
            <button type="button" on:click=copy aria-label=move || format!("{} {}", label(), text.get())>{label}</button>
        </span>
    }
}
