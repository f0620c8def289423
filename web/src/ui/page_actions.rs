//! The use that every page makes of its actions: keys run them, palette and key sheet list them.

use leptos::prelude::*;

use super::page_dialog::{OpenPageDialog, PageCommands, PageDialog};
use super::{ActionRow, ActionTable, Command, KeyPress, PageAction, is_for_field};

/// Provides what the page's actions work on to the components below, and runs actions by keys as long as the page is
/// shown.
pub(crate) fn provide_actions<A: PageAction>(page: A::Page) {
    let open = OpenPageDialog::new();
    provide_context(page);
    provide_context(open);
    provide_context(PageCommands(Callback::new(move |()| commands::<A>(page, open))));
    let listener = window_event_listener(leptos::ev::keydown, move |event| {
        let are_free = PageDialog::are_keys_free(open) && A::are_keys_free(page);
        let press = KeyPress::of(&event).filter(|_| are_free && !is_for_field(&event));
        if press.is_some_and(|press| run_key::<A>(page, &press) || run_key::<PageDialog>(open, &press)) {
            event.prevent_default();
        }
    });
    on_cleanup(move || listener.remove());
}

/// Runs the action of a key if it is possible now. Returns whether it ran one.
fn run_key<A: PageAction>(page: A::Page, press: &KeyPress) -> bool {
    let action = A::of_key(&press.name).filter(|action| untrack(|| action.is_possible(page)));
    action.into_iter().for_each(|action| action.run(page, press));
    action.is_some()
}

/// All commands of a page, for palette and key sheet: its own, then those that every page has.
fn commands<A: PageAction>(page: A::Page, open: OpenPageDialog) -> Vec<Command> {
    let own = A::ALL.iter().map(|action| command(*action, action.row(), page));
    let general = PageDialog::ALL.iter().map(|action| command(*action, general_row::<A>(*action), open));
    own.chain(general).collect()
}

fn command<A: PageAction>(action: A, row: ActionRow, page: A::Page) -> Command {
    let possible = untrack(|| action.is_possible(page));
    Command { row, possible, run: Callback::new(move |()| action.choose(page)) }
}

/// The row of an action that every page has, under the heading of a page.
fn general_row<A: PageAction>(action: PageDialog) -> ActionRow {
    ActionRow { group: A::PAGE_GROUP, ..action.row() }
}

/// The ids of all actions that are possible now, those that every page has included.
#[cfg(test)]
pub(crate) fn possible_ids<A: PageAction>(page: A::Page) -> Vec<&'static str> {
    let possible = commands::<A>(page, OpenPageDialog::new()).into_iter().filter(|command| command.possible);
    possible.map(|command| command.row.id).collect()
}

/// Checks a page's table with the actions that every page has: no key and no id means two actions, keys are named as
/// [`KeyPress`] names them, and groups are not scattered.
#[cfg(test)]
pub(crate) fn check_actions<A: PageAction>() {
    let general = PageDialog::ALL.iter().map(|action| general_row::<A>(*action));
    let rows: Vec<ActionRow> = A::ALL.iter().map(|action| action.row()).chain(general).collect();
    let ids: Vec<&str> = rows.iter().map(|row| row.id).collect();
    let keys: Vec<&str> = rows.iter().flat_map(|row| row.keys).copied().collect();
    let mut groups: Vec<&str> = rows.iter().map(|row| row.group).collect();
    groups.dedup();
    for words in [ids, keys.clone(), groups] {
        for (place, word) in words.iter().enumerate() {
            assert!(!words.iter().skip(place + 1).any(|other| other == word), "{word} occurs twice");
        }
    }
    assert!(keys.iter().all(|key| *key == key.to_ascii_lowercase()), "{keys:?}");
    for row in rows {
        let found = A::of_key(row.keys.first().copied().unwrap_or_default()).map(ActionTable::id);
        let general = row.keys.first().and_then(|key| PageDialog::of_key(key)).map(ActionTable::id);
        assert_eq!(found.or(general), (!row.keys.is_empty()).then_some(row.id));
    }
}
