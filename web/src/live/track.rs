//! The track panel: a map with every car.

use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::prelude::*;
use trailbrake_shared::model::Car;
use trailbrake_shared::plot::XAxis;
use trailbrake_shared::session::{Ghost, Session};

use super::ground::{Ground, place, takes_part};
use crate::cockpit::{TelemetryStore, TrackNames};
use crate::frame::Tick;
use crate::painter::{MapCar, Sheet, TrackMap};
use crate::telemetry::Telemetry;
use crate::ui::{Canvas, Painting};

/// Whether the game sends the position of any car.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    telemetry.session().is_some_and(|session| map_cars(session).next().is_some())
}

/// The panel.
#[component]
pub(crate) fn TrackPanel() -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let words = telemetry.sampled(read_words);
    let is_unnamed = telemetry.sampled(|telemetry| telemetry.unnamed_track().is_some());
    let mount = move |sheet: Sheet| TrackPainting {
        telemetry,
        map: TrackMap::new(sheet, XAxis::MODEL),
        ground: Ground::default(),
        cars: Vec::new(),
    };
    view! {
        <section
            class="panel track"
            aria-label="Track"
            data-figure="map"
            data-cars=move || words.with(|words| words.cars)
        >
            <div class="head">
                <h2>{move || words.with(|words| words.title.clone())}</h2>
                <span>{move || words.with(|words| words.count.clone())}</span>
            </div>
            <Canvas class="map" label="The track from above with every car on it; the timing panel lists them" mount/>
            <Show when=move || is_unnamed.get()>
                <NameForm/>
            </Show>
        </section>
    }
    .into_any()
}

/// The form in which the driver names a track that the game does not name.
#[component]
fn NameForm() -> impl IntoView {
    let tracks = TrackNames::here();
    let field = NodeRef::<Input>::new();
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        if let Some(field) = field.get_untracked() {
            tracks.name(&field.value());
        }
    };
    view! {
        <form class="naming" on:submit=save>
            <input
                type="text"
                maxlength="60"
                placeholder="Name this track"
                aria-label="Name this track"
                data-testid="track-name"
                node_ref=field
            />
            <button type="submit">"Save"</button>
        </form>
    }
}

struct TrackPainting {
    telemetry: TelemetryStore,
    map: TrackMap,
    ground: Ground,
    cars: Vec<MapCar>,
}

impl Painting for TrackPainting {
    fn follow(&mut self, _: &Tick) {
        self.telemetry.look(|telemetry| {
            let Some(session) = telemetry.session() else { return };
            self.ground.follow(session, telemetry.generation());
            self.cars.clear();
            self.cars.extend(map_cars(session));
            if session.watched() == session.player() {
                let ghost = Ghost::of(session).map(|ghost| ghost.position);
                self.cars.extend(ghost.map(|[x, _, z]| MapCar::ghost([x, z])));
            }
        });
    }

    fn paint(&mut self, _: &Tick) {
        self.map.paint(&self.ground.outline, &self.cars);
    }
}

fn map_cars(session: &Session) -> impl Iterator<Item = MapCar> + use<'_> {
    let watched = session.watched();
    let placed = session.cars().filter(|(_, state)| takes_part(state));
    placed.filter_map(move |(car, state)| {
        let place = place(state)?;
        Some(if is_watched(car, watched) { MapCar::own(place) } else { MapCar::other(place) })
    })
}

fn is_watched(car: Car, watched: Option<Car>) -> bool {
    watched == Some(car)
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Words {
    title: String,
    cars: usize,
    count: String,
}

fn read_words(telemetry: &Telemetry) -> Words {
    let Some(session) = telemetry.session() else { return Words::default() };
    let cars = map_cars(session).count();
    let track = session.info().and_then(|info| info.track.as_ref());
    // Without a name, an id with letters is shown. A number would mean nothing to the driver.
    let name = track.and_then(|track| {
        let word = Some(track.id.as_str()).filter(|id| id.chars().any(char::is_alphabetic));
        track.name.as_deref().or(word)
    });
    Words {
        title: name.map_or_else(|| "Track".to_owned(), |name| format!("Track · {name}")),
        cars,
        count: match cars {
            0 => String::new(),
            1 => "1 car".to_owned(),
            cars => format!("{cars} cars"),
        },
    }
}
