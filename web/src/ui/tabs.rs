//! A row of tabs, one of which is selected. Arrow keys move along the row.

use leptos::ev::KeyboardEvent;
use leptos::html::Button;
use leptos::prelude::*;

/// A row of tabs.
#[component]
pub(crate) fn Tabs(
    /// The row's name for screen readers.
    label: &'static str,
    /// The tabs in order, each with its id and its name.
    tabs: Vec<(&'static str, &'static str)>,
    /// The id of the selected tab.
    #[prop(into)]
    selected: Signal<&'static str>,
    /// Called with the id of a tab that was chosen.
    #[prop(into)]
    on_select: Callback<&'static str>,
) -> impl IntoView {
    let tabs: Vec<(&'static str, &'static str, NodeRef<Button>)> =
        tabs.into_iter().map(|(id, name)| (id, name, NodeRef::new())).collect();
    let targets: Vec<(&'static str, NodeRef<Button>)> =
        tabs.iter().map(|(id, _, node)| (*id, *node)).collect();
    let press_key = move |event: KeyboardEvent| {
        let index = targets.iter().position(|(id, _)| *id == selected.get_untracked());
        let next = index.and_then(|index| index_after(&event.key(), index, targets.len()));
        if let Some((id, node)) = next.and_then(|next| targets.get(next)) {
            // Keep the key from the page's own actions.
            event.prevent_default();
            event.stop_propagation();
            on_select.run(id);
            if let Some(node) = node.get_untracked() {
                let _ = node.focus();
            }
        }
    };
    let tab = move |(id, name, node): (&'static str, &'static str, NodeRef<Button>)| {
        let is_selected = move || selected.get() == id;
        // The row scrolls where it is narrow.
        Effect::new(move |_| {
            let button = node.get().filter(|_| is_selected());
            if let Some((button, row)) =
                button.and_then(|button| Some((button.clone(), button.parent_element()?)))
            {
                let aside = (row.client_width() - button.offset_width()) / 2;
                row.set_scroll_left(button.offset_left() - aside);
            }
        });
        view! {
            <button
                type="button"
                class="tab"
                role="tab"
                aria-selected=move || is_selected().to_string()
                tabindex=move || if is_selected() { "0" } else { "-1" }
                data-testid=format!("tab-{id}")
                node_ref=node
                on:click=move |_| on_select.run(id)
            >
                {name}
            </button>
        }
    };
    view! {
        <div class="tabs" role="tablist" aria-label=label on:keydown=press_key>
            {tabs.into_iter().map(tab).collect_view()}
        </div>
    }
}

/// The index of the tab that a key leads to; `None` if the key does not move. Arrow keys go round at the ends.
fn index_after(key: &str, index: usize, count: usize) -> Option<usize> {
    let last = count.checked_sub(1)?;
    Some(match key {
        "ArrowRight" | "ArrowDown" if index < last => index + 1,
        "ArrowRight" | "ArrowDown" | "Home" => 0,
        "ArrowLeft" | "ArrowUp" if index > 0 => index - 1,
        "ArrowLeft" | "ArrowUp" | "End" => last,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrow_keys_go_around() {
        let indexes = |key| [0, 1, 2].map(|index| index_after(key, index, 3));
        assert_eq!(indexes("ArrowRight"), [Some(1), Some(2), Some(0)]);
        assert_eq!(indexes("ArrowLeft"), [Some(2), Some(0), Some(1)]);
        assert_eq!(indexes("Home"), [Some(0); 3]);
        assert_eq!(indexes("End"), [Some(2); 3]);
        assert_eq!(indexes("Enter"), [None; 3]);
        assert_eq!(index_after("End", 0, 0), None);
    }
}
