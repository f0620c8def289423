//! A row for each long operation: its title, its progress, and a button to cancel it.

use leptos::prelude::*;

use crate::jobs::{Job, Jobs};
use crate::reactive::{EachRow, Rows};

/// The rows of all jobs.
#[component]
pub(crate) fn JobRows() -> impl IntoView {
    let jobs = Jobs::here();
    let rows = Rows::new(Memo::new(move |_| jobs.all.get()), |job| job.number);
    view! {
        <ul class="jobs" aria-label="What is being done">
            <EachRow rows let:job><li><JobRow job/></li></EachRow>
        </ul>
    }
}

/// The row of a job.
#[component]
fn JobRow(job: Memo<Job>) -> impl IntoView {
    let jobs = Jobs::here();
    let (number, id) = job.with_untracked(|job| (job.number, job.work.id()));
    let failed = Memo::new(move |_| job.with(|job| job.failure().is_some()));
    let can_retry = Memo::new(move |_| job.with(Job::can_retry));
    // Without a value the browser shows an indeterminate progress bar.
    let share = move || job.with(|job| job.share().map(|share| share.to_string()));
    view! {
        <div
            class="job"
            role="status"
            data-figure="job"
            data-testid=id
            data-failed=move || failed.get().then_some("")
        >
            <b>{move || job.with(Job::title)}</b>
            <Show when=move || !failed.get()>
                <progress max="1" value=share></progress>
            </Show>
            <span>{move || job.with(Job::words)}</span>
            <Show when=move || can_retry.get()>
                <button type="button" data-testid="retry-job" on:click=move |_| jobs.retry(number)>
                    "Try again"
                </button>
            </Show>
            <button type="button" class="quiet" data-testid="cancel-job" on:click=move |_| jobs.cancel(number)>
                {move || if failed.get() { "Dismiss" } else { "Cancel" }}
            </button>
        </div>
    }
}
