//! A row of the channels dialog.

use leptos::html::Button;
use leptos::prelude::*;

use crate::analyse::lanes::not_sent;
use crate::analyse::{ComparisonStore, LaneChoice, LaneStore};

/// How much one press changes a lane's height, per cent of its default height.
const STEP: i16 = 25;

/// A lane with the buttons that arrange it, or the reason why it can't be shown.
#[component]
pub(super) fn ChannelRow(choice: Memo<LaneChoice>) -> impl IntoView {
    let (lanes, comparison) = (expect_context::<LaneStore>(), expect_context::<ComparisonStore>());
    let id = StoredValue::new(choice.with_untracked(|choice| choice.id.clone()));
    let name = StoredValue::new(choice.with_untracked(|choice| choice.name.clone()));
    let percent = Memo::new(move |_| choice.with(|choice| choice.percent));
    let sent = Memo::new(move |_| choice.with(|choice| choice.sent));
    let is_shown = move || percent.get().is_some();
    let why_not = Memo::new(move |_| not_sent(comparison.is_own()));
    let on_id =
        move |change: fn(LaneStore, &str)| Callback::new(move |()| id.with_value(|id| change(lanes, id)));
    let tool =
        move |sign: &'static str, what: &'static str, testid: &'static str, change: fn(LaneStore, &str)| {
            view! {
                <RowButton
                    class="quiet"
                    name=name.with_value(|name| format!("{name} {what}"))
                    testid
                    on_press=on_id(change)
                >
                    {sign}
                </RowButton>
            }
        };
    view! {
        <div class="lane-row" data-lane=id.get_value()>
            <Show
                when=move || sent.get() || is_shown()
                fallback=move || view! {
                    <div class="command unsent">
                        <span>{name.get_value()}</span>
                        <span class="soft">{move || why_not.get()}</span>
                    </div>
                }
            >
                <RowButton
                    class="command"
                    pressed=Signal::derive(is_shown)
                    testid="lane"
                    on_press=on_id(|lanes, id| lanes.toggle(id))
                >
                    {name.get_value()}
                </RowButton>
                <Show when=is_shown>
                    {tool("−", "lower", "lane-lower", |lanes, id| lanes.resize(id, -STEP))}
                    <span class="soft">{move || percent.get().map(|percent| format!("{percent} %"))}</span>
                    {tool("+", "higher", "lane-higher", |lanes, id| lanes.resize(id, STEP))}
                    {tool("↑", "further up", "lane-up", |lanes, id| lanes.shift(id, -1))}
                    {tool("↓", "further down", "lane-down", |lanes, id| lanes.shift(id, 1))}
                </Show>
            </Show>
        </div>
    }
}

/// A button of the row. It keeps the focus when its row moves.
#[component]
fn RowButton(
    class: &'static str,
    #[prop(optional)] name: Option<String>,
    #[prop(optional)] pressed: Option<Signal<bool>>,
    testid: &'static str,
    on_press: Callback<()>,
    children: Children,
) -> impl IntoView {
    let button = NodeRef::<Button>::new();
    let press = move |_| {
        on_press.run(());
        // A moved element loses the focus.
        request_animation_frame(move || {
            if let Some(button) = button.try_get_untracked().flatten() {
                let _ = button.focus();
            }
        });
    };
    view! {
        <button
            type="button"
            class=class
            aria-label=name
            aria-pressed=move || pressed.map(|pressed| pressed.get().to_string())
            data-testid=testid
            node_ref=button
            on:click=press
        >
            {children()}
        </button>
    }
}
