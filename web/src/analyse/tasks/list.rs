//! The list of tasks, below the laps.

use leptos::prelude::*;
use trailbrake_shared::number;
use trailbrake_shared::recording::tasks::{TaskChange, TaskState};
use trailbrake_shared::recording::{Authored, AuthoredKind, Task, TaskBrief};
use trailbrake_shared::units::Units;

use crate::analyse::notes::BookChange;
use crate::analyse::{BookStore, NoteStore, SourceId, TaskStore};
use crate::cockpit::ActiveTask;
use crate::reactive::{EachRow, Rows};

/// What a task is found by: its source, and its name among the facts.
type TaskKey = (SourceId, String);

/// A task in the list.
#[derive(Clone, Debug, PartialEq)]
struct TaskLine {
    of: SourceId,
    /// With the laps of the recording under way, if the driver follows it.
    task: Task,
    /// Whether the driver follows it on Live.
    is_followed: bool,
}

/// The tasks of the main lap's source.
#[component]
pub(crate) fn TaskList() -> impl IntoView {
    let (books, notes, store) =
        (expect_context::<BookStore>(), expect_context::<NoteStore>(), expect_context::<TaskStore>());
    let tasks = task_rows(books, notes, ActiveTask::here());
    let trouble = Memo::new(move |_| store.trouble());
    view! {
        <section class="notes tasks" id="tasks" aria-label="Tasks">
            <Show when=move || !tasks.is_empty() || trouble.with(Option::is_some)>
                <div class="head"><h2>"Tasks"</h2></div>
                {move || trouble.get().map(|words| view! { <p class="trouble" role="alert">{words}</p> })}
                <ul>
                    <EachRow rows=tasks let:line>
                        <TaskRow line/>
                    </EachRow>
                </ul>
            </Show>
        </section>
    }
}

/// A row. The element outlives changes of the task, so that it keeps the focus.
#[component]
fn TaskRow(line: Memo<TaskLine>) -> impl IntoView {
    let (notes, tasks) = (expect_context::<NoteStore>(), expect_context::<TaskStore>());
    let (units, active) = (expect_context::<RwSignal<Units>>(), ActiveTask::here());
    let (of, name) = line.with_untracked(key);
    let name = StoredValue::new(name);
    let is_done = Memo::new(move |_| line.with(|line| line.task.state() == TaskState::Done));
    let is_followed = Memo::new(move |_| line.with(|line| line.is_followed));
    let follow = move |_| {
        let TaskLine { task, is_followed, .. } = line.get_untracked();
        active.follow((!is_followed).then_some(task));
    };
    let stop = move || {
        if is_followed.get_untracked() {
            active.follow(None);
        }
    };
    let finish = move |_| {
        if notes.refuses_writing() {
            return;
        }
        let done = !is_done.get_untracked();
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
    let corner = Memo::new(move |_| line.with(|line| tasks.corner(&line.task)));
    let content = move || {
        line.with(|TaskLine { task, .. }| {
            let units = units.get();
            view! {
                <span class="text">{format!("{}: {}", corner.get(), task.brief.words)}</span>
                <span class="about"><b data-figure="task-state">{task.state().label()}</b>" · "{about(task, &units)}</span>
                <span class="about" data-figure="verdict">{verdict(task, &units)}</span>
            }
        })
    };
    view! {
        <li class:done=move || is_done.get() data-testid="task">
            <div class="go">{content}</div>
            <div class="task-tools">
                <button
                    type="button"
                    class="quiet"
                    data-testid="drive-task"
                    aria-pressed=move || if is_followed.get() { "true" } else { "false" }
                    on:click=follow
                >
                    {move || if is_followed.get() { "On Live" } else { "Drive" }}
                </button>
                <button
                    type="button"
                    class="quiet"
                    title=move || read_only.get()
                    aria-disabled=is_refused
                    data-testid="finish-task"
                    on:click=finish
                >
                    {move || if is_done.get() { "Reopen" } else { "Done" }}
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

/// The tasks of the main lap's source.
fn task_rows(books: BookStore, notes: NoteStore, active: ActiveTask) -> Rows<TaskKey, TaskLine> {
    let lines = Memo::new(move |_| {
        let Some(of) = notes.source() else { return Vec::new() };
        let followed = active.task.get();
        let line = |task: &Task| {
            let mut task = task.clone();
            let followed = followed.as_ref().filter(|followed| followed.name() == task.name());
            // Laps of the recording under way are only in the copy of the task that the driver follows.
            for laps in followed.map(|followed| &followed.driven).into_iter().flatten() {
                task.add(*laps);
            }
            TaskLine { of, task, is_followed: followed.is_some() }
        };
        books.state.with(|books| books.tasks(of).iter().map(line).collect())
    });
    Rows::new(lines, key)
}

fn key(line: &TaskLine) -> TaskKey {
    (line.of, line.task.name())
}

/// The author, the goal, and the number of laps.
fn about(task: &Task, units: &Units) -> String {
    let TaskBrief { author, target, laps, baseline, .. } = &task.brief;
    let unit = units.shown(target.measure.unit());
    let change =
        target.measure.difference(target.goal - baseline.value.mean, units, target.measure.change_words());
    let goal = match change {
        Some(change) => format!("{} {change}", target.measure.label()),
        None => target.measure.label().to_owned(),
    };
    let tolerance = target.tolerance * unit.scale;
    let decimals = if tolerance.fract() == 0.0 { 0 } else { unit.decimals };
    let tolerance = format!("± {} {}", number::write(tolerance, decimals), unit.suffix);
    format!("{author} · {goal} {tolerance} · {laps} laps")
}

/// Whether the laps since changed as wanted; empty before any of them.
fn verdict(task: &Task, units: &Units) -> String {
    match task.verdict() {
        Some(verdict) if task.driven().marked() > 0 => verdict.sentence(&task.brief.target, units),
        Some(_) => String::new(),
        None => "Too few laps before the task for a verdict.".to_owned(),
    }
}
