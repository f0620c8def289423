//! A list of labelled values, as several panels show it.

use leptos::prelude::*;
use trailbrake_shared::number;
use trailbrake_shared::units::DisplayUnit;

use crate::text::figures::figure;

/// A labelled value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Reading {
    pub(super) label: &'static str,
    pub(super) value: String,
    /// How full the value's bar is, 0 to 1. `None` for a value without a bar.
    pub(super) share: Option<f32>,
    /// The tone for the style sheet, such as `good`, `warn` or `bad`. Empty for none.
    pub(super) tone: &'static str,
}

impl Reading {
    /// A value in words.
    pub(super) fn new(label: &'static str, value: impl Into<String>) -> Self {
        Self { label, value: value.into(), ..Self::default() }
    }

    /// A number with its unit.
    pub(super) fn number(label: &'static str, value: f32, unit: &DisplayUnit) -> Self {
        Self::new(label, with_unit(value, unit))
    }

    /// Adds a bar that is filled up to a share, 0 to 1.
    pub(super) fn of_full(self, share: f32) -> Self {
        Self { share: Some(share.clamp(0.0, 1.0)), ..self }
    }

    /// Adds a tone.
    pub(super) fn toned(self, tone: &'static str) -> Self {
        Self { tone, ..self }
    }
}

/// A number with its unit.
pub(super) fn with_unit(value: f32, unit: &DisplayUnit) -> String {
    let number = figure(Some(value), unit);
    match unit.suffix {
        "" => number,
        "°" => number + "°",
        suffix => format!("{number} {suffix}"),
    }
}

/// The list. A row keeps its element while values change, since its label identifies it.
#[component]
pub(super) fn Readings(readings: Memo<Vec<Reading>>) -> impl IntoView {
    let labels = Memo::new(move |_| {
        readings.with(|readings| readings.iter().map(|one| one.label).collect::<Vec<_>>())
    });
    let row = move |label: &'static str| {
        let reading = Memo::new(move |_| {
            readings
                .with(|readings| readings.iter().find(|one| one.label == label).cloned())
                .unwrap_or_default()
        });
        let bar = move || {
            let share = reading.with(|reading| reading.share)?;
            let width = format!("{}%", number::write(f64::from(share) * 100.0, 1));
            Some(view! { <dd class="fill"><i style:width=width></i></dd> })
        };
        view! {
            <div data-reading=label data-tone=move || reading.with(|reading| reading.tone)>
                <dt>{label}</dt>
                <dd>{move || reading.with(|reading| reading.value.clone())}</dd>
                {bar}
            </div>
        }
    };
    view! {
        <dl class="readings">
            <For each=move || labels.get() key=|label| *label let:label>{row(label)}</For>
        </dl>
    }
}

/// A panel that is a list of readings.
#[component]
pub(super) fn ReadingPanel(
    /// Its name in the style sheet.
    id: &'static str,
    label: &'static str,
    readings: Memo<Vec<Reading>>,
) -> impl IntoView {
    view! {
        <section class=format!("panel {id}") aria-label=label>
            <div class="head"><h2>{label}</h2></div>
            <Readings readings/>
        </section>
    }
    .into_any()
}
