//! The track with every car on it.

use trailbrake_shared::model::{Axis, Car, Channel, ResultStatus};
use trailbrake_shared::plot::{TrackOutline, XAxis};
use trailbrake_shared::session::{CarState, Session};
use web_sys::HtmlElement;

use super::{Live, sheet, why_missing};
use crate::dom::{Part, part};
use crate::frame::Subscription;
use crate::painter::{MapCar, TrackMap, paint};
use crate::telemetry::Telemetry;

/// The panel.
pub(super) fn track(telemetry: &Telemetry) -> Part {
    let words = read_words(telemetry);
    part("section", "panel track")
        .set("aria-label", "Track")
        .set("data-figure", "map")
        .set("data-cars", &words.cars.to_string())
        .with(
            part("div", "head")
                .with(part("h2", "").says(&words.title))
                .with(part("span", "").says(&words.count)),
        )
        .with(sheet("map", "The track from above with every car on it"))
        .with(part("p", "missing").says(&words.missing))
        .perhaps(telemetry.unnamed_track().map(|_| naming()))
}

/// Where the driver names a track that the game does not name.
fn naming() -> Part {
    let name = part("input", "")
        .set("type", "text")
        .set("maxlength", "60")
        .set("placeholder", "Name this track")
        .set("aria-label", "Name this track")
        .set("data-action", "track-name");
    part("form", "naming").with(name).with(part("button", "").set("type", "submit").says("Keep"))
}

/// Paints the map.
pub(super) fn begin(live: &Live, host: &HtmlElement) -> Option<Subscription> {
    let cockpit = live.cockpit;
    paint(host, move |sheet| {
        let mut map = TrackMap::new(sheet, XAxis::MODEL);
        let (mut ground, mut cars) = (Ground::default(), Vec::new());
        move |_| {
            cockpit.look(|telemetry| {
                let Some(session) = telemetry.session() else { return };
                ground.follow(session);
                cars.clear();
                cars.extend(map_cars(session));
            });
            map.paint(&ground.outline, &cars);
        }
    })
}

/// What is known of the way around the track.
struct Ground {
    outline: TrackOutline,
    /// The track that it is, by the game's id and the lap's length.
    of: Option<(Option<String>, u32)>,
    /// Whether it is the way of one whole lap, beside which nothing has to be learnt.
    whole: bool,
}

impl Default for Ground {
    fn default() -> Self {
        Self { outline: TrackOutline::open(), of: None, whole: false }
    }
}

impl Ground {
    /// Learns from where the cars are, until one of them has driven a whole lap.
    fn follow(&mut self, session: &Session) {
        let Some(info) = session.info() else { return };
        let sent_m = info.track_length_m.filter(|metres| *metres > 0.0);
        let of = Some((info.track.as_ref().map(|track| track.id.clone()), sent_m.unwrap_or_default() as u32));
        if self.of != of {
            *self = Self {
                outline: sent_m.map_or_else(TrackOutline::open, |metres| way(session, metres)),
                of,
                whole: false,
            };
        }
        if self.whole {
            return;
        }
        if let Some(lap) = session.outline() {
            // Where the game does not say it, a lap is as long as it was driven.
            let driven_m = lap.points.last().map_or(0.0, |point| point.distance_m);
            self.outline = way(session, sent_m.unwrap_or(driven_m));
            for point in &lap.points {
                let [x, _, z] = point.position;
                self.outline.learn(point.distance_m, [x, z]);
            }
            self.whole = true;
            return;
        }
        for (_, state) in session.cars().filter(|(_, state)| takes_part(state) && !state.in_pits()) {
            if let Some((place, metres)) = place(state).zip(state.value(Channel::LapDistance)) {
                self.outline.learn(metres, place);
            }
        }
    }
}

/// The way of so many metres: around, but for a rally stage.
fn way(session: &Session, metres: f32) -> TrackOutline {
    if session.is_stage() { TrackOutline::one_way(metres) } else { TrackOutline::new(metres) }
}

fn map_cars(session: &Session) -> impl Iterator<Item = MapCar> + use<'_> {
    let watched = session.watched();
    let placed = session.cars().filter(|(_, state)| takes_part(state));
    placed.filter_map(move |(car, state)| {
        let place = place(state)?;
        Some(if is(car, watched) { MapCar::own(place) } else { MapCar::other(place) })
    })
}

fn is(car: Car, watched: Option<Car>) -> bool {
    watched == Some(car)
}

/// Whether there is such a car, as far as the game says.
fn takes_part(state: &CarState) -> bool {
    let result = state.progress.map(|progress| progress.result);
    !matches!(result, Some(ResultStatus::Invalid | ResultStatus::Inactive))
}

fn place(state: &CarState) -> Option<[f32; 2]> {
    let along = |axis| state.latest.value(Channel::Position.along(axis));
    Some([along(Axis::X)?, along(Axis::Z)?])
}

#[derive(Default)]
struct Words {
    title: String,
    cars: usize,
    count: String,
    missing: String,
}

fn read_words(telemetry: &Telemetry) -> Words {
    let Some(session) = telemetry.session() else { return Words::default() };
    let cars = map_cars(session).count();
    let track = session.info().and_then(|info| info.track.as_ref());
    // A game that names tracks by words says more by these than nothing; a number says less.
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
        missing: if cars == 0 { why_missing(telemetry, "where the cars are") } else { String::new() },
    }
}
