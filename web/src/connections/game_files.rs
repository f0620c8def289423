//! Sets a game up by its own files: shows what would be written, and writes it once the driver agrees.

use leptos::prelude::*;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::{FilesPlan, FilesRequest};

use super::actions::ActionContext;
use crate::http;
use crate::ui::Dialog;

/// How far the dialog is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum DialogState {
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
    /// `None` while the dialog is closed.
    state: RwSignal<Option<DialogState>>,
    undo: RwSignal<bool>,
}

impl FilesDialog {
    /// Shows what would be written, or taken out again.
    fn look(self, undo: bool) {
        self.undo.set(undo);
        self.state.set(Some(DialogState::Looking));
        self.ask(None, DialogState::Plan);
    }

    /// Writes what the driver read.
    fn write(self, read: String) {
        self.ask(Some(read), |done| DialogState::Done(done.words));
    }

    fn ask(self, agreed: Option<String>, answered: fn(FilesPlan) -> DialogState) {
        let request =
            FilesRequest { port: self.port.get_untracked(), undo: self.undo.get_untracked(), agreed };
        let path = format!("/game-files/{}", self.feed.id());
        leptos::task::spawn_local(async move {
            let body = serde_json::to_string(&request).unwrap_or_default();
            let answer = http::ask("POST", &path, Some(&body)).await;
            let state = match answer.map(|answer| serde_json::from_str(&answer)) {
                Ok(Ok(plan)) => answered(plan),
                Ok(Err(_)) => DialogState::Failed(http::Failed::Stranger.words()),
                Err(failed) => DialogState::Failed(failed.words()),
            };
            // The driver may have closed the dialog meanwhile.
            if self.state.try_with_untracked(Option::is_some) == Some(true) {
                self.state.set(Some(state));
            }
        });
    }
}

/// The button and its dialog, for a browser on the game's own computer.
#[component]
pub(super) fn GameFiles(feed: Feed, port: Memo<Option<u16>>) -> impl IntoView {
    let tablets = ActionContext::here().tablets;
    let dialog = FilesDialog { feed, port, state: RwSignal::new(None), undo: RwSignal::new(false) };
    let is_owner = Memo::new(move |_| tablets.is_open().is_some());
    let is_open = Memo::new(move |_| dialog.state.with(Option::is_some));
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
        <Show when=move || is_open.get()>
            <FilesContent dialog/>
        </Show>
    }
    .into_any()
}

#[component]
fn FilesContent(dialog: FilesDialog) -> impl IntoView {
    let on_close = Callback::new(move |()| dialog.state.set(None));
    let content = move || match dialog.state.get() {
        None => ().into_any(),
        Some(DialogState::Looking) => {
            view! { <p role="status">"Looking at the game's files…"</p> }.into_any()
        }
        Some(DialogState::Failed(words)) => view! { <p class="trouble" role="alert">{words}</p> }.into_any(),
        Some(DialogState::Done(words)) => {
            view! { <p class="file-changes" role="status">{words}</p> }.into_any()
        }
        Some(DialogState::Plan(plan)) if plan.is_done => {
            view! { <p class="file-changes" role="status">{plan.words} "Nothing to do."</p> }.into_any()
        }
        Some(DialogState::Plan(plan)) => {
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
