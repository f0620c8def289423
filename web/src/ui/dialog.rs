//! A dialog over the page.

use leptos::ev::MouseEvent;
use leptos::html;
use leptos::prelude::*;

/// A modal dialog. The browser keeps the focus inside, and then returns it to where it was. Escape closes the dialog. A
/// field with `autofocus` has the focus first.
#[component]
pub(crate) fn Dialog(
    /// The name for screen readers.
    label: &'static str,
    /// A further class of the dialog's box.
    #[prop(optional)]
    class: &'static str,
    /// Whether a click beside the dialog leaves it open, so that typed text is not lost.
    #[prop(optional)]
    keeps_open: bool,
    on_close: Callback<()>,
    children: Children,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    let is_open = StoredValue::new(true);
    Effect::new(move |_| {
        // This fails if the element is not in the document yet, as when its code was loaded; then the next frame has it.
        if let Some(dialog) = dialog.get()
            && dialog.show_modal().is_err()
        {
            request_animation_frame(move || {
                if is_open.try_get_value() == Some(true) {
                    let _ = dialog.show_modal();
                }
            });
        }
    });
    on_cleanup(move || {
        is_open.set_value(false);
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    });
    // The browser's own gestures may close the dialog. Their event comes later, when the element may belong to another
    // dialog.
    let closed = move |_| {
        let is_closed = dialog.try_get_untracked().flatten().is_some_and(|dialog| !dialog.open());
        if is_closed && is_open.try_get_value() == Some(true) {
            on_close.run(());
        }
    };
    let beside = move |event: MouseEvent| {
        if !keeps_open && event.target() == event.current_target() {
            on_close.run(());
        }
    };
    // On the window, so that Escape works even if the element that had the focus is gone.
    let escape = window_event_listener(leptos::ev::keydown, move |event| {
        if event.key() == "Escape" {
            event.prevent_default();
            on_close.run(());
        }
    });
    on_cleanup(move || escape.remove());
    view! {
        <dialog
            class="over"
            role="dialog"
            aria-label=label
            node_ref=dialog
            on:close=closed
            on:click=beside
        >
            <div class=format!("dialog {class}")>
                {children()}
                <button
                    type="button"
                    class="quiet"
                    data-testid="close-dialog"
                    on:click=move |_| on_close.run(())
                >
                    "Close"
                </button>
            </div>
        </dialog>
    }
}
