//! A recording that the address asks for and that does not play yet, or can't be had from here.

use leptos::prelude::*;

use crate::cockpit::{Asked, Cockpit};
use crate::opener::opener;
use crate::replay::{Link, Place};

/// What becomes of it.
pub(super) fn asked() -> impl IntoView {
    let cockpit = Cockpit::here();
    move || match cockpit.asked.get() {
        Asked::Nothing => ().into_any(),
        Asked::Opening(link) => {
            let name = link.file.unwrap_or_else(|| link.id.to_string());
            view! { <p class="asked" role="status" data-figure="opening">"Opening "<code>{name}</code></p> }
                .into_any()
        }
        Asked::Missing { link, why } => missing(cockpit, link, why).into_any(),
    }
}

fn missing(cockpit: Cockpit, link: Link, why: String) -> impl IntoView {
    let begins = match link.place {
        None => "",
        Some(Place::At(_)) => " It begins where the link says.",
        Some(Place::Lap(_)) => " It begins at the lap that the link names.",
    };
    let file = link.file.clone();
    let what = if file.is_some() { "the file " } else { "the file of the recording " };
    let id = link.id.to_string();
    let again = move |_| cockpit.open_link(link.clone());
    view! {
        <section class="asked" role="alert" data-figure="missing-recording">
            <h2>"This link's recording is not here"</h2>
            <p data-figure="why">{why}</p>
            <p>
                "If you have it, drop "{what}<code>{file.unwrap_or_else(|| id.clone())}</code>" anywhere on this page, or open it."
                {begins}
            </p>
            <p class="actions">
                {opener("Open the file")}
                <button type="button" data-action="again" on:click=again>"Look again"</button>
                <span>"Recording "<code data-figure="wanted">{id}</code></span>
            </p>
        </section>
    }
}
