//! The toolbar above the list: search, filters, bin and import.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use trailbrake_shared::number::count;

use super::Imports;
use super::Library;
use super::actions::{Action, ActionContext};
use super::changes::empty_bin;
use super::query::Filter;
use crate::browser;
use crate::ui::{ActionButton, FileButton, list};

/// The toolbar.
#[component]
pub(super) fn Tools() -> impl IntoView {
    let library = Library::here();
    let bin = Memo::new(move |_| library.query.with(|query| query.bin));
    view! {
        <div class="tools">
            <SearchField/>
            {Filter::ALL.map(|filter| view! { <FilterChooser filter/> })}
            <span class="count" role="status" data-figure="count">{move || counted(library)}</span>
            <span class="grow"></span>
            <div class="ends">
                {move || match bin.get() {
                    true => view! { <BinTools/> }.into_any(),
                    // Recordings of a team are imported and deleted on their rig.
                    false if browser::home().is_hub() => ().into_any(),
                    false => view! { <LibraryTools/> }.into_any(),
                }}
            </div>
        </div>
    }
}

#[component]
fn SearchField() -> impl IntoView {
    let context = ActionContext::here();
    let library = context.library;
    let text = Memo::new(move |_| library.query.with(|query| query.text.clone()));
    let pressed = move |event: KeyboardEvent| match event.key().as_str() {
        "Escape" => {
            // Some browsers empty the field themselves, without an event.
            event.prevent_default();
            library.search(|query| query.text.clear());
            if let Some(field) = context.search.get_untracked() {
                field.set_value("");
            }
            context.focus_list();
        }
        "Enter" => context.focus_list(),
        "ArrowDown" => {
            event.prevent_default();
            library.step(1);
        }
        _ => {}
    };
    view! {
        <input
            id="search"
            type="search"
            placeholder="Search  /"
            aria-label="Search the recordings"
            autocomplete="off"
            spellcheck="false"
            data-testid="search"
            node_ref=context.search
            prop:value=move || text.get()
            on:input=move |event| library.search(|query| query.text = event_target_value(&event))
            on:keydown=pressed
        />
    }
}

#[component]
fn FilterChooser(filter: Filter) -> impl IntoView {
    let library = Library::here();
    let chosen = Memo::new(move |_| library.query.with(|query| query.filter(filter).to_owned()));
    let values = Memo::new(move |_| {
        let mut values = library.choices(filter);
        let chosen = chosen.get();
        // A link may name a value that no recording has any more.
        if !chosen.is_empty() && values.iter().all(|(value, _)| *value != chosen) {
            values.push((chosen, 0));
        }
        values
    });
    let option = move |(value, count): (String, usize)| {
        let own = value.clone();
        let words = format!("{value} ({count})");
        view! { <option value=value prop:selected=move || chosen.get() == own>{words}</option> }
    };
    view! {
        <select
            id=filter.word()
            class:set=move || chosen.with(|chosen| !chosen.is_empty())
            aria-label=filter.all()
            data-testid=format!("filter-{}", filter.word())
            on:change=move |event| {
                let value = event_target_value(&event);
                library.search(|query| query.set(filter, value));
            }
        >
            <option value="" prop:selected=move || chosen.with(String::is_empty)>{filter.all()}</option>
            {move || values.get().into_iter().map(option).collect_view()}
        </select>
    }
}

/// How many recordings there are, and how many the search finds.
fn counted(library: Library) -> String {
    let (all, here) = library.contents.with(|contents| (contents.all.len(), contents.here));
    let found = library.found.with(|found| found.len());
    let words = count(all, "recording", "recordings");
    match here {
        false => String::new(),
        true if found == all => words,
        true => format!("{found} of {words}"),
    }
}

#[component]
fn LibraryTools() -> impl IntoView {
    let (context, imports) = (ActionContext::here(), Imports::here());
    let import = move |files: web_sys::FileList| imports.add(list(&files));
    view! {
        <ActionButton action=Action::ShowBin class="plain">"Bin"</ActionButton>
        <FileButton label="Import" testid="import" several=true field=context.files on_files=import/>
    }
}

/// The buttons of the bin. Emptying it needs a confirmation, since it can't be undone.
#[component]
fn BinTools() -> impl IntoView {
    let library = Library::here();
    let question = move || {
        let deleted = library.contents.with(|contents| contents.all.len());
        format!("Remove {} for good?", count(deleted, "recording", "recordings"))
    };
    view! {
        <Show
            when=move || library.asks_to_empty.get()
            fallback=|| view! { <ActionButton action=Action::EmptyBin class="plain">"Empty the bin"</ActionButton> }
        >
            <span data-figure="sure">{question}</span>
            <button
                type="button"
                class="danger"
                data-testid="empty-bin-for-good"
                on:click=move |_| empty_bin(library)
            >
                "Remove for good"
            </button>
            <button
                type="button"
                class="plain"
                data-testid="keep-bin"
                on:click=move |_| library.asks_to_empty.set(false)
            >
                "Keep"
            </button>
        </Show>
        <ActionButton action=Action::LeaveBin class="plain">"Back to the library"</ActionButton>
    }
}
