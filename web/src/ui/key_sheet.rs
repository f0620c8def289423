//! The key sheet: a dialog with the keys of a page's commands.

use leptos::prelude::*;

use super::{Command, Dialog, printed_key};

/// A command with more keys than this uses the row of digits.
const MOST_KEYS: usize = 5;

/// All commands that have a key, in groups.
#[component]
pub(crate) fn KeySheet(commands: Vec<Command>, on_close: Callback<()>) -> impl IntoView {
    let groups = grouped(commands).into_iter().map(|(group, commands)| {
        view! {
            <section>
                <h3>{group}</h3>
                {commands.into_iter().map(row).collect_view()}
            </section>
        }
    });
    view! {
        <Dialog label="Keys" class="keys" on_close>
            <h2>"Keys"</h2>
            // The element can have the focus, so that the keyboard can scroll it.
            <div class="sheet-of-keys" tabindex="0">{groups.collect_view()}</div>
        </Dialog>
    }
}

/// The commands with keys, under their headings.
fn grouped(commands: Vec<Command>) -> Vec<(&'static str, Vec<Command>)> {
    let mut groups: Vec<(&'static str, Vec<Command>)> = Vec::new();
    for command in commands.into_iter().filter(|command| !command.row.keys.is_empty()) {
        match groups.iter_mut().find(|(group, _)| *group == command.row.group) {
            Some((_, commands)) => commands.push(command),
            None => groups.push((command.row.group, vec![command])),
        }
    }
    groups
}

fn row(command: Command) -> impl IntoView {
    view! {
        <div class="command" data-testid=command.row.id>
            <span>{command.row.label}</span>
            <Keys keys=command.row.keys/>
        </div>
    }
}

/// The keys of a command.
#[component]
pub(super) fn Keys(keys: &'static [&'static str]) -> impl IntoView {
    let printed = keys.iter().map(|key| view! { <kbd data-key=*key>{printed_key(key)}</kbd> });
    // For a row of digits the style sheet shows only the first and the last key.
    let class = if keys.len() > MOST_KEYS { "key-list row" } else { "key-list" };
    view! { <span class=class>{printed.collect_view()}</span> }
}
