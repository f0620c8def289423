//! The dialog in which the driver chooses and arranges the panels.

use leptos::prelude::*;

use super::actions::ActionContext;
use super::arrangement::{Arrangement, Direction};
use super::panel::Panel;
use super::preset::Size;
use super::registry;
use crate::cockpit::TelemetryStore;
use crate::ui::Dialog;

/// The dialog, while it is open.
#[component]
pub(super) fn PanelDialog() -> impl IntoView {
    let context = ActionContext::here();
    move || {
        context.choosing_panels.get().then(|| {
            let on_close = Callback::new(move |()| context.choosing_panels.set(false));
            view! {
                <Dialog label="Panels" class="panel-choice" on_close>
                    <Choices/>
                </Dialog>
            }
        })
    }
}

/// The heading of a column. A phone has a single column, so its heading only says that the panels are shown.
fn column_name(size: Size, column: usize) -> &'static str {
    match (size, column) {
        (Size::Phone, _) => "Shown",
        (_, 0) => "First column",
        (_, 1) => "Second column",
        _ => "Third column",
    }
}

#[component]
fn Choices() -> impl IntoView {
    let view = ActionContext::here().view;
    let sent = TelemetryStore::here().sampled(registry::all_sent);
    let arrangement = Memo::new(move |_| sent.with(|sent| view.arrangement(sent)));
    let columns = move || {
        let size = view.size.get();
        (0..size.columns())
            .map(|column| {
                let panels = move || {
                    let panels = arrangement.with(|arrangement| arrangement.columns().get(column).cloned());
                    panels
                        .unwrap_or_default()
                        .into_iter()
                        .filter(|panel| *panel != Panel::Dash)
                        .collect::<Vec<_>>()
                };
                view! {
                    <section data-column=column>
                        <h3>{column_name(size, column)}</h3>
                        <For each=panels key=|panel| *panel let:panel><Choice panel sent is_on=true/></For>
                    </section>
                }
            })
            .collect_view()
    };
    let off = move || {
        let is_on =
            |panel: Panel| arrangement.with(|all| all.columns().iter().any(|column| column.contains(&panel)));
        Panel::ALL.iter().copied().filter(|panel| !is_on(*panel)).collect::<Vec<_>>()
    };
    view! {
        <h2>"Panels · " {move || view.preset().label()}</h2>
        <div class="found" data-size=move || view.size.get().id()>
            {columns}
            <section data-column="off">
                <h3>"Hidden"</h3>
                <For each=off key=|panel| *panel let:panel><Choice panel sent is_on=false/></For>
            </section>
        </div>
        <button
            type="button"
            class="reset"
            data-testid="reset-panels"
            disabled=move || !view.is_changed()
            on:click=move |_| view.reset()
        >
            "Reset"
        </button>
    }
}

/// A panel with its switch and the buttons that move it.
#[component]
fn Choice(panel: Panel, sent: Memo<Vec<Panel>>, is_on: bool) -> impl IntoView {
    let view = ActionContext::here().view;
    let is_missing = Memo::new(move |_| sent.with(|sent| !sent.contains(&panel)));
    let moves = is_on.then(|| Direction::ALL.map(|to| view! { <MoveButton panel sent to/> }));
    view! {
        <div class="choice" data-panel=panel.id()>
            <label>
                <input
                    type="checkbox"
                    data-testid="panel"
                    prop:checked=is_on
                    on:change=move |_| sent.with_untracked(|sent| view.change(sent, |arrangement| arrangement.switch(panel)))
                />
                <span>{panel.label()}</span>
            </label>
            <Show when=move || is_missing.get()><span class="unsent">"no data"</span></Show>
            <span class="moves">{moves}</span>
        </div>
    }
}

/// A button that moves a panel. It stays focusable when the move is impossible, and is only dimmed.
#[component]
fn MoveButton(panel: Panel, sent: Memo<Vec<Panel>>, to: Direction) -> impl IntoView {
    let view = ActionContext::here().view;
    let (sign, words, id) = match to {
        Direction::Up => ("↑", "up", "move-up"),
        Direction::Down => ("↓", "down", "move-down"),
        Direction::Left => ("←", "left", "move-left"),
        Direction::Right => ("→", "right", "move-right"),
    };
    let can = move |arrangement: &Arrangement| arrangement.clone().shift(panel, to);
    let is_possible = move || sent.with(|sent| can(&view.arrangement(sent)));
    let shift = move |_| {
        if untrack(is_possible) {
            sent.with_untracked(|sent| {
                view.change(sent, |arrangement| {
                    arrangement.shift(panel, to);
                });
            });
        }
    };
    view! {
        <button
            type="button"
            aria-label=format!("Move {} {words}", panel.label())
            aria-disabled=move || if is_possible() { "false" } else { "true" }
            data-testid=id
            on:click=shift
        >
            {sign}
        </button>
    }
}
