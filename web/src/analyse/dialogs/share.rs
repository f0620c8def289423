//! Sharing the laps on screen with a coach.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::number::count;
use trailbrake_shared::recording::OtherPeople;

use crate::analyse::{Analyse, SharedAs, SharedPart};
use crate::browser;
use crate::ui::{Dialog, Segments};

/// The state of saving.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Saving {
    #[default]
    NotBegun,
    Running,
    Done(String),
    Failed(String),
}

#[component]
pub(super) fn ShareDialog(on_close: Callback<()>) -> impl IntoView {
    let analyse = Analyse::here();
    // A dialog is about the laps that were there when it was opened.
    let [screen, stint] =
        untrack(|| [SharedPart::Screen, SharedPart::Stint].map(|part| analyse.shareable(part)));
    let has_stint = stint.count() > screen.count();
    let part = RwSignal::new("screen");
    let shared = Memo::new(move |_| if part.get() == "stint" { stint.clone() } else { screen.clone() });
    let lines = RwSignal::new(Vec::new());
    Effect::new(move |_| {
        let laps = shared.with(|shared| shared.laps.clone());
        spawn_local(async move {
            // If a recording can't be read, saving says why. The dialog may be closed by then.
            let described = analyse.describe_share(laps.clone()).await.unwrap_or_default();
            if shared.try_with_untracked(|shared| shared.laps == laps) == Some(true) {
                let _ = lines.try_set(described);
            }
        });
    });
    let is_empty = move || shared.with(|shared| shared.laps.is_empty());
    let missing = move || shared.with(|shared| shared.missing);
    // The viewer that was sent as one file has no file of itself to put laps into.
    let has_viewer = !browser::is_single_file();
    let shared_as = RwSignal::new(if has_viewer { "page" } else { "recording" });
    let others = RwSignal::new("out");
    let saving = RwSignal::new(Saving::default());
    let save = move |_| {
        let laps = shared.with_untracked(|shared| shared.laps.clone());
        let kind = if shared_as.get_untracked() == "page" { SharedAs::Page } else { SharedAs::Recording };
        let people = if others.get_untracked() == "out" { OtherPeople::LeftOut } else { OtherPeople::Kept };
        saving.set(Saving::Running);
        spawn_local(async move {
            let done = match analyse.share(laps, kind, people).await {
                Ok(words) => Saving::Done(words),
                Err(words) => Saving::Failed(words),
            };
            // The dialog may be closed by now.
            let _ = saving.try_set(done);
        });
    };
    view! {
        <Dialog label="Share" on_close>
            <h2>"Share"</h2>
            <ul class="shared" data-testid="shared-laps">
                {move || lines.get().into_iter().map(|line| view! { <li>{line}</li> }).collect_view()}
            </ul>
            {move || is_empty().then(|| view! { <p class="missing">"No lap on screen is recorded."</p> })}
            {move || (missing() > 0).then(|| view! {
                <p class="missing">{format!("{} not recorded and can't be shared.", are(missing()))}</p>
            })}
            {has_stint.then(|| view! {
                <Segments
                    label="Laps"
                    options=vec![("screen", "On screen"), ("stint", "Whole stint")]
                    selected=part
                    on_select=move |chosen: &'static str| part.set(chosen)
                />
                <p class="soft">"With the whole stint, a coach can set tasks: these laps are their baseline."</p>
            })}
            {has_viewer.then(|| view! {
                <Segments
                    label="As"
                    options=vec![("page", "Web page"), ("recording", "Recording")]
                    selected=shared_as
                    on_select=move |chosen: &'static str| shared_as.set(chosen)
                />
            })}
            <p class="soft">{move || about(shared_as.get())}</p>
            <Segments
                label="Other drivers"
                options=vec![("out", "Left out"), ("kept", "Kept")]
                selected=others
                on_select=move |chosen: &'static str| others.set(chosen)
            />
            <p class="soft" data-testid="what-stays">{move || what_stays(others.get())}</p>
            <button
                type="button"
                class="primary"
                data-testid="save-share"
                disabled=move || is_empty() || saving.get() == Saving::Running
                on:click=save
            >
                {move || if saving.get() == Saving::Running { "Saving…" } else { "Save" }}
            </button>
            <p class="copied" role="status" data-testid="shared">{move || match saving.get() {
                Saving::Done(words) => words,
                Saving::NotBegun | Saving::Running | Saving::Failed(_) => String::new(),
            }}</p>
            <p class="trouble" role="alert">{move || match saving.get() {
                Saving::Failed(words) => words,
                Saving::NotBegun | Saving::Running | Saving::Done(_) => String::new(),
            }}</p>
        </Dialog>
    }
}

fn are(missing: usize) -> String {
    format!("{} {}", count(missing, "lap", "laps"), if missing == 1 { "is" } else { "are" })
}

fn about(shared_as: &str) -> &'static str {
    match shared_as {
        "page" => {
            "One .html file with the viewer in it. It opens by double click, offline, with nothing installed."
        }
        _ => "A small .trailbrake.mcap for somebody who has Trailbrake or its viewer open.",
    }
}

/// What a reader learns about people.
fn what_stays(others: &str) -> &'static str {
    match others {
        "out" => {
            "Names, ids and chat of all other drivers are removed, AI drivers included. Where their cars were stays."
        }
        _ => "Names, ids and chat of all other drivers stay.",
    }
}
