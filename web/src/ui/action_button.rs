//! Buttons that run actions.

use leptos::prelude::*;

use super::{ActionRow, PageAction, printed_key};

/// A button that runs an action. It is hidden while the action is impossible. While the action is refused, its
/// tooltip is the reason. Without children it shows the action's label.
#[component]
pub(crate) fn ActionButton<A: PageAction>(
    action: A,
    #[prop(optional)] class: Option<&'static str>,
    /// The button's name, if its label is only an icon.
    #[prop(optional)]
    name: Option<&'static str>,
    /// Whether what the button switches is on.
    #[prop(optional, into)]
    pressed: Option<Signal<bool>>,
    /// Whether it is shown while the action is impossible, too.
    #[prop(optional)]
    stays: bool,
    #[prop(optional)] children: Option<ChildrenFn>,
) -> impl IntoView {
    let page = expect_context::<A::Page>();
    let possible = Memo::new(move |_| stays || action.is_possible(page));
    let refusal = Memo::new(move |_| action.refusal(page));
    let run = Callback::new(move |()| action.choose(page));
    ButtonParts { row: action.row(), class, name, pressed, possible, refusal, run, children }.view()
}

/// What a button is made of, so that its elements are compiled once for all pages.
struct ButtonParts {
    row: ActionRow,
    class: Option<&'static str>,
    name: Option<&'static str>,
    pressed: Option<Signal<bool>>,
    possible: Memo<bool>,
    refusal: Memo<Option<&'static str>>,
    run: Callback<()>,
    children: Option<ChildrenFn>,
}

impl ButtonParts {
    fn view(self) -> AnyView {
        let Self { row, class, name, pressed, possible, refusal, run, children } = self;
        let is_labelled = children.is_none();
        let children = StoredValue::new(children);
        let content = move || {
            children.with_value(|children| match children {
                Some(children) => children().into_any(),
                None => row.label.into_any(),
            })
        };
        view! {
            <Show when=move || possible.get()>
                <button
                    type="button"
                    class=class
                    title=move || refusal.get().map(str::to_owned).or_else(|| tooltip(row, is_labelled))
                    aria-disabled=move || refusal.get().map(|_| "true")
                    aria-label=name
                    aria-pressed=move || pressed.map(|pressed| if pressed.get() { "true" } else { "false" })
                    data-testid=row.id
                    on:click=move |_| run.run(())
                >
                    {content()}
                </button>
            </Show>
        }
        .into_any()
    }
}

/// The tooltip of an action: its label and its first key. `None` if the button shows all of it.
fn tooltip(row: ActionRow, is_labelled: bool) -> Option<String> {
    match row.keys.first() {
        Some(key) => Some(format!("{} ({})", row.label, printed_key(key))),
        None => (!is_labelled).then(|| row.label.to_owned()),
    }
}
