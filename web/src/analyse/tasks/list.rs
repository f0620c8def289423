//! The list of tasks, below the laps.

use leptos::prelude::*;
use trailbrake_shared::number;
use trailbrake_shared::recording::tasks::{TaskChange, TaskState};
use trailbrake_shared::recording::{Authored, AuthoredKind, Task};
use trailbrake_shared::units::Units;

use crate::analyse::notes::BookChange;
use crate::analyse::{BookStore, NoteStore, SourceId, TaskStore};
use crate::cockpit::ActiveTask;

/// The text of a row.
#[derive(Clone, Debug, PartialEq)]
struct TaskWords {
    /// The corner, and what to do.
    title: String,
    /// The author, the goal, and the number of laps.
    about: String,
    /// Whether the laps since changed as wanted; empty before any of them.
    verdict: String,
    state: TaskState,
    /// Whether the driver follows it on Live.
    is_followed: bool,
}

/// The tasks of the main lap's source.
#[component]
pub(crate) fn TaskList() -> impl IntoView {
    let (books, notes, store) =
        (expect_context::<BookStore>(), expect_context::<NoteStore>(), expect_context::<TaskStore>());
    let tasks = Memo::new(move |_| listed(books, notes));
    let trouble = Memo::new(move |_| store.trouble());
    view! {
        <section class="notes tasks" id="tasks" aria-label="Tasks">
            <Show when=move || tasks.with(|tasks| !tasks.is_empty()) || trouble.with(Option::is_some)>
                <div class="head"><h2>"Tasks"</h2></div>
                {move || trouble.get().map(|words| view! { <p class="trouble" role="alert">{words}</p> })}
                <ul>
                    <For each=move || tasks.get() key=Clone::clone let:task>
                        <TaskRow of=task.0 name=task.1/>
                    </For>
                </ul>
            </Show>
        </section>
    }
}

/// A row, by the task's source and its name among the facts. The element outlives changes of the task, so that it keeps
/// the focus.
#[component]
fn TaskRow(of: SourceId, name: String) -> impl IntoView {
    let (books, notes, tasks) =
        (expect_context::<BookStore>(), expect_context::<NoteStore>(), expect_context::<TaskStore>());
    let (units, active) = (expect_context::<RwSignal<Units>>(), ActiveTask::here());
    let name = StoredValue::new(name);
    let words = Memo::new(move |_| {
        let units = units.get();
        let mut task = name.with_value(|name| task(books, of, name))?;
        // Laps of the recording under way are only in the copy of the task that the driver follows.
        let followed = active.task.get().filter(|followed| followed.name() == task.name());
        followed.into_iter().flat_map(|followed| followed.driven).for_each(|laps| task.add(laps));
        let corner = tasks.corner(&task);
        Some(words(active, &task, &corner, &units))
    });
    let is_done =
        move || words.with(|words| words.as_ref().is_some_and(|words| words.state == TaskState::Done));
    let is_followed = move || words.with(|words| words.as_ref().is_some_and(|words| words.is_followed));
    let follow = move |_| {
        let task = untrack(|| name.with_value(|name| task(books, of, name)));
        active.follow(task.filter(|_| !untrack(is_followed)));
    };
    let stop = move || {
        if untrack(is_followed) {
            active.follow(None);
        }
    };
    let finish = move |_| {
        if notes.refuses_writing() {
            return;
        }
        let done = !untrack(is_done);
        stop();
        let change = TaskChange { done: Some(done), ..TaskChange::default() };
        tasks.change(of, BookChange::ChangeTask(name.get_value(), change));
    };
    let delete = move |_| {
        if notes.refuses_writing() {
            return;
        }
        stop();
        tasks.change(of, BookChange::Delete(AuthoredKind::Task, name.get_value()));
    };
    let read_only = Memo::new(move |_| notes.read_only());
    let is_refused = move || read_only.get().map(|_| "true");
    let content = move || {
        words.get().map(|TaskWords { title, about, verdict, state, .. }| {
            view! {
                <span class="text">{title}</span>
                <span class="about"><b data-figure="task-state">{state.label()}</b>" · "{about}</span>
                <span class="about" data-figure="verdict">{verdict}</span>
            }
        })
    };
    view! {
        <li class:done=is_done data-testid="task">
            <div class="go">{content}</div>
            <div class="task-tools">
                <button
                    type="button"
                    class="quiet"
                    data-testid="drive-task"
                    aria-pressed=move || if is_followed() { "true" } else { "false" }
                    on:click=follow
                >
                    {move || if is_followed() { "On Live" } else { "Drive" }}
                </button>
                <button
                    type="button"
                    class="quiet"
                    title=move || read_only.get()
                    aria-disabled=is_refused
                    data-testid="finish-task"
                    on:click=finish
                >
                    {move || if is_done() { "Reopen" } else { "Done" }}
                </button>
                <button
                    type="button"
                    class="quiet"
                    title=move || read_only.get()
                    aria-disabled=is_refused
                    data-testid="delete-task"
                    on:click=delete
                >
                    "Delete"
                </button>
            </div>
        </li>
    }
}

/// The tasks of the main lap's source, by source and name.
fn listed(books: BookStore, notes: NoteStore) -> Vec<(SourceId, String)> {
    let Some(of) = notes.source() else { return Vec::new() };
    books.state.with(|books| books.tasks(of).iter().map(|task| (of, task.name())).collect())
}

fn task(books: BookStore, of: SourceId, name: &str) -> Option<Task> {
    books.state.with(|books| books.tasks(of).iter().find(|task| task.name() == name).cloned())
}

fn words(active: ActiveTask, task: &Task, corner: &str, units: &Units) -> TaskWords {
    let Task { author, words, target, laps, .. } = task;
    let unit = units.shown(target.measure.unit());
    let change = target.measure.difference(
        target.goal - task.baseline.value.mean,
        units,
        target.measure.change_words(),
    );
    let goal = match change {
        Some(change) => format!("{} {change}", target.measure.label()),
        None => target.measure.label().to_owned(),
    };
    let tolerance = target.tolerance * unit.scale;
    let decimals = if tolerance.fract() == 0.0 { 0 } else { unit.decimals };
    let tolerance = format!("± {} {}", number::write(tolerance, decimals), unit.suffix);
    let verdict = match task.verdict() {
        Some(verdict) if task.driven().marked() > 0 => verdict.sentence(target, units),
        Some(_) => String::new(),
        None => "Too few laps before the task for a verdict.".to_owned(),
    };
    let followed = active.task.with(|followed| followed.as_ref().map(Task::name));
    TaskWords {
        title: format!("{corner}: {words}"),
        about: format!("{author} · {goal} {tolerance} · {laps} laps"),
        verdict,
        state: task.state(),
        is_followed: followed.is_some_and(|followed| followed == task.name()),
    }
}
