//! The parts of the page, and where each is.

use std::time::Duration;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::Contents;
use super::Library;
use super::actions::ActionContext;
use super::details::Details;
use super::empty::EmptyList;
use super::list::RecordingList;
use super::stores::LibraryDialog;
use super::strips::{Imports, ToastStrip, TroubleStrip};
use super::tools::Tools;
use crate::cockpit::Cockpit;
use crate::ui::{KeyPress, KeySheet, Palette, is_for_field};

/// How often the list is asked for during a recording: it grows.
const REFRESH: Duration = Duration::from_secs(5);
/// The details are asked for once the keyboard has stopped on a recording.
const PAUSE: Duration = Duration::from_millis(120);

/// The page.
#[component]
pub(crate) fn LibraryPage() -> impl IntoView {
    let context = ActionContext::provide();
    let library = context.library;
    let cockpit = Cockpit::here();
    follow_keys(context);
    follow_relay(library);
    let nowhere = move || (!library.contents.with(Contents::is_somewhere)).then_some("");
    view! {
        <main id="main" node_ref=cockpit.main class="library" tabindex="-1" data-page="library" data-nowhere=nowhere>
            <h1 class="unseen">"Library"</h1>
            <Tools/>
            <TroubleStrip/>
            <Imports/>
            <div class="recordings">
                <RecordingList>
                    <EmptyList/>
                </RecordingList>
                <Details/>
            </div>
            <ToastStrip/>
            <Dialogs/>
        </main>
    }
}

/// Palette and key sheet.
#[component]
fn Dialogs() -> impl IntoView {
    let context = ActionContext::here();
    let library = context.library;
    let on_close = Callback::new(move |()| library.dialog.set(None));
    move || {
        library.dialog.get().map(|dialog| match dialog {
            LibraryDialog::Keys => view! { <KeySheet commands=context.commands() on_close/> }.into_any(),
            LibraryDialog::Palette => view! { <Palette commands=context.commands() on_close/> }.into_any(),
        })
    }
}

/// Runs the actions of keys for as long as the page is shown. While a dialog is open, keys are the dialog's.
fn follow_keys(context: ActionContext) {
    let listener = window_event_listener(leptos::ev::keydown, move |event| {
        let has_dialog = context.library.dialog.with_untracked(Option::is_some);
        // Enter on a button or a link presses that.
        let is_press = event.key() == "Enter" && is_pressable(event.target());
        let press = KeyPress::of(&event).filter(|_| !has_dialog && !is_press && !is_for_field(&event));
        if press.is_some_and(|press| context.run_key(&press)) {
            event.prevent_default();
        }
    });
    on_cleanup(move || listener.remove());
}

fn is_pressable(target: Option<web_sys::EventTarget>) -> bool {
    let element = target.and_then(|target| target.dyn_into::<HtmlElement>().ok());
    element.is_some_and(|element| matches!(element.tag_name().as_str(), "BUTTON" | "A" | "LABEL" | "SELECT"))
}

/// Keeps the list as the relay has it, for as long as the page is shown.
fn follow_relay(library: Library) {
    let cockpit = Cockpit::here();
    let underway = cockpit.sampled(|telemetry| telemetry.ports.underway());
    Effect::new(move |_| {
        // A memo that was never read reports no change.
        drop((underway.get(), cockpit.link.get()));
        library.refresh();
    });
    let opened = Memo::new(move |_| library.opened());
    Effect::new(move |_| {
        drop(opened.get());
        set_timeout(move || library.load_details(), PAUSE);
    });
    let grows = move || library.contents.with_untracked(|all| all.all.iter().any(|one| one.entry.underway));
    let refresh = move || {
        if grows() {
            library.refresh();
        }
    };
    let growing = set_interval_with_handle(refresh, REFRESH);
    let focused = window_event_listener(leptos::ev::focus, move |_| library.refresh());
    on_cleanup(move || {
        drop(growing.map(|growing| growing.clear()));
        focused.remove();
    });
}
