//! The Team section: joins, pauses and leaves a team.

use leptos::html;
use leptos::prelude::*;
use trailbrake_shared::wire::TeamPlace;

use crate::cockpit::{Offer, TeamStore};
use crate::ui::{FileButton, list};

/// What a driver agrees to.
const SHARED: [(&str, &str); 4] = [
    (
        "The team gets",
        "every recording from now on: all laps with the names that the game sends, your notes and tasks.",
    ),
    (
        "While you drive",
        "everybody who may see this rig sees at once what the game sends, and what your page shows.",
    ),
    (
        "It does not get",
        "recordings from before the invitation, your settings, and the folders of this computer.",
    ),
    (
        "Who sees it",
        "the hub's owner decides. What the team has stays there when you leave, until the owner deletes it.",
    ),
];

/// The section, for the owner of a program that knows teams.
#[component]
pub(super) fn Team() -> impl IntoView {
    let store = expect_context::<TeamStore>();
    store.ask();
    let content = move || {
        let place = store.place.get()?;
        Some(match (store.offer.get(), place) {
            (Some(offer), _) => view! { <OfferCard offer/> }.into_any(),
            (None, Some(place)) => view! { <PlaceCard place/> }.into_any(),
            (None, None) => view! { <Invite/> }.into_any(),
        })
    };
    view! {
        <Show when=move || store.place.with(Option::is_some) || store.failure.with(|words| !words.is_empty())>
            <section class="team-place" data-testid="team-place">
                <h2>"Team"</h2>
                {content}
                <p class="note" role="alert" data-testid="team-failure" hidden=move || store.failure.with(String::is_empty)>
                    {store.failure}
                </p>
            </section>
        </Show>
    }
}

/// Asks for an invitation.
#[component]
fn Invite() -> impl IntoView {
    let store = expect_context::<TeamStore>();
    let choose = move |files: web_sys::FileList| {
        if let Some(file) = list(&files).into_iter().next() {
            store.look(file);
        }
    };
    view! {
        <p class="actions">
            <FileButton label="Join a team" testid="join-team" on_files=choose/>
            <span>"Your laps go to the hub of your team or league, and its coaches see you drive. Choose the invitation that the hub's owner sent you, or drop it here."</span>
        </p>
    }
}

/// What an invitation means, before the driver agrees.
#[component]
fn OfferCard(offer: Offer) -> impl IntoView {
    let store = expect_context::<TeamStore>();
    let TeamPlace { rig, servers, .. } = offer.place;
    // An invitation can be dropped anywhere, and the section is the page's last.
    let question = NodeRef::<html::P>::new();
    Effect::new(move |_| {
        if let Some(question) = question.get() {
            // Focusing fails only for an element that is not on the page.
            let _ = question.focus();
        }
    });
    view! {
        <p tabindex="-1" node_ref=question>"Join the team at " <b>{servers.join(", ")}</b> " as " <b data-figure="team-rig">{rig}</b> "?"</p>
        <dl class="explained">
            {SHARED.iter().map(|(who, what)| view! { <dt>{*who}</dt><dd>{*what}</dd> }).collect_view()}
        </dl>
        <p class="actions">
            <button
                type="button"
                class="button"
                data-testid="agree-to-team"
                disabled=move || store.is_busy.get()
                on:click=move |_| store.join()
            >
                "Join"
            </button>
            <button type="button" class="button plain" on:click=move |_| store.offer.set(None)>"Cancel"</button>
        </p>
    }
}

/// The team that the rig is in.
#[component]
fn PlaceCard(place: TeamPlace) -> impl IntoView {
    let store = expect_context::<TeamStore>();
    let TeamPlace { rig, servers, paused, by_option } = place;
    let asks = RwSignal::new(false);
    let leave = move || {
        view! {
            <p class="actions">
                <button
                    type="button"
                    class="button"
                    data-testid="leave-team"
                    disabled=move || store.is_busy.get()
                    on:click=move |_| if asks.get_untracked() { store.leave() } else { asks.set(true) }
                >
                    {move || if asks.get() { "Leave now" } else { "Leave the team" }}
                </button>
                <Show when=move || asks.get()>
                    <span>"What the team has stays there. To come back you need the invitation."</span>
                    <button type="button" class="button plain" on:click=move |_| asks.set(false)>"Stay"</button>
                </Show>
            </p>
        }
    };
    view! {
        <p>
            {if paused { "Paused: nothing is sent to " } else { "Recordings go to " }}
            <b>{servers.join(", ")}</b> ", where this rig is " <b data-figure="team-rig">{rig}</b> "."
        </p>
        <p class="actions">
            <button
                type="button"
                class="button plain"
                data-testid="pause-team"
                disabled=move || store.is_busy.get()
                on:click=move |_| store.pause(!paused)
            >
                {if paused { "Go on" } else { "Pause" }}
            </button>
            <span>
                {if paused {
                    "Going on sends what was recorded meanwhile, too."
                } else {
                    "Games are recorded as always while you pause."
                }}
            </span>
        </p>
        {if by_option {
            view! { <p class="soft">"The command line names this team: start without " <code>"--team"</code> " to leave it."</p> }.into_any()
        } else {
            leave().into_any()
        }}
    }
}
