//! The details beside the list: a recording's name, its facts, and what the driver can do with it.

use leptos::ev::KeyboardEvent;
use leptos::html::{Aside, Input};
use leptos::prelude::*;
use trailbrake_shared::library::Entry;

use super::Library;
use super::actions::{Action, ActionContext, recording_link};
use super::changes::{delete, rename, repair, tag_recording};
use super::facts;
use super::found::Listed;
use super::lap_table::LapTable;
use super::note_list::NoteList;
use super::words::title;
use crate::http;
use crate::route::Page;
use crate::text::words::sentence;
use crate::ui::{ActionButton, ActionTable};

/// The kinds of list entries. The kind decides what the driver can do with a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Whole,
    Binned,
    Broken,
}

impl Kind {
    fn of(one: &Listed, bin: bool) -> Self {
        match (one.entry.id, bin) {
            (_, true) => Self::Binned,
            (None, false) => Self::Broken,
            (Some(_), false) => Self::Whole,
        }
    }
}

/// The recording that is open.
#[component]
pub(super) fn Details() -> impl IntoView {
    let library = Library::here();
    let panel = NodeRef::<Aside>::new();
    // The view is built again only for another recording or kind, so that fields keep their text.
    let open = Memo::new(move |_| {
        let bin = library.query.with(|query| query.bin);
        library.opened().map(|one| (Kind::of(&one, bin), one.key.clone()))
    });
    Effect::new(move |_| {
        drop(open.get());
        if let Some(panel) = panel.get() {
            panel.set_scroll_top(0);
        }
    });
    view! {
        <Show when=move || open.with(Option::is_some)>
            <aside class="details" id="details" aria-label="Details" node_ref=panel>
                {move || open.get().map(|(kind, _)| view! { <DetailsContent kind/> })}
            </aside>
        </Show>
    }
}

#[component]
fn DetailsContent(kind: Kind) -> impl IntoView {
    let library = Library::here();
    let one = Memo::new(move |_| library.opened());
    let heading = move || one.with(|one| one.as_ref().map(|one| title(&one.entry)));
    let about = move || one.with(|one| one.as_ref().map(|one| about(one)));
    view! {
        <ActionButton action=Action::CloseDetails class="quiet close">"Close"</ActionButton>
        {match kind {
            Kind::Whole => view! { <NameField one/> }.into_any(),
            Kind::Binned | Kind::Broken => view! { <h2 class="title" id="title">{heading}</h2> }.into_any(),
        }}
        <p class="soft">{about}</p>
        <div class="actions" id="actions">
            {match kind {
                Kind::Whole => view! { <WholeActions one/> }.into_any(),
                Kind::Binned => view! { <BinnedActions one/> }.into_any(),
                Kind::Broken => view! { <BrokenActions one/> }.into_any(),
            }}
        </div>
        {(kind != Kind::Broken).then(|| view! { <Facts one/> })}
        {(kind == Kind::Whole).then(|| view! { <Tags one/> <LapTable/> <NoteList/> })}
    }
    .into_any()
}

/// Date, game and driver.
fn about(one: &Listed) -> String {
    let words = [Some(one.date.clone()), one.game.clone(), one.entry.driver_and_rig()];
    let words: Vec<String> = words.into_iter().flatten().filter(|words| !words.is_empty()).collect();
    words.join(" · ")
}

/// The recording that is open.
type OpenRow = Memo<Option<std::sync::Arc<Listed>>>;

/// The editable name. Without one, the field shows the title of the list as its placeholder.
#[component]
fn NameField(one: OpenRow) -> impl IntoView {
    let context = ActionContext::here();
    let library = context.library;
    let field = NodeRef::<Input>::new();
    let name = Memo::new(move |_| one.with(|one| one.as_ref()?.entry.name.clone()).unwrap_or_default());
    let unnamed =
        move || one.with(|one| one.as_ref().map(|one| title(&Entry { name: None, ..one.entry.clone() })));
    let reset = move || {
        if let Some(field) = field.try_get_untracked().flatten() {
            field.set_value(&name.get_untracked());
        }
    };
    let pressed = move |event: KeyboardEvent| {
        let key = event.key();
        if key == "Escape" {
            reset();
        }
        if matches!(key.as_str(), "Escape" | "Enter") {
            context.focus_list();
        }
    };
    view! {
        <input
            class="title"
            id="title"
            maxlength="200"
            aria-label="Name"
            title="Name this recording"
            placeholder=unnamed
            data-testid="name"
            node_ref=field
            prop:value=move || name.get()
            on:change=move |event| rename(library, &event_target_value(&event), reset)
            on:keydown=pressed
        />
    }
}

#[component]
fn WholeActions(one: OpenRow) -> impl IntoView {
    let library = Library::here();
    let key = Memo::new(move |_| one.with(|one| one.as_ref().map(|one| one.key.clone())).unwrap_or_default());
    let underway = Memo::new(move |_| one.with(|one| one.as_ref().is_some_and(|one| one.entry.underway)));
    let repaired = move || {
        let repaired = library.repaired.get().filter(|(repaired, _)| *repaired == key.get());
        repaired.map(|(_, words)| {
            let words = words.into_iter().map(|words| view! { <p>{words}</p> }).collect_view();
            view! { <div class="note" data-figure="repaired">{words}</div> }
        })
    };
    let link = move |page: Page| move || recording_link(page, &key.get());
    view! {
        <a class="button" href=link(Page::Live) data-testid=Action::Play.id()>"Play"</a>
        <a class="button plain" href=link(Page::Analyse) data-testid=Action::Analyse.id()>"Analyse"</a>
        <a
            class="button plain"
            href=move || http::address(&format!("/library/{}/file", key.get()))
            download=""
            data-testid="download"
        >
            "Download"
        </a>
        <Show
            when=move || underway.get()
            fallback=move || view! { <DeleteButton key/> }
        >
            <span class="soft">"being recorded"</span>
        </Show>
        {repaired}
    }
}

#[component]
fn DeleteButton(key: Memo<String>) -> impl IntoView {
    let library = Library::here();
    view! {
        <button
            type="button"
            class="plain"
            data-testid=Action::Delete.id()
            on:click=move |_| delete(library, &key.get_untracked())
        >
            "Delete"
        </button>
    }
}

#[component]
fn BinnedActions(one: OpenRow) -> impl IntoView {
    view! {
        <Trouble one/>
        <ActionButton action=Action::Restore class="primary">"Restore"</ActionButton>
    }
}

#[component]
fn BrokenActions(one: OpenRow) -> impl IntoView {
    const REPAIR: &str =
        "Repair saves what is whole as a recording, and keeps the file beside it with the ending .broken. ";
    let library = Library::here();
    let key = Memo::new(move |_| one.with(|one| one.as_ref().map(|one| one.key.clone())).unwrap_or_default());
    let damaged = Memo::new(move |_| one.with(|one| one.as_ref().is_some_and(|one| one.entry.damaged)));
    let repairing = Memo::new(move |_| library.repairing.get() == Some(key.get()));
    let place = move || {
        let what = if damaged.get() { REPAIR } else { "" };
        format!("{what}The file is in {}.", library.contents.with(|contents| contents.folder.clone()))
    };
    view! {
        <Trouble one/>
        <Show when=move || damaged.get()>
            <Show
                when=move || repairing.get()
                fallback=move || view! {
                    <button
                        type="button"
                        class="primary"
                        data-testid="repair"
                        on:click=move |_| repair(library, &key.get_untracked())
                    >
                        "Repair"
                    </button>
                }
            >
                <span class="soft" role="status">"Repairing…"</span>
            </Show>
        </Show>
        <DeleteButton key/>
        <p class="soft">{place}</p>
    }
}

/// Why a file can't be opened. Empty for one that can.
#[component]
fn Trouble(one: OpenRow) -> impl IntoView {
    let trouble = move || one.with(|one| one.as_ref()?.entry.trouble.as_deref().map(sentence));
    move || trouble().map(|words| view! { <p class="note" data-figure="broken">{words}</p> })
}

#[component]
fn Facts(one: OpenRow) -> impl IntoView {
    let library = Library::here();
    let rows = Memo::new(move |_| {
        let recording = library.recording();
        one.with(|one| one.as_ref().map(|one| facts::rows(one, recording.as_deref()))).unwrap_or_default()
    });
    let trouble = move || library.details.with(|details| details.as_ref()?.as_ref().err().cloned());
    let row = |(label, value): (&'static str, String)| view! { <dt>{label}</dt><dd>{value}</dd> };
    view! {
        <dl class="facts" id="facts" data-figure="facts">
            {move || rows.get().into_iter().map(row).collect_view()}
            {move || trouble().map(|words| view! { <dd class="note">{words}</dd> })}
        </dl>
    }
}

#[component]
fn Tags(one: OpenRow) -> impl IntoView {
    let context = ActionContext::here();
    let library = context.library;
    let field = NodeRef::<Input>::new();
    let tags = Memo::new(move |_| {
        one.with(|one| one.as_ref().map(|one| one.entry.tags.clone())).unwrap_or_default()
    });
    let add = move |_| {
        if let Some(field) = field.get_untracked() {
            tag_recording(library, &field.value(), true);
            field.set_value("");
        }
    };
    let pressed = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            context.focus_list();
        }
    };
    let chip = move |tag: String| {
        let words = format!("{tag} ×");
        let hint = format!("Remove the tag {tag}");
        view! {
            <button
                type="button"
                class="tag"
                title=hint
                data-testid="remove-tag"
                on:click=move |_| tag_recording(library, &tag, false)
            >
                {words}
            </button>
        }
    };
    view! {
        <h2>"Tags"</h2>
        <div class="tags">
            <span class="chips">{move || tags.get().into_iter().map(chip).collect_view()}</span>
            <input
                maxlength="200"
                aria-label="Add a tag"
                placeholder="Add a tag"
                data-testid="add-tag"
                node_ref=field
                on:change=add
                on:keydown=pressed
            />
        </div>
    }
}
