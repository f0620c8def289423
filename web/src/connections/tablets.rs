//! The Tablets section: opens the page to tablets with a link and its QR code.

use leptos::prelude::*;
use trailbrake_shared::wire::TabletLink;

use super::actions::{Action, ActionContext};
use crate::ui::{ActionButton, CopiedText};

/// The white margin around a QR code, in modules. Scanners need it.
const MARGIN: u32 = 4;

/// The section, for the owner only.
#[component]
pub(super) fn Tablets() -> impl IntoView {
    let tablets = ActionContext::here().tablets;
    // The index of the link whose code is shown: with several networks, only one of them may reach the tablet.
    let chosen = RwSignal::new(0_usize);
    let links =
        Memo::new(move |_| tablets.links.with(|links| links.as_ref().map(|links| links.links.clone())));
    let opened = move |links: Vec<TabletLink>| {
        let urls: Vec<String> = links.iter().map(|link| link.url.clone()).collect();
        let several = urls.len() > 1;
        let choice = move |(index, url): (usize, String)| {
            let radio = several.then(|| {
                view! {
                    <input
                        type="radio"
                        name="tablet-link"
                        aria-label=format!("Show the code of {url}")
                        prop:checked=move || chosen.get() == index
                        on:change=move |_| chosen.set(index)
                    />
                }
            });
            view! { <p class="tablet-link">{radio}<CopiedText text=url.clone()/></p> }
        };
        view! {
            <div class="tablet-links">
                {move || links.get(chosen.get()).or(links.first()).map(code)}
                <div>
                    <p>"Scan the code with a tablet or phone in the same network, or open the link there:"</p>
                    {urls.into_iter().enumerate().map(choice).collect_view()}
                    <p class="soft">"The link is a key to this page. Closing it ends every tablet's connection; opened again, there is a new link."</p>
                    <p class="note" data-testid="wrong-links" hidden=move || tablets.wrong_links().is_empty()>
                        {move || tablets.wrong_links()}
                    </p>
                    <ActionButton action=Action::CloseToTablets class="button plain"/>
                </div>
            </div>
        }
        .into_any()
    };
    view! {
        {move || links.get().map(|links| view! {
            <section class="tablets" data-testid="tablets">
                <h2>"Tablets"</h2>
                {if links.is_empty() {
                    view! {
                        <p class="actions">
                            <ActionButton action=Action::OpenToTablets class="button plain"/>
                            <span>"Shows this page on a tablet or phone in your network, by a secret link."</span>
                        </p>
                    }
                    .into_any()
                } else {
                    opened(links)
                }}
                <p class="note" role="alert" hidden=move || tablets.failure.with(String::is_empty)>{tablets.failure}</p>
            </section>
        })}
    }
    .into_any()
}

/// The link as a QR code, black on white in every theme.
fn code(link: &TabletLink) -> impl IntoView + use<> {
    let side = link.code_size + 2 * MARGIN;
    view! {
        <svg
            class="code"
            viewBox=format!("-{MARGIN} -{MARGIN} {side} {side}")
            role="img"
            aria-label="QR code of the link"
            shape-rendering="crispEdges"
            data-testid="code"
        >
            <rect x=format!("-{MARGIN}") y=format!("-{MARGIN}") width=side height=side fill="#fff"/>
            <path d=link.code_path.clone() fill="#000"/>
        </svg>
    }
}
