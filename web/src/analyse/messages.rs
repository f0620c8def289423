//! Messages that are shown for a moment.

use leptos::prelude::*;

/// The message for commands that need a cursor while there is none.
pub(super) const NO_CURSOR: &str = "Click a lane to place the cursor first.";

/// A message that fades.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Toast {
    /// Different for each message, so that the same words can be shown again.
    number: u32,
    words: String,
}

/// The latest message. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct Messages {
    toast: RwSignal<Option<Toast>>,
}

impl Messages {
    pub(super) fn new() -> Self {
        Self { toast: RwSignal::new(None) }
    }

    /// Shows a message for a moment.
    pub(crate) fn show(self, words: &str) {
        self.toast.update(|toast| {
            let number = toast.as_ref().map_or(0, |toast| toast.number.wrapping_add(1));
            *toast = Some(Toast { number, words: words.to_owned() });
        });
    }
}

/// The latest message.
#[component]
pub(super) fn Toasts() -> impl IntoView {
    let toast = expect_context::<Messages>().toast;
    view! {
        <div class="said" id="said" role="status">
            <For each=move || toast.get() key=|toast: &Toast| toast.number let:toast>
                <p>{toast.words}</p>
            </For>
        </div>
    }
}
