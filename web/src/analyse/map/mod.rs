//! The track map: the main lap's racing line in colour and the lines of all laps, with corners, brake points and the
//! cursor.

mod canvas;
mod change;
mod colours;
mod pointer;
mod scene;
mod tables;
mod view;
mod window;

use leptos::html::Div;
use leptos::prelude::*;
use web_sys::HtmlCanvasElement;

use super::canvases::Canvases;
use crate::analyse::{ComparisonStore, ShownTables};
use crate::frame::{self, Phase};
use crate::painter::{Ink, RouteMap, Sheet};
use crate::ui::TableButton;
use canvas::{MapFigure, spoken};
use colours::{Choosers, Legend, Tint};
use pointer::MapHand;
use scene::MapStores;
use tables::{MapTables, TABLES};

pub(crate) use change::MapStore;
pub(super) use tables::brake_points;
pub(crate) use view::{MapArea, MapView, coloured, wheel_of};
pub(super) use window::{toggle_following, zoom};

/// A picture of the map as it is on screen, below a legend; `None` while the map is not visible.
pub(super) fn picture(canvases: Canvases, legend: &[(Ink, String)]) -> Option<HtmlCanvasElement> {
    canvases.with_map(|map| map.picture(legend)).flatten()
}

/// The track map with its buttons, its legend and its tables.
#[component]
pub(super) fn TrackPanel() -> impl IntoView {
    let (comparison, map) = (expect_context::<ComparisonStore>(), expect_context::<MapStore>());
    let (tables, canvases) = (expect_context::<ShownTables>(), Canvases::here());
    let host = NodeRef::<Div>::new();
    let tint = Tint::new();
    let stores = MapStores::here(tint);
    let subscription = StoredValue::new_local(None);
    Effect::new(move |_| {
        let Some(host) = host.get() else { return };
        canvases.mount_map(Sheet::mount(&host).map(RouteMap::new));
        let mut figure = MapFigure::default();
        let draw = frame::on(Phase::Draw, move |_| {
            canvases.change_map(|map| figure.paint(map, stores.scene()));
        });
        subscription.set_value(Some(draw));
        frame::request();
    });
    Effect::new(move |_| {
        stores.scene();
        frame::request();
    });
    let hand = MapHand::new(canvases, host);
    let shown = Memo::new(move |_| comparison.shown().is_some());
    let seen = Memo::new(move |_| {
        comparison.shown().is_some_and(|shown| shown.laps.first().is_some_and(|lap| !lap.way.is_empty()))
    });
    let label = Memo::new(move |_| spoken(comparison.shown().as_deref()));
    view! {
        <section class="seen" id="track" aria-label="Track">
            <div class="head" id="track-head">
                <Show when=move || shown.get()>
                    <h2>"Track"</h2>
                    <Show when=move || seen.get()>
                        <TableButton of="track map" controls=TABLES open=tables.map/>
                        <Choosers tint/>
                    </Show>
                </Show>
            </div>
            <div
                class="sheet"
                id="map"
                role="img"
                aria-label=move || label.get()
                aria-details=TABLES
                node_ref=host
                on:pointerdown=move |event| hand.press(&event)
                on:pointermove=move |event| hand.move_to(&event)
                on:pointerup=move |event| hand.lift(&event)
                on:pointercancel=move |event| hand.cancel(&event)
                on:wheel=move |event| hand.turn_wheel(&event)
                on:dblclick=move |_| map.change(|map| map.look = MapArea::All)
            ></div>
            <div class="tools" id="track-tools">
                <Show when=move || seen.get()>
                    <MapTools/>
                </Show>
            </div>
            <Legend tint shown seen/>
            <MapTables tint/>
        </section>
    }
    .into_any()
}

/// The buttons that move and zoom the map.
#[component]
fn MapTools() -> impl IntoView {
    let (comparison, map) = (expect_context::<ComparisonStore>(), expect_context::<MapStore>());
    let canvases = Canvases::here();
    let follows = Memo::new(move |_| map.state.get().look == MapArea::Follows);
    let lines = Memo::new(move |_| map.state.get().lines);
    let several = Memo::new(move |_| comparison.shown().is_some_and(|shown| shown.laps.len() > 1));
    let tool = |testid: &'static str, sign: &'static str, name: &'static str, does: Callback<()>| {
        view! {
            <button type="button" data-testid=testid aria-label=name title=name on:click=move |_| does.run(())>
                {sign}
            </button>
        }
    };
    view! {
        <ToggleTool
            testid="map-follow"
            word="Follow"
            name="Follow the lanes"
            pressed=follows
            on_press=move |()| toggle_following(map, canvases)
        />
        <Show when=move || several.get()>
            <ToggleTool
                testid="map-lines"
                word="Lines"
                name="Always show all racing lines"
                pressed=lines
                on_press=move |()| map.change(|map| map.lines ^= true)
            />
        </Show>
        {tool("map-all", "All", "Show all of the track", Callback::new(move |()| {
            map.change(|map| map.look = MapArea::All);
        }))}
        {tool("map-out", "−", "Zoom out", Callback::new(move |()| zoom(map, canvases, false)))}
        {tool("map-in", "+", "Zoom in", Callback::new(move |()| zoom(map, canvases, true)))}
    }
}

/// A toggle button.
#[component]
fn ToggleTool(
    testid: &'static str,
    word: &'static str,
    name: &'static str,
    pressed: Memo<bool>,
    #[prop(into)] on_press: Callback<()>,
) -> impl IntoView {
    view! {
        <button
            type="button"
            data-testid=testid
            aria-label=name
            title=name
            aria-pressed=move || if pressed.get() { "true" } else { "false" }
            on:click=move |_| on_press.run(())
        >
            {word}
        </button>
    }
}
