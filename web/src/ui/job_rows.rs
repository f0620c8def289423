//! A row for each long operation: its title, its progress, and a button to cancel it.

use leptos::prelude::*;

use crate::jobs::{Job, Jobs};

/// The rows of all jobs.
#[component]
pub(crate) fn JobRows() -> impl IntoView {
    let jobs = Jobs::here();
    let numbers =
        Memo::new(move |_| jobs.all.with(|all| all.iter().map(|job| job.number).collect::<Vec<_>>()));
    view! {
        <ul class="jobs" aria-label="What is being done">
            <For each=move || numbers.get() key=|number| *number let:number>
                <li><JobRow number/></li>
            </For>
        </ul>
    }
}

/// The row of a job, as long as the job is listed.
#[component]
fn JobRow(
    /// The job's number.
    number: u32,
) -> impl IntoView {
    let jobs = Jobs::here();
    let job = Memo::new(move |_| jobs.get(number));
    let is_listed = Memo::new(move |_| job.with(Option::is_some));
    let read = move |read: fn(&Job) -> String| move || job.with(|job| job.as_ref().map(read));
    let failed = Memo::new(move |_| job.with(|job| job.as_ref().is_some_and(|job| job.failure().is_some())));
    let can_retry = Memo::new(move |_| job.with(|job| job.as_ref().is_some_and(Job::can_retry)));
    let id = untrack(|| jobs.get(number)).map(|job| job.work.id());
    // Without a value the browser shows an indeterminate progress bar.
    let share = move || job.with(|job| job.as_ref()?.share().map(|share| share.to_string()));
    view! {
        <Show when=move || is_listed.get()>
            <div
                class="job"
                role="status"
                data-figure="job"
                data-testid=id
                data-failed=move || failed.get().then_some("")
            >
                <b>{read(Job::title)}</b>
                <Show when=move || !failed.get()>
                    <progress max="1" value=share></progress>
                </Show>
                <span>{read(Job::words)}</span>
                <Show when=move || can_retry.get()>
                    <button type="button" data-testid="retry-job" on:click=move |_| jobs.retry(number)>
                        "Try again"
                    </button>
                </Show>
                <button
                    type="button"
                    class="quiet"
                    data-testid="cancel-job"
                    on:click=move |_| jobs.cancel(number)
                >
                    {move || if failed.get() { "Dismiss" } else { "Cancel" }}
                </button>
            </div>
        </Show>
    }
}
