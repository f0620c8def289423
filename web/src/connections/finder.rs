//! Finds a game by its name, and says what works with it.

use leptos::prelude::*;
use trailbrake_shared::feed::{Feed, GAME_TITLES, GameTitle};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::stores::Choices;
use crate::ui::Search;

/// The id of the list of games.
const GAMES: &str = "games";

/// A search field, and the games that it finds; or all of them.
#[component]
pub(super) fn GameFinder(choices: Choices) -> impl IntoView {
    let (query, all) = (RwSignal::new(String::new()), RwSignal::new(false));
    let is_open = Memo::new(move |_| all.get() || !query.with(|query| query.trim().is_empty()));
    let found = move || {
        let search = query.with(|query| Search::new(query));
        let is_found = |title: &&GameTitle| search.finds(&format!("{} {}", title.name, title.also));
        GAME_TITLES.iter().filter(is_found).collect::<Vec<_>>()
    };
    let rows = move || found().into_iter().map(|title| game(title, choices)).collect_view();
    view! {
        <section class="finder" aria-label="Games">
            <input
                type="search"
                placeholder="Find your game"
                aria-label="Find your game"
                data-testid="find-game"
                on:input=move |event| query.set(event_target_value(&event))
            />
            <button
                type="button"
                class="plain"
                aria-expanded=move || all.get().to_string()
                aria-controls=GAMES
                data-testid="all-games"
                on:click=move |_| all.update(|all| *all = !*all)
            >
                "All games"
            </button>
            <ul id=GAMES hidden=move || !is_open.get()>
                <Show when=move || is_open.get()>{rows}</Show>
            </ul>
            <p class="soft" role="status">
                {move || (is_open.get() && found().is_empty()).then_some(
                    "No game of this name is known. If it can send telemetry over UDP, let it send to one of the ports \
                     below: Trailbrake says what it recognises."
                )}
            </p>
        </section>
    }
    .into_any()
}

/// A game's name, and what to do so that its laps come here.
fn game(title: &'static GameTitle, choices: Choices) -> AnyView {
    let feeds = title.feeds;
    let buttons = feeds.iter().map(|feed| {
        let feed = *feed;
        // Of several ways, each is known by what it is called.
        let label = match feeds.len() {
            1 => "Set up",
            _ => feed.info().game.rsplit(", ").next().unwrap_or_default(),
        };
        view! { <button type="button" class="plain" data-set-up=feed.id() on:click=move |_| show(feed, choices)>{label}</button> }
    });
    view! {
        <li>
            <b>{title.name}</b>
            <span>{title.advice} {buttons.collect_view()}</span>
        </li>
    }
    .into_any()
}

/// Opens a feed's details and goes there.
fn show(feed: Feed, choices: Choices) {
    choices.open.update(|open| {
        open.insert(feed);
    });
    let line = document().query_selector(&format!(".connection[data-feed='{}'] button", feed.id()));
    if let Some(line) = line.ok().flatten().and_then(|line| line.dyn_into::<HtmlElement>().ok()) {
        // The browser scrolls to what has the focus.
        let _ = line.focus();
    }
}
