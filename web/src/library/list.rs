//! The list of recordings. Of thousands of rows, the document has only those on the screen and a few around them.

use std::sync::Arc;

use js_sys::Array;
use leptos::html::Div;
use leptos::prelude::*;
use trailbrake_shared::library::Entry;
use trailbrake_shared::recording::RecordingId;
use wasm_bindgen::prelude::*;
use web_sys::ResizeObserver;

use super::actions::ActionContext;
use super::found::Listed;
use super::query::Column;
use super::words::title;
use super::{Library, Window};
use crate::browser::{self, Home};
use crate::text::figures::{minutes, size};

/// The list, with what is shown while it has no rows.
#[component]
pub(super) fn RecordingList(children: Children) -> impl IntoView {
    let context = ActionContext::here();
    let (library, list) = (context.library, context.list);
    let (head, probe) = (NodeRef::<Div>::new(), NodeRef::<Div>::new());
    let measure = move || {
        let (Some(list), Some(head), Some(probe)) =
            (list.get_untracked(), head.get_untracked(), probe.get_untracked())
        else {
            return;
        };
        let seen = f64::from(list.client_height()) - f64::from(head.offset_height());
        library.show_window(Window::new(
            f64::from(list.scroll_top()),
            seen,
            f64::from(probe.offset_height()),
        ));
    };
    follow_size(list, measure);
    show_cursor(context);
    let count = Memo::new(move |_| library.found.with(|found| found.len()));
    let rows = Memo::new(move |_| library.window.with(|window| window.rows(count.get())));
    let height = Memo::new(move |_| library.window.with(|window| window.row));
    let pixels = |pixels: f64| format!("{}px", pixels as i64);
    let active = move || library.cursor_row().map(row_id);
    view! {
        <div
            class="list"
            // In the list of all rigs it matters more whose laps they are than of which game.
            class:of-rigs=browser::home() == Home::AllRigs
            id="list"
            role="grid"
            tabindex="0"
            aria-label="Recordings"
            aria-rowcount=move || count.get() + 1
            aria-activedescendant=active
            data-count=move || count.get()
            data-figure="recordings"
            node_ref=list
            on:scroll=move |_| measure()
        >
            <div class="row names" role="row" node_ref=head>
                {Column::ALL.map(|(column, word, label)| view! { <Head column word label/> })}
            </div>
            <div class="row probe" aria-hidden="true" node_ref=probe></div>
            <div class="rows" style:height=move || pixels(count.get() as f64 * height.get())>
                <div
                    id="seen"
                    role="rowgroup"
                    style:top=move || pixels(rows.with(|rows| rows.start) as f64 * height.get())
                >
                    <For each=move || rows.get() key=|place| *place let:place>
                        <Row place/>
                    </For>
                </div>
            </div>
            {children()}
        </div>
    }
}

/// Calls `measure` whenever the list's size changes.
fn follow_size(list: NodeRef<Div>, measure: impl Fn() + Copy + 'static) {
    let observer = StoredValue::new_local(None);
    Effect::new(move |_| {
        let Some(list) = list.get() else { return };
        let resized = Closure::<dyn Fn(Array)>::new(move |_| measure());
        if let Ok(observing) = ResizeObserver::new(resized.as_ref().unchecked_ref()) {
            observing.observe(&list);
            observer.set_value(Some((observing, resized)));
        }
    });
    on_cleanup(move || {
        let _ = observer.try_update_value(|observer| {
            observer.take().into_iter().for_each(|(observing, _)| observing.disconnect());
        });
    });
}

/// Keeps the cursor's row in view.
fn show_cursor(context: ActionContext) {
    let library = context.library;
    // A link may name a row, which is known only once the list has arrived.
    let is_here = Memo::new(move |_| library.contents.with(|contents| contents.here));
    Effect::new(move |_| {
        drop((library.cursor.get(), is_here.get()));
        // The list gets its height in the next frame.
        request_animation_frame(move || {
            let row = untrack(|| library.cursor_row());
            let top = row.map(|row| library.window.with_untracked(|window| window.towards(row)));
            if let Some((top, list)) = top.zip(context.list.try_get_untracked().flatten()) {
                list.set_scroll_top(top as i32);
            }
        });
    });
}

fn row_id(place: usize) -> String {
    format!("row-{place}")
}

fn class(column: Column, word: &str) -> String {
    format!("col-{word}{}", if column.is_number() { " number" } else { "" })
}

/// The head of a column, as a button that sorts by it.
#[component]
fn Head(column: Column, word: &'static str, label: &'static str) -> impl IntoView {
    let library = Library::here();
    let sorted = move || {
        library.query.with(|query| match (query.column == column, query.descending) {
            (false, _) => "none",
            (true, true) => "descending",
            (true, false) => "ascending",
        })
    };
    view! {
        <span class=class(column, word) role="columnheader" aria-sort=sorted>
            <button
                type="button"
                data-testid=format!("sort-{word}")
                on:click=move |_| library.search(|query| query.sort_by(column))
            >
                {label}
            </button>
        </span>
    }
}

/// A row, by its index among the recordings found.
#[component]
fn Row(place: usize) -> impl IntoView {
    let library = Library::here();
    let one = Memo::new(move |_| library.found.with(|found| found.get(place).cloned()));
    let key = move || one.with(|one| one.as_ref().map(|one| one.key.clone()));
    let is_cursor = Memo::new(move |_| library.cursor.with(|cursor| cursor.is_some() && *cursor == key()));
    let is = move |what: fn(&Entry) -> bool| {
        move || one.with(|one| one.as_ref().is_some_and(|one| what(&one.entry)))
    };
    // A clip hangs below its recording only where it is listed there.
    let hangs = Memo::new(move |_| {
        library.found.with(|found| {
            let parent = found.get(place).and_then(|one| one.entry.parent);
            let above = place.checked_sub(1).and_then(|above| found.get(above));
            parent.is_some()
                && above.is_some_and(|above| above.entry.id == parent || above.entry.parent == parent)
        })
    });
    view! {
        <div
            class="row"
            class:underway=is(|entry| entry.underway)
            class:clip=move || hangs.get()
            class:cursor=move || is_cursor.get()
            id=row_id(place)
            role="row"
            // The head is the first row.
            aria-rowindex=place + 2
            aria-selected=move || if is_cursor.get() { "true" } else { "false" }
            data-testid="row"
            data-of=key
            on:click=move |_| library.open(untrack(key))
        >
            {move || one.get().map(|one| cells(library, &one))}
        </div>
    }
}

fn cells(library: Library, one: &Arc<Listed>) -> AnyView {
    if let Some(trouble) = &one.entry.trouble {
        let (file, trouble) = (one.entry.file.clone(), trouble.clone());
        return view! { <span class="trouble" role="gridcell"><b>{file}</b>{trouble}</span> }.into_any();
    }
    Column::ALL.map(|(column, word, _)| cell(library, one, column, word)).into_any()
}

fn cell(library: Library, one: &Listed, column: Column, word: &'static str) -> impl IntoView + use<> {
    let entry = &one.entry;
    let text = match column {
        Column::Date => Some(one.date.clone()),
        Column::Track => entry.track.clone(),
        Column::Car => entry.car.clone(),
        Column::Name => entry.name.clone(),
        Column::Game => one.game.clone(),
        Column::Driver => entry.driver_and_rig(),
        Column::Laps => (entry.laps > 0).then(|| entry.laps.to_string()),
        Column::Best => entry.best.map(|best| best.to_string()),
        Column::Length => Some(minutes(entry.seconds)),
        Column::Size => Some(size(entry.bytes)),
    };
    let (badges, tags) = match column {
        Column::Name => (one.badges(), entry.tags.clone()),
        _ => Default::default(),
    };
    let badges =
        badges.into_iter().map(|(name, words)| view! { <i class="badge" data-badge=name>{words}</i> });
    let title = match (column, entry.parent) {
        (Column::Date, Some(parent)) => Some(clip_words(library, parent)),
        _ => text.clone().filter(|_| !column.is_number()),
    };
    let is_blank = text.is_none() && badges.len() == 0 && tags.is_empty();
    view! {
        <span class=class(column, word) class:blank=is_blank role="gridcell" title=title>
            <span class="words">{text.unwrap_or_default()}</span>
            {badges.collect_view()}
            {tags.into_iter().map(|tag| view! { <i class="tag">{tag}</i> }).collect_view()}
        </span>
    }
}

/// Which recording a clip was cut out of.
fn clip_words(library: Library, parent: RecordingId) -> String {
    let contents = library.contents.read();
    match contents.all.iter().find(|one| one.entry.id == Some(parent)) {
        Some(parent) => format!("Clip of {}, {}", title(&parent.entry), parent.date),
        None => "Clip of a recording that is not here".to_owned(),
    }
}
