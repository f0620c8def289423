//! A row of the lap list.

use leptos::html::Button;
use leptos::prelude::*;
use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::session::choices;

use super::focus::{Column, ListFocus, Stop};
use super::{icons, ink};
use crate::analyse::{LapKey, SelectionStore, SourceId};
use crate::cockpit::TelemetryStore;
use crate::laps::{Row, WHY_REPORTED};
use crate::text::figures::listed_time;

/// The lap's key, run and number.
pub(super) type RowId = (LapKey, u16, u16);

/// A lap in the list.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ListedLap {
    pub(super) key: LapKey,
    /// The lap's index among the compared laps.
    pub(super) place: Option<usize>,
    run: u16,
    row: Row,
    excluded: bool,
}

impl ListedLap {
    pub(super) fn new(key: LapKey, place: Option<usize>, lap: &Lap, row: Row) -> Self {
        Self { key, place, run: lap.run, row, excluded: lap.flags.has(LapFlag::Excluded) }
    }

    /// Whether only the game's report is known of it, so that it can't be compared.
    pub(super) fn is_reported(&self) -> bool {
        self.row.reported
    }

    /// Identifies the row: laps of which only the game's report is known share their key.
    pub(super) fn id(&self) -> RowId {
        (self.key, self.run, self.row.number)
    }

    fn time_words(&self) -> String {
        listed_time(self.row.time, self.row.inferred)
    }

    fn millis(&self) -> Option<u32> {
        self.row.time.map(|time| time.0)
    }

    /// Whether the lap is not counted, for example because it is invalid.
    fn is_flagged(&self) -> bool {
        !self.row.not_counted.is_empty()
    }

    /// The ranks of the sectors that are timed.
    fn ranks(&self) -> Vec<&'static str> {
        self.row.sectors.iter().copied().filter(|rank| *rank != "none").collect()
    }

    fn role(&self) -> &'static str {
        match self.place {
            Some(0) => "main",
            Some(1) => "reference",
            Some(_) => "other",
            None => "",
        }
    }
}

/// A lap of which only the game's report is known. It can't be opened.
#[component]
pub(super) fn ReportedRow(lap: Memo<ListedLap>) -> impl IntoView {
    let sectors = move || lap.with(ListedLap::ranks).into_iter().map(rank).collect_view();
    view! {
        <tr
            class="reported"
            data-lap=move || lap.with(|lap| lap.row.number)
            data-time=move || lap.with(ListedLap::millis)
            title=WHY_REPORTED
        >
            <td class="mark"></td>
            <td class="place">{move || lap.with(|lap| lap.row.number)}</td>
            <th scope="row">{move || lap.with(ListedLap::time_words)}</th>
            <td class="comparison" class:flag=move || lap.with(ListedLap::is_flagged)>
                {move || lap.with(|lap| lap.row.comparison())}
            </td>
            <td class="sectors" aria-hidden="true">{sectors}</td>
            <td class="out"></td>
            <td class="vs"></td>
        </tr>
    }
}

fn rank(rank: &'static str) -> impl IntoView {
    view! { <i data-rank=rank></i> }
}

/// A row of the list.
#[component]
pub(super) fn LapRow(lap: Memo<ListedLap>, focus: ListFocus) -> impl IntoView {
    let (selection, telemetry) = (expect_context::<SelectionStore>(), TelemetryStore::here());
    let key = lap.with_untracked(|lap| lap.key);
    let place = Memo::new(move |_| lap.with(|lap| lap.place));
    let excluded = Memo::new(move |_| lap.with(|lap| lap.excluded));
    let number = Memo::new(move |_| lap.with(|lap| lap.row.number));
    let ranks = Memo::new(move |_| lap.with(ListedLap::ranks));
    let sectors = move || ranks.get().into_iter().map(rank).collect_view();
    let overlay_title = move || match place.get() {
        Some(_) => format!("Remove lap {} from the overlay", number.get()),
        None => format!("Overlay lap {}", number.get()),
    };
    let exclude_word = move || if excluded.get() { "Include" } else { "Exclude" };
    let reference_title = move || match place.get() {
        Some(1) => format!("Lap {} is the reference", number.get()),
        _ => format!("Make lap {} the reference", number.get()),
    };
    view! {
        <tr
            class=move || lap.with(ListedLap::role)
            data-lap=move || number.get()
            data-time=move || lap.with(ListedLap::millis)
            data-chosen=move || place.get().is_some()
            data-out=move || excluded.get()
        >
            <td class="mark">
                <RowButton
                    stop=(key, Column::Overlay)
                    focus
                    testid="overlay"
                    title=Signal::derive(overlay_title)
                    pressed=Signal::derive(move || place.get().is_some())
                    on_press=Callback::new(move |()| selection.toggle_overlay(key))
                >
                    <i class=move || format!("ink {}", ink(place.get()))></i>
                    <small>"Overlay"</small>
                </RowButton>
            </td>
            <td class="place">{move || number.get()}</td>
            <th scope="row">
                <RowButton
                    stop=(key, Column::Lap)
                    focus
                    testid="lap"
                    title=Signal::stored("Show this lap".to_owned())
                    on_press=Callback::new(move |()| selection.show_lap(key))
                >
                    {move || lap.with(ListedLap::time_words)}
                </RowButton>
            </th>
            <td class="comparison" class:flag=move || lap.with(ListedLap::is_flagged)>
                {move || lap.with(|lap| lap.row.comparison())}
            </td>
            <td class="sectors" aria-hidden="true">{sectors}</td>
            <td class="out">
                <RowButton
                    stop=(key, Column::Exclude)
                    focus
                    testid="exclude-lap"
                    title=Signal::derive(move || format!("{} lap {}", exclude_word(), number.get()))
                    pressed=Signal::from(excluded)
                    on_press=Callback::new(move |()| toggle_excluded(selection, telemetry, key))
                >
                    {move || if excluded.get() { icons::include() } else { icons::exclude() }}
                    <small>{exclude_word}</small>
                </RowButton>
            </td>
            <td class="vs">
                <RowButton
                    stop=(key, Column::Reference)
                    focus
                    testid="reference"
                    title=Signal::derive(reference_title)
                    pressed=Signal::derive(move || place.get() == Some(1))
                    on_press=Callback::new(move |()| selection.refer_to(key))
                >
                    {icons::reference()}
                    <small>"Ref"</small>
                </RowButton>
            </td>
        </tr>
    }
}

/// A button of a row.
#[component]
fn RowButton(
    stop: Stop,
    focus: ListFocus,
    testid: &'static str,
    /// What the button does, as its tooltip. Buttons with `pressed` are icons, so it is also their accessible name.
    title: Signal<String>,
    #[prop(optional)] pressed: Option<Signal<bool>>,
    on_press: Callback<()>,
    children: Children,
) -> impl IntoView {
    let button = NodeRef::<Button>::new();
    Effect::new(move |_| {
        if focus.sought.get() == Some(stop)
            && let Some(button) = button.get_untracked()
        {
            // A button in the document takes the focus.
            let _ = button.focus();
        }
    });
    let class = if pressed.is_some() { "quiet icon" } else { "" };
    view! {
        <button
            type="button"
            class=class
            tabindex=move || focus.tab_index(stop)
            title=move || title.get()
            aria-label=move || pressed.map(|_| title.get())
            aria-pressed=move || pressed.map(|pressed| pressed.get().to_string())
            data-testid=testid
            node_ref=button
            on:focus=move |_| focus.take(stop)
            on:click=move |_| on_press.run(())
        >
            {children()}
        </button>
    }
}

/// Excludes a lap, or includes it again.
pub(crate) fn toggle_excluded(selection: SelectionStore, telemetry: TelemetryStore, key: LapKey) {
    let is_excluded = selection.toggle_excluded(key);
    if key.of == SourceId::Live {
        // The live pages don't compare with an excluded lap either.
        telemetry.update_session(|session| {
            if session.player() == Some(key.id.car) {
                choices::exclude_lap(session, key.id.serial, is_excluded);
            }
        });
    }
}
