//! Sets a game up by its own files: shows what would be written, and writes it once the driver agrees.

use leptos::prelude::*;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::{FilesPlan, FilesRequest};

use super::actions::ActionContext;
use crate::http;
use crate::ui::Dialog;

/// What the dialog shows.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Shown {
    /// The relay looks at the files.
    Looking,
    /// What would be written.
    Plan(FilesPlan),
    /// What was written.
    Done(String),
    /// Why nothing was written.
    Failed(String),
}

/// The dialog's state. Copies are handles to the same state.
#[derive(Clone, Copy)]
struct FilesDialog {
    feed: Feed,
    port: Memo<Option<u16>>,
    shown: RwSignal<Option<Shown>>,
    undo: RwSignal<bool>,
}

impl FilesDialog {
    /// Shows what would be written, or taken out again.
    fn look(self, undo: bool) {
        self.undo.set(undo);
        self.shown.set(Some(Shown::Looking));
        self.ask(None, Shown::Plan);
    }

    /// Writes what the driver read.
    fn write(self, read: String) {
        self.ask(Some(read), |done| Shown::Done(done.words));
    }

    fn ask(self, agreed: Option<String>, answered: fn(FilesPlan) -> Shown) {
        let request =
            FilesRequest { port: self.port.get_untracked(), undo: self.undo.get_untracked(), agreed };
        let path = format!("/game-files/{}", self.feed.id());
        leptos::task::spawn_local(async move {
            let body = serde_json::to_string(&request).unwrap_or_default();
            let answer = http::ask("POST", &path, Some(&body)).await;
            let shown = match answer.map(|answer| serde_json::from_str(&answer)) {
                Ok(Ok(plan)) => answered(plan),
                Ok(Err(_)) => Shown::Failed(http::Failed::Stranger.words()),
                Err(failed) => Shown::Failed(failed.words()),
            };
            // The driver may have closed the dialog meanwhile.
            if self.shown.try_with_untracked(Option::is_some) == Some(true) {
                self.shown.set(Some(shown));
            }
        });
    }
}

/// The button and its dialog, for a browser on the game's own computer.
#[component]
pub(super) fn GameFiles(feed: Feed, port: Memo<Option<u16>>) -> impl IntoView {
    let tablets = ActionContext::here().tablets;
    let dialog = FilesDialog { feed, port, shown: RwSignal::new(None), undo: RwSignal::new(false) };
    let is_owner = Memo::new(move |_| tablets.is_open().is_some());
    let is_shown = Memo::new(move |_| dialog.shown.with(Option::is_some));
    view! {
        <Show when=move || is_owner.get()>
            <p class="actions">
                <button type="button" class="button plain" data-testid="game-files" on:click=move |_| dialog.look(false)>
                    "Set up the game's files"
                </button>
                <button type="button" class="quiet" data-testid="undo-game-files" on:click=move |_| dialog.look(true)>
                    "Undo"
                </button>
            </p>
        </Show>
        <Show when=move || is_shown.get()>
            <ShownFiles dialog/>
        </Show>
    }
    .into_any()
}

#[component]
fn ShownFiles(dialog: FilesDialog) -> impl IntoView {
    let on_close = Callback::new(move |()| dialog.shown.set(None));
    let content = move || match dialog.shown.get() {
        None => ().into_any(),
        Some(Shown::Looking) => view! { <p role="status">"Looking at the game's files…"</p> }.into_any(),
        Some(Shown::Failed(words)) => view! { <p class="trouble" role="alert">{words}</p> }.into_any(),
        Some(Shown::Done(words)) => view! { <p class="file-changes" role="status">{words}</p> }.into_any(),
        Some(Shown::Plan(plan)) if plan.is_done => {
            view! { <p class="file-changes" role="status">{plan.words} "Nothing to do."</p> }.into_any()
        }
        Some(Shown::Plan(plan)) => {
            let words = plan.words.clone();
            view! {
                <p>"This would change on this computer:"</p>
                <p class="file-changes" tabindex="0" data-testid="file-changes">{plan.words}</p>
                <p>
                    <button
                        type="button"
                        class="primary"
                        data-testid="write-game-files"
                        on:click=move |_| dialog.write(words.clone())
                    >
                        {move || if dialog.undo.get() { "Take it out" } else { "Write this" }}
                    </button>
                </p>
            }
            .into_any()
        }
    };
    view! {
        <Dialog label="The game's files" class="game-files" on_close>
            <h2>"The game's files"</h2>
            {content}
        </Dialog>
    }
    .into_any()
}
