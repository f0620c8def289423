//! Messages that are shown for a moment.

use leptos::prelude::*;

use super::{Analyse, Toast};

impl Analyse {
    /// Shows a message for a moment.
    pub(crate) fn show_message(self, words: &str) {
        self.toast.update(|toast| {
            let number = toast.as_ref().map_or(0, |toast| toast.number.wrapping_add(1));
            *toast = Some(Toast { number, words: words.to_owned() });
        });
    }
}

/// The latest message.
#[component]
pub(super) fn Toasts() -> impl IntoView {
    let toast = Analyse::here().toast;
    view! {
        <div class="said" id="said" role="status">
            <For each=move || toast.get() key=|toast: &Toast| toast.number let:toast>
                <p>{toast.words}</p>
            </For>
        </div>
    }
}
