//! The share dialog: saves the laps on screen for a coach.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::number::count;
use trailbrake_shared::recording::OtherPeople;

use crate::analyse::{Analyse, SharedAs, SharedPart};
use crate::browser;
use crate::jobs::{Jobs, Work};
use crate::ui::{Dialog, Segments};

/// The progress of saving the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Saving {
    #[default]
    NotBegun,
    /// The number of the running job.
    Running(u32),
    Done(String),
    Failed(String),
}

#[component]
pub(super) fn ShareDialog(on_close: Callback<()>) -> impl IntoView {
    let (analyse, jobs) = (Analyse::here(), Jobs::here());
    // The dialog is about the laps that were on screen when it was opened.
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
    // A page with laps is the viewer's file with the laps in it, and a single-file viewer can't load that file.
    let has_viewer = !browser::is_single_file();
    let shared_as = RwSignal::new(if has_viewer { "page" } else { "recording" });
    let others = RwSignal::new("out");
    let saving = RwSignal::new(Saving::default());
    let running = move || match saving.get() {
        Saving::Running(number) => Some(number),
        Saving::NotBegun | Saving::Done(_) | Saving::Failed(_) => None,
    };
    let progress = move || {
        let words = jobs.get(running()?).map(|job| job.words()).unwrap_or_default();
        Some(format!("Saving… {words}").trim_end().to_owned())
    };
    let save = move |_| {
        let laps = shared.with_untracked(|shared| shared.laps.clone());
        let kind = if shared_as.get_untracked() == "page" { SharedAs::Page } else { SharedAs::Recording };
        let people = if others.get_untracked() == "out" { OtherPeople::LeftOut } else { OtherPeople::Kept };
        let numbers = lines.with_untracked(|lines: &Vec<String>| lines.first().cloned().unwrap_or_default());
        // As a job, saving goes on when the dialog is closed, and can still be cancelled.
        let job = jobs.begin(Work::Share, &numbers);
        saving.set(Saving::Running(job.number));
        spawn_local(async move {
            let done = match analyse.share(laps, kind, people, job).await {
                Ok(words) => Saving::Done(words),
                Err(words) => Saving::Failed(words),
            };
            match saving.try_set(done) {
                // The dialog is closed, so the job reports the failure.
                Some(Saving::Failed(words)) => job.fail(words),
                _ => job.finish(),
            }
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
                disabled=move || is_empty() || progress().is_some()
                on:click=save
            >
                {move || progress().unwrap_or_else(|| "Save".to_owned())}
            </button>
            {move || running().map(|number| view! {
                <button type="button" class="quiet" data-testid="cancel-share" on:click=move |_| jobs.cancel(number)>
                    "Cancel"
                </button>
            })}
            <p class="copied" role="status" data-testid="shared">{move || match saving.get() {
                Saving::Done(words) => words,
                Saving::NotBegun | Saving::Running(_) | Saving::Failed(_) => String::new(),
            }}</p>
            <p class="trouble" role="alert">{move || match saving.get() {
                Saving::Failed(words) => words,
                Saving::NotBegun | Saving::Running(_) | Saving::Done(_) => String::new(),
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

/// What the file reveals about other drivers.
fn what_stays(others: &str) -> &'static str {
    match others {
        "out" => {
            "Names, ids and chat of all other drivers are removed, AI drivers included. Where their cars were stays."
        }
        _ => "Names, ids and chat of all other drivers stay.",
    }
}
