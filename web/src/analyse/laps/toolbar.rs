//! The toolbar: actions on the laps on screen.

use leptos::prelude::*;

use super::icons;
use crate::analyse::actions::Action;
use crate::analyse::lanes::TABLES;
use crate::analyse::{ComparisonStore, ShownTables};
use crate::ui::{ActionButton, ActionTable, TableButton};

/// The actions with an icon before the tables' button, and after it: each with its icon and a word for touch screens.
const BEFORE: [Tool; 2] =
    [Tool(Action::TurnAxis, icons::axis, "Axis"), Tool(Action::ChooseChannels, icons::channels, "Channels")];
const AFTER: [Tool; 4] = [
    Tool(Action::Report, icons::report, "Report"),
    Tool(Action::RaceOnLive, icons::wheel, "Race it"),
    Tool(Action::Copy, icons::copy, "Copy"),
    Tool(Action::ShowAll, icons::whole, "Whole lap"),
];

/// An action, its icon, and its word where nothing hovers.
struct Tool(Action, fn() -> AnyView, &'static str);

impl Tool {
    fn button(&self) -> impl IntoView + use<> {
        let Self(action, icon, word) = *self;
        view! {
            <ActionButton action class="quiet icon" name=action.label()>{icon()}<small>{word}</small></ActionButton>
        }
    }
}

/// The toolbar beside the compared laps.
#[component]
pub(crate) fn Toolbar() -> impl IntoView {
    let (comparison, tables) = (expect_context::<ComparisonStore>(), expect_context::<ShownTables>());
    let has_lap = Memo::new(move |_| comparison.shown().is_some());
    view! {
        <span class="lap-tools">
            {BEFORE.each_ref().map(Tool::button)}
            <Show when=move || has_lap.get()>
                <TableButton of="lanes" controls=TABLES open=tables.lanes class="quiet icon">
                    {icons::table()}<small>"Table"</small>
                </TableButton>
            </Show>
            {AFTER.each_ref().map(Tool::button)}
            <ActionButton action=Action::Share class="primary">"Share"</ActionButton>
        </span>
    }
}
