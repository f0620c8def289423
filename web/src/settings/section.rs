//! A section of the settings that `SettingsStore` keeps as texts.

use leptos::ev::Event;
use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::settings::{Problem, Section, Setting, Texts};

use crate::driver_settings::{Keeper, SettingsStore};
use crate::ui::Segments;

/// The texts that were typed in a section and are not saved yet. They are saved together, since some depend on each
/// other, such as the two ends of a window.
#[derive(Clone, Copy)]
struct Draft {
    settings: SettingsStore,
    texts: RwSignal<Texts>,
    problems: RwSignal<Vec<Problem>>,
    /// Whether the last change was saved, or why not, in words.
    outcome: RwSignal<Option<Result<(), String>>>,
}

impl Draft {
    fn new() -> Self {
        Self {
            settings: SettingsStore::here(),
            texts: RwSignal::new(Texts::new()),
            problems: RwSignal::new(Vec::new()),
            outcome: RwSignal::new(None),
        }
    }

    /// The text of a setting as it was typed, or else as it is kept.
    fn text(self, setting: Setting) -> String {
        let id = setting.id();
        let typed = self.texts.with(|texts| texts.get(&id).cloned());
        let kept = || self.settings.report().with(|report| report.texts.get(&id).cloned());
        typed.or_else(kept).unwrap_or_default()
    }

    fn problem(self, setting: Setting) -> Option<String> {
        let id = setting.id();
        let words = |problems: &Vec<Problem>| {
            problems.iter().find(|problem| problem.setting == id).map(|problem| problem.words.clone())
        };
        self.problems.with(words)
    }

    /// Why a setting can't be changed here; `None` if it can.
    fn why_fixed(self, setting: Setting) -> Option<&'static str> {
        let is_fixed = self.settings.report().with(|report| report.fixed.contains(&setting.id()));
        match self.settings.keeper(setting) {
            _ if is_fixed => Some("Set by the command line or the options file."),
            Keeper::Elsewhere => Some("Set on the computer that Trailbrake runs on."),
            Keeper::Relay | Keeper::Browser => None,
        }
    }

    /// Takes a typed text, and saves the section's draft if none of it has a problem.
    fn set(self, setting: Setting, text: String) {
        self.texts.update(|texts| drop(texts.insert(setting.id(), text)));
        let changes = self.texts.get_untracked();
        let problems = self.settings.problems(&changes);
        let is_right = problems.is_empty();
        self.problems.set(problems);
        self.outcome.set(None);
        if !is_right {
            return;
        }
        spawn_local(async move {
            let outcome = self.settings.change(changes.clone()).await;
            // The page may be closed by now, and the user may have typed on: keep what they typed since.
            let kept = outcome.is_ok();
            let _ = self.outcome.try_set(Some(outcome));
            let _ = self.texts.try_update(|texts| {
                texts.retain(|id, text| !kept || changes.get(id) != Some(text));
            });
        });
    }
}

/// The section.
#[component]
pub(super) fn SettingsSection(section: Section) -> impl IntoView {
    let draft = Draft::new();
    let lead = (!section.lead().is_empty()).then(|| view! { <p class="lead">{section.lead()}</p> });
    let saved = move || draft.outcome.get().is_some_and(|outcome| outcome.is_ok()).then_some("Saved.");
    let trouble = move || draft.outcome.get().and_then(Result::err);
    view! {
        <section aria-label=section.title() data-section=section.title()>
            <h2>{section.title()}</h2>
            {lead}
            {Setting::of_section(section).into_iter().map(|setting| view! { <SettingField draft setting/> }).collect_view()}
            <p class="saved" role="status">{saved}</p>
            {move || trouble().map(|words| view! { <p class="trouble" role="alert">{words}</p> })}
        </section>
    }
    .into_any()
}

#[component]
fn SettingField(draft: Draft, setting: Setting) -> impl IntoView {
    let choices = setting.choices();
    if choices.is_empty() {
        return view! { <TextField draft setting/> }.into_any();
    }
    let usual = choices.first().map_or("", |(id, _)| *id);
    let selected = Signal::derive(move || {
        let text = draft.text(setting);
        choices.iter().find(|(id, _)| *id == text).map_or(usual, |(id, _)| *id)
    });
    let disabled = Signal::derive(move || draft.why_fixed(setting).is_some());
    let choose = move |id: &'static str| draft.set(setting, id.to_owned());
    view! {
        <Segments label=setting.label() options=choices.to_vec() selected disabled on_select=choose/>
        <FieldWords draft setting/>
    }
    .into_any()
}

#[component]
fn TextField(draft: Draft, setting: Setting) -> impl IntoView {
    let id = setting.id();
    let (field, about) = (format!("setting-{id}"), format!("about-{id}"));
    let why_fixed = Memo::new(move |_| draft.why_fixed(setting));
    let is_wrong = move || draft.problem(setting).map(|_| "true");
    let change = move |event: Event| draft.set(setting, event_target_value(&event));
    let value = move || draft.text(setting);
    let attributes = view! {
        <{..}
            id=field.clone()
            spellcheck="false"
            data-setting=id
            aria-describedby=about.clone()
            aria-invalid=is_wrong
            on:change=change
        />
    };
    let disabled = move || why_fixed.get().is_some();
    let input = match setting {
        Setting::Forwards => view! {
            <textarea
                rows="3"
                placeholder="f1=127.0.0.1:5300"
                {..attributes}
                disabled=disabled
                prop:value=value
            ></textarea>
        }
        .into_any(),
        _ => view! {
            <input type="text" autocomplete="off" {..attributes} disabled=disabled prop:value=value/>
        }
        .into_any(),
    };
    view! {
        <div class="setting">
            <label for=field>{setting.label()}</label>
            {input}
        </div>
        <div id=about><FieldWords draft setting/></div>
    }
}

/// The notes below a field: what to write, why it can't be changed, and its problem.
#[component]
fn FieldWords(draft: Draft, setting: Setting) -> impl IntoView {
    let hint = setting.hint();
    view! {
        {(!hint.is_empty()).then(|| view! { <p class="hint">{hint}</p> })}
        {move || draft.why_fixed(setting).map(|words| view! { <p class="hint">{words}</p> })}
        {move || draft.problem(setting).map(|words| view! { <p class="trouble" role="alert">{words}</p> })}
    }
}
