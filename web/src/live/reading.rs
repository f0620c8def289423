//! A list of labelled values, as several panels show it.

use std::fmt;

use leptos::prelude::*;
use trailbrake_shared::number;
use trailbrake_shared::units::DisplayUnit;

use crate::reactive::{EachRow, Rows};
use crate::text::figures::figure;

/// The value of a reading.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Words(String),
    /// A number in SI units, and how it is displayed.
    Number(f32, DisplayUnit),
}

/// A labelled value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reading {
    pub(super) label: &'static str,
    pub(super) value: Value,
    /// How full the value's bar is, 0 to 1. `None` for a value without a bar.
    pub(super) share: Option<f32>,
    /// The tone for the style sheet, such as `good`, `warn` or `bad`. Empty for none.
    pub(super) tone: &'static str,
}

impl Reading {
    /// A value in words.
    pub(super) fn new(label: &'static str, value: impl Into<String>) -> Self {
        Self { label, value: Value::Words(value.into()), share: None, tone: "" }
    }

    /// A number with its unit.
    pub(super) fn number(label: &'static str, value: f32, unit: &DisplayUnit) -> Self {
        Self { label, value: Value::Number(value, *unit), share: None, tone: "" }
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

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => f.write_str(words),
            Self::Number(value, unit) => f.write_str(&with_unit(*value, unit)),
        }
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
    let rows = Rows::new(readings, |reading| reading.label);
    let row = move |reading: Memo<Reading>| {
        let label = reading.with_untracked(|reading| reading.label);
        let bar = move || {
            let share = reading.with(|reading| reading.share)?;
            let width = format!("{}%", number::write(f64::from(share) * 100.0, 1));
            Some(view! { <dd class="fill"><i style:width=width></i></dd> })
        };
        view! {
            <div data-reading=label data-tone=move || reading.with(|reading| reading.tone)>
                <dt>{label}</dt>
                <dd>{move || reading.with(|reading| reading.value.to_string())}</dd>
                {bar}
            </div>
        }
    };
    view! {
        <dl class="readings">
            <EachRow rows let:reading>{row(reading)}</EachRow>
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
