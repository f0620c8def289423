//! The dialog that names a track, and renames, merges or splits a corner.

use leptos::ev::KeyboardEvent;
use leptos::html::Input;
use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::number::{self, thousands};

use crate::analyse::{ComparisonStore, NameChange, NameField, NameStore, Sources, ViewStore};
use crate::browser;
use crate::reactive::LocalSignal;
use crate::ui::Dialog;

/// The shortest part that a split may leave of a corner, metres.
const SHORTEST_M: f64 = 5.0;

/// The content of the editor.
#[derive(Clone, Debug, PartialEq)]
struct Editor {
    track: TrackWords,
    corner: Option<CornerWords>,
    /// Whether the track has a change of a corner to undo.
    can_undo: bool,
}

/// The track's name.
#[derive(Clone, Debug, PartialEq)]
enum TrackWords {
    /// The game names the track: the text that says so.
    OfGame(String),
    /// People name the track: the field's label, and the name.
    OfPeople(String, String),
}

/// The fields of the corner that is being edited.
#[derive(Clone, Debug, PartialEq)]
struct CornerWords {
    label: String,
    name: String,
    merge: Option<MergeWords>,
    split: String,
    can_split: bool,
}

/// The button that merges the corner with the next one.
#[derive(Clone, Debug, PartialEq)]
struct MergeWords {
    label: String,
    title: String,
}

#[component]
pub(super) fn NamesDialog(field: NameField, on_close: Callback<()>) -> impl IntoView {
    let (sources, comparison, view, names) = (
        expect_context::<LocalSignal<Sources>>(),
        expect_context::<ComparisonStore>(),
        expect_context::<ViewStore>(),
        expect_context::<NameStore>(),
    );
    let editor = Memo::new(move |_| editor(sources, comparison, view, names));
    let why_not = move || editor.get().err();
    view! {
        <Dialog label="Track and corners" keeps_open=true on_close>
            <h2>"Track and corners"</h2>
            <Show
                when=move || editor.with(Result::is_ok)
                fallback=move || view! { <p class="missing">{why_not}</p> }
            >
                <NamesForm field editor on_close/>
            </Show>
        </Dialog>
    }
}

#[component]
fn NamesForm(
    field: NameField,
    editor: Memo<Result<Editor, &'static str>>,
    on_close: Callback<()>,
) -> impl IntoView {
    let names = expect_context::<NameStore>();
    let (track, corner) = (NodeRef::<Input>::new(), NodeRef::<Input>::new());
    let trouble = RwSignal::new(None);
    let change = move |wanted: NameChange, closes: bool| {
        spawn_local(async move {
            match names.change(wanted).await {
                Ok(()) if closes => on_close.run(()),
                Ok(()) => drop(trouble.try_set(None)),
                Err(why) => drop(trouble.try_set(Some(why))),
            }
        });
    };
    let save = move || {
        let text = |field: NodeRef<Input>| Some(field.get_untracked()?.value().trim().to_owned());
        let track = text(track).filter(|track| !track.is_empty());
        change(NameChange::Rename { track, corner: text(corner).unwrap_or_default() }, true);
    };
    let pressed = move |event: KeyboardEvent| {
        if event.key() == "Enter" {
            event.prevent_default();
            save();
        }
    };
    let track_words = Memo::new(move |_| editor.get().ok().map(|editor| editor.track));
    let of_people =
        Memo::new(move |_| track_words.with(|track| matches!(track, Some(TrackWords::OfPeople(..)))));
    let track_label = move || match track_words.get() {
        Some(TrackWords::OfPeople(words, _) | TrackWords::OfGame(words)) => words,
        None => String::new(),
    };
    let track_name = move || match track_words.get() {
        Some(TrackWords::OfPeople(_, name)) => name,
        Some(TrackWords::OfGame(_)) | None => String::new(),
    };
    let words = Memo::new(move |_| editor.get().ok().and_then(|editor| editor.corner));
    let has_corner = Memo::new(move |_| words.with(Option::is_some));
    let corner_name = Memo::new(move |_| words.get().map(|corner| corner.name).unwrap_or_default());
    let merge = Memo::new(move |_| words.get().and_then(|corner| corner.merge));
    let can_split = move || words.with(|corner| corner.as_ref().is_some_and(|corner| corner.can_split));
    let can_undo =
        Memo::new(move |_| editor.with(|editor| editor.as_ref().is_ok_and(|editor| editor.can_undo)));
    // If the game names the track, the corner's field is the only one.
    let track_first = field == NameField::Track && of_people.get_untracked();
    view! {
        <Show
            when=move || of_people.get()
            fallback=move || view! { <p class="soft">{track_label}</p> }
        >
            <label class="named">
                {track_label}
                <input
                    maxlength="60"
                    autocomplete="off"
                    autofocus=track_first
                    data-testid="track-name"
                    prop:value=track_name
                    node_ref=track
                    on:keydown=pressed
                />
            </label>
        </Show>
        <Show when=move || has_corner.get()>
            <label class="named">
                {move || words.get().map(|corner| corner.label)}
                <input
                    maxlength="60"
                    autocomplete="off"
                    autofocus=!track_first
                    data-testid="corner-name"
                    prop:value=move || corner_name.get()
                    node_ref=corner
                    on:keydown=pressed
                />
            </label>
        </Show>
        <div class="tools">
            <button type="button" class="primary" data-testid="save-names" on:click=move |_| save()>"Save"</button>
            <Show when=move || merge.with(Option::is_some)>
                <button
                    type="button"
                    class="plain"
                    title=move || merge.get().map(|merge| merge.title)
                    data-testid="merge-corner"
                    on:click=move |_| change(NameChange::Merge, false)
                >
                    {move || merge.get().map(|merge| merge.label)}
                </button>
            </Show>
            <Show when=move || has_corner.get()>
                <button
                    type="button"
                    class="plain"
                    disabled=move || !can_split()
                    title="A second corner begins at the cursor, which has to be inside this one"
                    data-testid="split-corner"
                    on:click=move |_| change(NameChange::Split, false)
                >
                    {move || words.get().map(|corner| corner.split)}
                </button>
            </Show>
            <Show when=move || can_undo.get()>
                <button
                    type="button"
                    class="plain"
                    data-testid="undo-corner"
                    on:click=move |_| change(NameChange::Undo, false)
                >
                    "Undo the last change"
                </button>
            </Show>
        </div>
        <p class="trouble" role="alert">{move || trouble.get()}</p>
    }
}

/// The content of the editor, or the reason why nothing can be named.
fn editor(
    sources: LocalSignal<Sources>,
    comparison: ComparisonStore,
    view: ViewStore,
    names: NameStore,
) -> Result<Editor, &'static str> {
    let (Some(shown), Some((track, known))) = (comparison.shown(), names.track()) else {
        return Err("This game sends no positions, so tracks and corners can't be named.");
    };
    if !browser::home().has_relay() {
        return Err("The viewer keeps no names of tracks.");
    }
    let game_name = sources
        .with(|sources| sources.listed().filter(|source| source.named).map(|source| source.title.clone()));
    let track = match game_name {
        Some(name) => TrackWords::OfGame(format!("{name} (named by the game)")),
        None => TrackWords::OfPeople(
            format!("Track name ({} m long)", metres(track.length_m)),
            known.as_ref().map(|known| known.name.clone()).unwrap_or_default(),
        ),
    };
    let corner = names.named_corner().map(|(corner, next)| {
        let inside = corner.entry_m + SHORTEST_M..=corner.exit_m - SHORTEST_M;
        let cursor = view.cursor_m().filter(|at| inside.contains(at));
        CornerWords {
            label: format!(
                "Turn {}, {} to {} m",
                corner.number,
                metres(corner.entry_m),
                metres(corner.exit_m)
            ),
            name: corner.name.clone().unwrap_or_default(),
            merge: next.map(|next| MergeWords {
                label: format!("Merge with {}", shown.corner_name(next.number)),
                title: format!(
                    "Makes both one corner: they are {} m apart",
                    number::write(next.entry_m - corner.exit_m, 0)
                ),
            }),
            split: match cursor {
                Some(at) => format!("Split at {} m", metres(at)),
                None => "Split at the cursor".to_owned(),
            },
            can_split: cursor.is_some(),
        }
    });
    Ok(Editor { track, corner, can_undo: known.is_some_and(|known| !known.edits.is_empty()) })
}

fn metres(metres: f64) -> String {
    thousands(metres.max(0.0).round() as u64)
}
