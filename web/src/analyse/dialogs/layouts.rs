//! Layouts: sets of lanes that are saved under a number.

use leptos::prelude::*;

use crate::analyse::messages::Messages;
use crate::analyse::{LaneStore, ViewStore};

/// The numbers of layouts: the digit keys.
const NUMBERS: std::ops::RangeInclusive<u8> = 1..=9;

/// Saves the lanes on screen as a layout.
pub(crate) fn save_layout(lanes: LaneStore, view: ViewStore, messages: Messages, number: u8) {
    lanes.save_layout(number, view.state.with_untracked(|view| view.axis));
    messages.show(&format!("Layout {number} saved"));
}

/// Shows the lanes of a layout, or says how to save one.
pub(crate) fn show_layout(lanes: LaneStore, view: ViewStore, messages: Messages, number: u8) {
    match lanes.show_layout(number) {
        Some(layout) => {
            if layout.axis != view.state.with_untracked(|view| view.axis) {
                view.toggle_axis();
            }
            messages.show(&layout.name);
        }
        None => messages.show(&format!("There is no layout {number}: Shift {number} saves one")),
    }
}

/// The saved layouts, and a button that saves the lanes on screen under the first free number.
#[component]
pub(super) fn Layouts() -> impl IntoView {
    let (lanes, view, messages) =
        (expect_context::<LaneStore>(), expect_context::<ViewStore>(), expect_context::<Messages>());
    let numbers = Memo::new(move |_| numbers(lanes));
    let free = Memo::new(move |_| {
        numbers.with(|numbers| NUMBERS.into_iter().find(|number| !numbers.contains(number)))
    });
    let save_free = move || {
        free.get().map(|number| {
            view! {
                <button
                    type="button"
                    class="quiet"
                    data-testid="save-layout-as"
                    on:click=move |_| save_layout(lanes, view, messages, number)
                >
                    {format!("Save these lanes as layout {number}")}
                </button>
            }
        })
    };
    view! {
        <div class="layouts" role="group" aria-label="Layouts">
            <For each=move || numbers.get() key=|number| *number let:number>
                <LayoutRow number/>
            </For>
            {save_free}
        </div>
    }
}

#[component]
fn LayoutRow(number: u8) -> impl IntoView {
    let (lanes, view, messages) =
        (expect_context::<LaneStore>(), expect_context::<ViewStore>(), expect_context::<Messages>());
    let name = lanes.state.with_untracked(|lanes| lanes.layout(number).map(|layout| layout.name.clone()));
    view! {
        <div class="lane-row" data-layout=number>
            <kbd>{number}</kbd>
            <input
                type="text"
                maxlength="40"
                prop:value=name
                aria-label=format!("Name of layout {number}")
                on:input=move |event| lanes.rename_layout(number, &event_target_value(&event))
            />
            <button
                type="button"
                class="quiet"
                data-testid="show-layout"
                on:click=move |_| show_layout(lanes, view, messages, number)
            >
                "Show"
            </button>
            <button
                type="button"
                class="quiet"
                data-testid="delete-layout"
                on:click=move |_| lanes.delete_layout(number)
            >
                "Delete"
            </button>
        </div>
    }
}

fn numbers(lanes: LaneStore) -> Vec<u8> {
    lanes.state.with(|lanes| lanes.layouts.iter().map(|layout| layout.number).collect())
}
