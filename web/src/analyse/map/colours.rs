//! The quantity that colours the track, the legend of its colours, and its value at the cursor.

use std::sync::Arc;

use leptos::prelude::*;
use trailbrake_shared::analysis::Unavailable;
use trailbrake_shared::model::Wheel;
use trailbrake_shared::plot::colouring::{Band, ColouredLap, Colouring, row_words};

use trailbrake_shared::units::Units;

use super::view::{coloured, colourings, is_per_wheel};
use crate::analyse::{ComparisonStore, MapStore, ViewStore, wheel_of};
use crate::painter::ink_of;

/// The colours of the track. A copy is a handle to the same signals.
#[derive(Clone, Copy)]
pub(super) struct Tint {
    comparison: ComparisonStore,
    map: MapStore,
    /// The colouring; `None` while no lap is shown.
    by: Memo<Option<Colouring>>,
    wheel: Memo<Option<Wheel>>,
    /// The main lap with its colours, or why it has none; `None` while no lap is shown.
    lap: Memo<Option<Result<Arc<ColouredLap>, String>>>,
}

impl Tint {
    pub(super) fn new() -> Self {
        let (comparison, map, units) = (
            expect_context::<ComparisonStore>(),
            expect_context::<MapStore>(),
            expect_context::<RwSignal<Units>>(),
        );
        let by = Memo::new(move |_| Some(map.state.get().by(&*comparison.shown()?)));
        let wheel = Memo::new(move |_| map.state.get().wheel);
        let lap = Memo::new(move |_| {
            let (by, wheel) = (by.get()?, wheel.get());
            let coloured = coloured(&*comparison.shown()?, by, wheel, units.get());
            Some(coloured.map(Arc::new).map_err(|why| why.to_string()))
        });
        Self { comparison, map, by, wheel, lap }
    }

    /// The main lap with its colours, if it has any. Not tracked: for painting.
    pub(super) fn coloured(self) -> Option<Arc<ColouredLap>> {
        self.lap.with_untracked(|lap| lap.as_ref()?.as_ref().ok().cloned())
    }

    /// Like `coloured`, with the title of the colouring. Tracked: for views.
    pub(super) fn coloured_now(self) -> Option<(&'static str, Arc<ColouredLap>)> {
        let coloured = self.lap.with(|lap| lap.as_ref()?.as_ref().ok().cloned())?;
        Some((self.by.get()?.title(), coloured))
    }
}

/// A colouring in the chooser.
#[derive(Clone, PartialEq)]
struct Offer {
    by: Colouring,
    words: String,
    possible: bool,
}

/// The choosers of the colouring and of its wheel.
#[component]
pub(super) fn Choosers(tint: Tint) -> impl IntoView {
    let offers = Memo::new(move |_| {
        let offers = tint.comparison.shown().map(|shown| colourings(&shown)).unwrap_or_default();
        offers
            .into_iter()
            .map(|(by, why)| Offer { by, words: words(by, why.as_ref()), possible: why.is_none() })
            .collect::<Vec<_>>()
    });
    let is_per_wheel = Memo::new(move |_| {
        tint.comparison.shown().zip(tint.by.get()).is_some_and(|(shown, by)| is_per_wheel(&shown, by))
    });
    let option = move |Offer { by, words, possible }: Offer| {
        view! {
            <option value=by.id() disabled=!possible prop:selected=move || tint.by.get() == Some(by)>{words}</option>
        }
    };
    let wheels = || [None].into_iter().chain(Wheel::ALL.map(Some));
    let wheel = move |wheel: Option<Wheel>| {
        let (value, words) = wheel.map_or(("", "All wheels"), |wheel| (wheel.short(), wheel.short()));
        view! { <option value=value prop:selected=move || tint.wheel.get() == wheel>{words}</option> }
    };
    view! {
        <span class="choosers">
            <Show when=move || is_per_wheel.get()>
                <select
                    data-testid="track-wheel"
                    aria-label="Which wheel"
                    on:input=move |event| {
                        let wheel = wheel_of(&event_target_value(&event));
                        tint.map.change(|map| map.wheel = wheel);
                    }
                >
                    {wheels().map(wheel).collect_view()}
                </select>
            </Show>
            <select
                data-testid="track-colour"
                aria-label="Colour the track by"
                on:input=move |event| {
                    let by = Colouring::of_id(&event_target_value(&event));
                    tint.map.change(|map| map.by = by);
                }
            >
                {move || offers.get().into_iter().map(option).collect_view()}
            </select>
        </span>
    }
}

fn words(by: Colouring, why: Option<&Unavailable>) -> String {
    match why {
        None => by.title().to_owned(),
        Some(Unavailable::NotSent(_)) => format!("{}: not sent by this game", by.title()),
        Some(why) => format!("{}: {why}", by.title()),
    }
}

/// The legend of the colours, and the value at the cursor. `shown` is whether there are laps, `seen` whether the main
/// lap has positions.
#[component]
pub(super) fn Legend(tint: Tint, shown: Memo<bool>, seen: Memo<bool>) -> impl IntoView {
    const UNSEEN: &str =
        "No track map: this game doesn't send where the car is. Lanes and tables still work.";
    let view = expect_context::<ViewStore>();
    let row = Memo::new(move |_| tint.comparison.shown()?.laps.first()?.row_at(view.cursor_m()?));
    let value = Memo::new(move |_| {
        let row = row.get().filter(|_| seen.get())?;
        tint.lap.with(|lap| row_words(lap.as_ref()?.as_ref().ok()?, row))
    });
    let meaning = move || {
        if !shown.get() {
            return ().into_any();
        }
        if !seen.get() {
            return view! { <span data-figure="unseen">{UNSEEN}</span> }.into_any();
        }
        tint.lap.with(|lap| match lap {
            Some(Ok(coloured)) => meanings(coloured),
            Some(Err(why)) => view! { <span>{format!("No colours: {why}.")}</span> }.into_any(),
            None => ().into_any(),
        })
    };
    view! {
        <div class="readout">
            <div class="legend" id="track-legend">{meaning}</div>
            <div id="track-value">
                {move || value.get().map(|words| view! { <b data-figure="track-value">{words}</b> })}
            </div>
        </div>
    }
    .into_any()
}

fn meanings(coloured: &ColouredLap) -> AnyView {
    let swatch = |Band { tone, .. }: &Band| {
        let colour = format!("var({})", ink_of(*tone).token());
        view! { <i style:background=colour></i> }
    };
    let bands = coloured.bands.iter();
    let scale = match &coloured.ends {
        Some([low, high]) => {
            let swatches = bands.map(swatch).collect_view();
            view! { <span>{low.clone()}</span><span class="scale">{swatches}</span><span>{high.clone()}</span> }.into_any()
        }
        None => bands
            .map(|band| view! { <span class="class">{swatch(band)}{band.says.clone()}</span> })
            .collect_view()
            .into_any(),
    };
    view! { {scale}<span class="about">{coloured.about.clone()}</span> }.into_any()
}
