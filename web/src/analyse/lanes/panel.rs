//! The lanes on the page: the canvas, and its content as text for screen readers.

use leptos::prelude::*;
use web_sys::HtmlCanvasElement;

use super::canvas::LaneCanvas;
use super::pointer::LaneHand;
use super::scene::LaneStores;
use super::tables::{LanesTables, TABLES};
use super::words::{LaneWords, brakings};
use crate::analyse::canvases::Canvases;
use crate::analyse::{ComparisonStore, LaneStore, PlaybackStore, View, ViewStore};
use crate::frame::{self, Phase, Tick};
use crate::painter::{Ink, Reading};

/// The shortest time between two updates of the values for screen readers, milliseconds.
const SPOKEN_MS: f64 = 150.0;

/// A picture of the lanes as they are now, under a legend.
pub(crate) fn picture(canvases: Canvases, legend: &[(Ink, String)]) -> Option<HtmlCanvasElement> {
    canvases.with_lanes(|lanes| lanes.picture(legend)).flatten()
}

/// The content of the lanes for screen readers. It follows the canvas a few times a second.
#[derive(Clone, Copy)]
struct Spoken {
    lanes: RwSignal<LaneWords>,
    readings: RwSignal<Vec<Reading>>,
    /// The cursor at which the readings were taken, and the time of that, milliseconds.
    taken: StoredValue<Option<(Option<f64>, f64)>>,
}

impl Spoken {
    fn new() -> Self {
        Self {
            lanes: RwSignal::new(LaneWords::default()),
            readings: RwSignal::new(Vec::new()),
            taken: StoredValue::new(None),
        }
    }

    /// Updates the text from the canvas. `rebuilt` is whether the lanes are new, `own` whether the main lap is the
    /// driver's own.
    fn follow(self, lanes: &LaneCanvas, rebuilt: bool, own: bool, cursor: Option<f64>, tick: &Tick) {
        if rebuilt || self.lanes.with_untracked(|words| words.worded != lanes.worded()) {
            self.lanes.set(LaneWords::of(lanes, own));
        }
        let taken = self.taken.get_value().filter(|_| !rebuilt);
        if taken.is_some_and(|(at, _)| at == cursor) {
            return;
        }
        if taken.is_some_and(|(_, ms)| (0.0..SPOKEN_MS).contains(&(tick.now_ms - ms))) {
            // Another frame, so that the cursor's last position is read out, too.
            return frame::request();
        }
        self.taken.set_value(Some((cursor, tick.now_ms)));
        self.readings.set(lanes.readings());
    }
}

/// The lanes.
#[component]
pub(crate) fn LanesPanel() -> impl IntoView {
    let (stores, canvases) = (LaneStores::here(), Canvases::here());
    let (comparison, view) = (expect_context::<ComparisonStore>(), expect_context::<ViewStore>());
    let (layout, playback) = (expect_context::<LaneStore>(), expect_context::<PlaybackStore>());
    let host = canvases.lanes_host;
    let spoken = Spoken::new();
    let subscriptions = StoredValue::new_local(Vec::new());
    Effect::new(move |_| {
        let Some(host) = host.get() else { return };
        canvases.mount_lanes(LaneCanvas::mount(&host));
        let play = frame::on(Phase::Stores, move |tick| playback.play_on(tick.now_ms));
        let lay_out = frame::on(Phase::Layout, move |tick| {
            canvases.change_lanes(|lanes| {
                let scene = stores.scene();
                let (own, cursor) = (scene.is_own, scene.cursor);
                let rebuilt = lanes.follow(scene);
                spoken.follow(lanes, rebuilt, own, cursor, tick);
            });
        });
        let draw = frame::on(Phase::Draw, move |tick| {
            let drawn = canvases.change_lanes(|lanes| {
                lanes.paint(tick);
                lanes.worded()
            });
            if drawn.is_some_and(|worded| spoken.lanes.with_untracked(|words| words.worded != worded)) {
                frame::request();
            }
        });
        subscriptions.set_value(vec![play, lay_out, draw]);
        frame::request();
    });
    Effect::new(move |_| {
        stores.scene();
        playback.state.track();
        frame::request();
    });
    let hand = LaneHand::new(canvases, host);
    // Whether the lanes have the focus from a pointer. Browsers count the next key as the keyboard's focus.
    let is_pressed = RwSignal::new(false);
    let fit = Memo::new(move |_| layout.state.with(|lanes| lanes.fit));
    let zoomed = Memo::new(move |_| comparison.shown().is_some() && view.state.with(View::is_part));
    view! {
        <div class="lanes-area">
        <div
            class="sheet lanes"
            id="lanes"
            tabindex="0"
            role="img"
            aria-label="Channels of the laps over the track"
            aria-describedby="values brakings"
            aria-details=TABLES
            data-grip=move || hand.grip().get()
            data-pressed=move || is_pressed.get().to_string()
            node_ref=host
            on:blur=move |_| is_pressed.set(false)
            on:pointerdown=move |event| {
                is_pressed.set(true);
                hand.press(&event);
            }
            on:pointermove=move |event| hand.move_to(&event)
            on:pointerup=move |event| hand.lift(&event)
            on:pointercancel=move |event| hand.cancel(&event)
            on:wheel=move |event| hand.turn_wheel(&event)
            on:dblclick=move |event| hand.press_twice(&event)
        ></div>
        <Show when=move || zoomed.get()>
            <button
                type="button"
                class="quiet fit"
                data-testid="fit-lanes"
                aria-pressed=move || if fit.get() { "true" } else { "false" }
                title="Fit lanes to view (Y)"
                on:click=move |_| layout.toggle_fit()
            >
                "Fit"
            </button>
        </Show>
        <LanesTables/>
        </div>
        <div class="unseen" id="values">
            {move || spoken.readings.get().into_iter().map(reading).collect_view()}
        </div>
        <Brakings words=spoken.lanes/>
        <p class="missing" id="missing"><span>{move || spoken.lanes.with(|words| words.missing.clone())}</span></p>
    }
    .into_any()
}

/// The values of a lane at the cursor.
fn reading(reading: Reading) -> impl IntoView {
    let Reading { name, unit, rows } = reading;
    let lane = name.clone();
    view! {
        <p data-lane=lane>
            {name} {rows.into_iter().map(|words| view! { <span>{words}</span> }).collect_view()} {unit}
        </p>
    }
}

/// Where the laps braked, as text.
#[component]
fn Brakings(words: RwSignal<LaneWords>) -> impl IntoView {
    let (view, comparison) = (expect_context::<ViewStore>(), expect_context::<ComparisonStore>());
    let axis = Memo::new(move |_| view.state.with(|view| view.axis));
    let brakings =
        Memo::new(move |_| comparison.shown().map(|shown| brakings(&shown, axis.get())).unwrap_or_default());
    view! {
        <div class="unseen" id="brakings" data-worded=move || words.with(|words| words.worded)>
            <div data-lanes=move || words.with(|words| words.marked.clone())>
                {move || brakings.get().into_iter().map(|braking| view! {
                    <p data-corner=braking.corner data-place=braking.lap data-at=braking.numbers>
                        {braking.words}
                    </p>
                }).collect_view()}
            </div>
        </div>
    }
}
