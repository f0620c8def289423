//! The editor of a new task.

use leptos::html::{Input, Textarea};
use leptos::prelude::*;
use trailbrake_shared::analysis::task::{TaskMeasure, TaskTarget};
use trailbrake_shared::number::{self, count};
use trailbrake_shared::units::Units;

use crate::analyse::{TaskDraft, TaskFields, TaskStore};
use crate::driver_settings::author;
use crate::ui::Dialog;

/// The default number of laps of a task.
const LAPS: &str = "12";

#[component]
pub(super) fn TaskDialog(on_close: Callback<()>) -> impl IntoView {
    let (tasks, units) = (expect_context::<TaskStore>(), expect_context::<RwSignal<Units>>());
    // The dialog is about the corner for which it was opened.
    let draft = untrack(|| tasks.draft());
    let units = units.get_untracked();
    let (words, name) = (NodeRef::<Textarea>::new(), NodeRef::<Input>::new());
    let (change, tolerance, laps) =
        (NodeRef::<Input>::new(), NodeRef::<Input>::new(), NodeRef::<Input>::new());
    let trouble = RwSignal::new(String::new());
    let measures: Vec<TaskMeasure> = draft
        .as_ref()
        .map(|draft| draft.measures.iter().map(|(measure, _)| *measure).collect())
        .unwrap_or_default();
    let usual = draft.as_ref().map_or(0, TaskDraft::usual_measure);
    let advised = draft.as_ref().and_then(|draft| Some(draft.advised.as_ref()?.words.clone()));
    let chosen = RwSignal::new(usual);
    let title = draft.as_ref().map(|draft| format!("Task for {}", draft.name));
    let measure = {
        let measures = measures.clone();
        move || measures.get(chosen.get()).copied().unwrap_or(TaskMeasure::BrakePoint)
    };
    let (proposal, now, suffix, usual_tolerance) = {
        let (draft, measure) = (StoredValue::new(draft), StoredValue::new(measure.clone()));
        let baseline =
            move || draft.with_value(|draft| draft.as_ref()?.baseline(measure.get_value()()).copied());
        let unit = move || *units.shown(measure.get_value()().unit());
        (
            move || {
                let change = draft.with_value(|draft| {
                    draft.as_ref().map(|draft| draft.proposed_change(measure.get_value()(), &units))
                });
                number::write(change.unwrap_or_default(), unit().decimals)
            },
            move || {
                let laps = baseline().unwrap_or_default();
                let value = number::write(laps.value.mean * unit().scale, unit().decimals);
                format!(
                    "Now {value} {} in {}.",
                    unit().suffix,
                    count(laps.value.laps as usize, "lap", "laps")
                )
            },
            move || unit().suffix,
            move || {
                let target = TaskTarget::new(measure.get_value()(), 0.0);
                number::write(target.tolerance * unit().scale, unit().decimals.max(1))
            },
        )
    };
    let save = move |_| {
        let value =
            |field: NodeRef<Input>| field.get_untracked().map(|field| field.value()).unwrap_or_default();
        let read = |field| number::read(&value(field)).unwrap_or(f64::NAN);
        let fields = TaskFields {
            author: value(name),
            words: words.get_untracked().map(|words| words.value()).unwrap_or_default(),
            measure: measure(),
            change: read(change),
            tolerance: read(tolerance),
            laps: value(laps).trim().parse().unwrap_or_default(),
        };
        if let Err(why) = tasks.set(fields) {
            trouble.set(why);
        }
    };
    view! {
        <Dialog label="Task" keeps_open=true on_close>
            <h2>{title}</h2>
            <textarea
                rows="2"
                maxlength="200"
                autofocus=true
                aria-label="What to do"
                placeholder="What to do, in words that a driver can feel: brake at the 100 board, release later"
                data-testid="task-words"
                node_ref=words
            >{advised}</textarea>
            <label class="named">
                "Measure"
                <select data-testid="task-measure" on:change=move |event| chosen.set(event_target_value(&event).parse().unwrap_or_default())>
                    {measures
                        .iter()
                        .enumerate()
                        .map(|(place, measure)| {
                            view! { <option value=place.to_string() selected=place == usual>{measure.label()}</option> }
                        })
                        .collect_view()}
                </select>
            </label>
            <p class="soft" data-figure="task-now">{now}</p>
            <div class="task-numbers">
                <label class="named">
                    <span>"Change, " {suffix}</span>
                    <input inputmode="decimal" prop:value=proposal data-testid="task-change" node_ref=change/>
                </label>
                <label class="named">
                    <span>"Tolerance, " {suffix}</span>
                    <input inputmode="decimal" prop:value=usual_tolerance data-testid="task-tolerance" node_ref=tolerance/>
                </label>
                <label class="named">
                    "Laps"
                    <input inputmode="numeric" prop:value=LAPS data-testid="task-laps" node_ref=laps/>
                </label>
            </div>
            <input
                maxlength="60"
                aria-label="Your name"
                placeholder="Your name"
                prop:value=author()
                data-testid="task-author"
                node_ref=name
            />
            <p class="trouble" role="alert" data-testid="task-trouble">{move || trouble.get()}</p>
            <button type="button" class="primary" data-testid="save-task" on:click=save>"Set task"</button>
        </Dialog>
    }
}
