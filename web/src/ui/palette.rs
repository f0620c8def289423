//! The palette: a dialog to search and run a page's commands.

use leptos::ev::KeyboardEvent;
use leptos::html::Button;
use leptos::prelude::*;
use web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};

use super::key_sheet::Keys;
use super::{Command, Dialog, Search};

/// The palette, with all commands of a page.
#[component]
pub(crate) fn Palette(commands: Vec<Command>, on_close: Callback<()>) -> impl IntoView {
    let commands = StoredValue::new(commands);
    let wanted = RwSignal::new(String::new());
    // The indexes of the found commands in the list.
    let found = Memo::new(move |_| commands.with_value(|commands| found(commands, &wanted.get())));
    let chosen = RwSignal::new(0_usize);
    let active = Memo::new(move |_| found.with(|found| found.get(chosen.get()).copied()));
    let run = move |index: usize| {
        let command = commands.with_value(|commands| commands.get(index).cloned());
        if let Some(command) = command.filter(|command| command.possible) {
            on_close.run(());
            command.run.run(());
        }
    };
    let typed = move |event| {
        wanted.set(event_target_value(&event));
        chosen.set(0);
    };
    let pressed = move |event: KeyboardEvent| {
        match event.key().as_str() {
            "Enter" => active.get_untracked().into_iter().for_each(run),
            "ArrowDown" => {
                let last = found.with_untracked(Vec::len).saturating_sub(1);
                chosen.update(|chosen| *chosen = last.min(*chosen + 1));
            }
            "ArrowUp" => chosen.update(|chosen| *chosen = chosen.saturating_sub(1)),
            _ => return,
        }
        event.prevent_default();
    };
    let option = move |index: usize| {
        let command = commands.with_value(|commands| commands.get(index).cloned())?;
        Some(view! {
            <CommandOption
                command
                active=Memo::new(move |_| active.get() == Some(index))
                on_press=Callback::new(move |()| run(index))
            />
        })
    };
    view! {
        <Dialog label="Commands" on_close>
            <input
                id="command"
                type="search"
                role="combobox"
                placeholder="Find a command"
                aria-label="Find a command"
                aria-expanded="true"
                aria-controls="found"
                aria-activedescendant=move || active.get().and_then(|index| name(commands, index))
                autocomplete="off"
                autofocus=true
                on:input=typed
                on:keydown=pressed
            />
            <div class="found" id="found" role="listbox" aria-label="Commands">
                <For each=move || found.get() key=|index| *index children=option/>
            </div>
            <Show when=move || found.with(Vec::is_empty)>
                <p class="missing" role="status">"No command found."</p>
            </Show>
        </Dialog>
    }
}

/// The id of a command's element, by which the field refers to the active option.
fn name(commands: StoredValue<Vec<Command>>, index: usize) -> Option<String> {
    commands.with_value(|commands| Some(format!("command-{}", commands.get(index)?.row.id)))
}

/// The indexes of the commands whose labels contain the wanted words: those that can be run now first.
fn found(commands: &[Command], wanted: &str) -> Vec<usize> {
    let search = Search::new(wanted);
    let found = commands.iter().enumerate().filter(|(_, command)| search.finds(command.row.label));
    let (possible, impossible): (Vec<_>, Vec<_>) = found.partition(|(_, command)| command.possible);
    possible.into_iter().chain(impossible).map(|(index, _)| index).collect()
}

#[component]
fn CommandOption(command: Command, active: Memo<bool>, on_press: Callback<()>) -> impl IntoView {
    let button = NodeRef::<Button>::new();
    Effect::new(move |_| {
        if let Some(button) = button.get().filter(|_| active.get()) {
            let options = ScrollIntoViewOptions::new();
            options.set_block(ScrollLogicalPosition::Nearest);
            button.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
    view! {
        <button
            type="button"
            class="command"
            class:first=move || active.get()
            id=format!("command-{}", command.row.id)
            role="option"
            aria-selected=move || active.get().to_string()
            aria-disabled=(!command.possible).then_some("true")
            tabindex="-1"
            data-testid=command.row.id
            node_ref=button
            on:click=move |_| on_press.run(())
        >
            <span>{command.row.label}</span>
            <Keys keys=command.row.keys/>
        </button>
    }
}
