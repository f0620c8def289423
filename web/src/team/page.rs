//! The list of all rigs.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::wire::{RigState, TeamRig};

use super::column::{Column, Order, found};
use crate::browser;
use crate::cockpit::Navigation;
use crate::http;
use crate::reactive::{EachRow, Rows};
use crate::route::Page;
use crate::text::figures::NONE;

/// How often the list is read, in milliseconds.
const EVERY_MS: i32 = 2_000;

/// The page.
#[component]
pub(crate) fn TeamPage() -> impl IntoView {
    let navigation = Navigation::here();
    let (rigs, trouble) = (RwSignal::new(None::<Vec<TeamRig>>), RwSignal::new(String::new()));
    let (words, order) = (RwSignal::new(String::new()), RwSignal::new(Order::default()));
    follow(rigs, trouble);
    let shown = Memo::new(move |_| {
        rigs.with(|rigs| words.with(|words| found(rigs.as_deref().unwrap_or_default(), words, order.get())))
    });
    let count = move || {
        let all = rigs.with(|rigs| rigs.as_ref().map_or(0, Vec::len));
        let online = |rig: &&TeamRig| rig.state != RigState::Offline;
        let online = rigs.with(|rigs| rigs.iter().flatten().filter(online).count());
        format!("{online} of {all} online")
    };
    let rows = Rows::new(shown, |rig| rig.name.clone());
    view! {
        <main id="main" node_ref=navigation.main class="team" tabindex="-1" data-page="team">
            <h1 class="unseen">"Team"</h1>
            <div class="tools">
                <input
                    type="search"
                    aria-label="Search rigs"
                    placeholder="Search"
                    data-testid="search-rigs"
                    on:input=move |event| words.set(event_target_value(&event))
                />
                <span class="count" data-testid="rigs-online">{count}</span>
                <span class="soft" role="status">{move || trouble.get()}</span>
                <span class="grow"></span>
                <a class="button plain" href=browser::all_rigs_address(Page::Library.hash()) data-testid="all-rigs">"All laps"</a>
            </div>
            <div class="scroll" tabindex="0" role="group" aria-label="Rigs">
                <table>
                    <thead>
                        <tr>
                            {Column::ALL.map(|column| view! { <Head column order/> }).collect_view()}
                            <th scope="col"><span class="unseen">"Library"</span></th>
                        </tr>
                    </thead>
                    <tbody>
                        <EachRow rows let:rig><Rig rig/></EachRow>
                    </tbody>
                </table>
                <Show when=move || rigs.with(|rigs| rigs.as_ref().is_some_and(Vec::is_empty))>
                    <p class="soft">"No rig is in the team yet. Add one with trailbrake team add."</p>
                </Show>
            </div>
        </main>
    }
}

/// The head of a column, as a button that sorts by it.
#[component]
fn Head(column: Column, order: RwSignal<Order>) -> impl IntoView {
    let sorted = move || {
        let Order { column: by, descending } = order.get();
        match (by == column, descending) {
            (false, _) => "none",
            (true, true) => "descending",
            (true, false) => "ascending",
        }
    };
    view! {
        <th scope="col" class=column.id() aria-sort=sorted>
            <button
                type="button"
                data-testid=format!("sort-{}", column.id())
                on:click=move |_| order.update(|order| *order = order.by(column))
            >
                {column.label()}
            </button>
        </th>
    }
}

/// A rig with the links to its pages.
#[component]
fn Rig(rig: Memo<TeamRig>) -> impl IntoView {
    let name = rig.with_untracked(|rig| rig.name.clone());
    let [live, library] = [Page::Live, Page::Library].map(|page| browser::rig_address(&name, page.hash()));
    let words = move |column: Column| {
        move || Some(rig.with(|rig| column.words(rig))).filter(|words| !words.is_empty())
    };
    let cell = |column: Column| {
        view! { <td class=column.id()>{move || words(column)().unwrap_or_else(|| NONE.to_owned())}</td> }
    };
    let is_offline = move || rig.with(|rig| rig.state == RigState::Offline);
    let label = format!("Library of {name}");
    view! {
        <tr class:offline=is_offline data-rig=name.clone()>
            <th scope="row"><a href=live title=name.clone()>{name.clone()}</a></th>
            {cell(Column::State)}
            {cell(Column::Driver)}
            {cell(Column::Game)}
            {cell(Column::Track)}
            {cell(Column::Lap)}
            {cell(Column::Last)}
            {cell(Column::Best)}
            {cell(Column::Gap)}
            <td class="help" title=words(Column::Help)>{words(Column::Help)}</td>
            <td><a href=library aria-label=label>"Library"</a></td>
        </tr>
    }
}

/// Reads the list again and again, as long as the page is open.
fn follow(rigs: RwSignal<Option<Vec<TeamRig>>>, trouble: RwSignal<String>) {
    spawn_local(async move {
        loop {
            let answer = http::ask_hub("/team/rigs").await;
            let read =
                answer.and_then(|json| serde_json::from_str(&json).map_err(|_| http::Failed::Stranger));
            // Nothing is there any more once the page was left.
            let is_open = match read {
                Ok(read) => rigs.try_set(Some(read)).is_none() && trouble.try_set(String::new()).is_none(),
                Err(failed) => trouble.try_set(failed.words()).is_none(),
            };
            if !is_open {
                return;
            }
            browser::pause(EVERY_MS).await;
        }
    });
}
