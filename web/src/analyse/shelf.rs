//! The shelf's lap: the best one of this game, track and car in all recordings, one press away.

use std::rc::Rc;

use js_sys::{Array, JSON, Reflect};
use leptos::task::spawn_local;
use trailbrake_shared::analysis::{Combo, Fingerprint};
use trailbrake_shared::model::Car;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::session::LapId;
use trailbrake_shared::time::{LapTime, Micros};
use wasm_bindgen::JsValue;

use super::{Analyse, Aspect, Chosen, Key, Name, Origin, State};
use crate::browser;
use crate::cockpit::Cockpit;
use crate::http;
use crate::replay::Opened;
use crate::seats;

/// What the shelf has of what is listed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Shelf {
    /// It is asked still.
    #[default]
    Asking,
    /// This lap.
    Lap { key: Key, number: u16, time: LapTime, at: Micros },
    /// None, and why.
    None(String),
}

impl Analyse {
    /// Asks the relay for the shelf's lap of what is listed.
    pub(super) fn ask_shelf(&self) {
        let found = self.read(|state| {
            let origin = state.origin()?;
            // The first seat is the player's.
            // Once laps are compared their shape says which track it is, where it has no name.
            let main = state.chosen.main.filter(|main| main.of == origin.name);
            let shape = main.and_then(|_| state.track()).map(|(shape, _)| shape.clone());
            Some((origin.name, seats::at(&origin.catalogue, 0)?.combo(), shape))
        });
        let Some((of, combo, shape)) = found else { return };
        let analyse = *self;
        analyse.change(&[], |state| state.shelf_by_shape = Some(of).filter(|_| shape.is_some()));
        spawn_local(async move {
            let shelf = look(of, &combo, shape.as_ref()).await;
            analyse.change(&[Aspect::List], |state| {
                if state.listed == Some(of) {
                    state.shelf = shelf;
                }
            });
        });
    }

    /// Asks once more as soon as the shape of an unnamed track is known.
    pub(super) fn ask_shelf_by_shape(&self) {
        let is_unknown = |state: &State| {
            let unnamed =
                state.origin().and_then(|origin| seats::at(&origin.catalogue, 0)?.session.track.clone());
            matches!(state.shelf, Shelf::None(_))
                && unnamed.is_none()
                && state.shelf_by_shape != state.listed
                && state.track().is_some()
        };
        if self.read(is_unknown) {
            self.ask_shelf();
        }
    }

    /// Makes the shelf's lap the reference.
    pub(crate) fn refer_to_shelf(&self, cockpit: Cockpit) {
        let Shelf::Lap { key, .. } = self.read(|state| state.shelf.clone()) else { return };
        self.choose(cockpit, |chosen: &mut Chosen| {
            if chosen.main == Some(key) {
                chosen.main = chosen.reference.or(chosen.main);
            }
            chosen.reference = Some(key).filter(|key| chosen.main != Some(*key));
        });
    }

    /// Opens recordings at the relay that chosen laps are of and that nobody has opened.
    pub(super) fn bring(&self, cockpit: Cockpit) {
        let mut absent: Vec<(Key, RecordingId)> = Vec::new();
        self.change(&[], |state| {
            for key in state.chosen.all() {
                let missed = state.missed.iter().any(|(missed, _)| *missed == key);
                if let Name::Recording(id) = key.of
                    && !state.origins.iter().any(|origin| origin.name == key.of)
                    && !state.bringing.contains(&id)
                    && !missed
                {
                    state.bringing.push(id);
                    absent.push((key, id));
                }
            }
        });
        for (key, id) in absent {
            let analyse = *self;
            spawn_local(async move {
                let opened = Opened::at_relay(id).await;
                analyse.change(&[Aspect::List], |state| {
                    state.bringing.retain(|other| *other != id);
                    match opened {
                        Ok(opened) => state.put_origin(Origin::of_recording(Rc::new(opened))),
                        Err(why) => {
                            let file = state.file(id).unwrap_or_else(|| id.to_string());
                            let words = [&why, " If you have the file ", &file, ", drop it here."].concat();
                            state.missed.push((key, words));
                        }
                    }
                });
                analyse.settle(cockpit);
            });
        }
    }
}

/// The best lap in the library of a car on a track that has a name: its recording, and which lap of it.
pub(crate) async fn all_time_best(combo: &Combo) -> Option<(RecordingId, LapId)> {
    match look(Name::Live, combo, None).await {
        Shelf::Lap { key: Key { of: Name::Recording(recording), id }, .. } => Some((recording, id)),
        _ => None,
    }
}

/// Looks what the shelf has of what an origin's driver drove.
async fn look(of: Name, combo: &Combo, shape: Option<&Fingerprint>) -> Shelf {
    if browser::live_address().is_none() {
        return Shelf::None("There is no relay here that would keep a shelf.".to_owned());
    }
    let own = match of {
        // The recording's own line: its track may be known by its shape alone.
        Name::Recording(id) => lines(&format!("/library/bests?of={id}")).await,
        Name::Live => Ok(Vec::new()),
    };
    let track = match (&combo.track, shape) {
        (None, Some(shape)) => unnamed_track(shape).await,
        (track, _) => track.clone(),
    };
    let found = match own {
        Ok(lines) if lines.is_empty() => self::lines("/library/bests").await.map(|lines| {
            lines.into_iter().find(|line| {
                let sent = |name: &str| text(line, name);
                sent("track").is_some()
                    && (sent("game"), sent("track"), sent("car"))
                        == (combo.game.clone(), track.clone(), combo.car.clone())
            })
        }),
        lines => lines.map(|lines| lines.into_iter().next()),
    };
    match found {
        Ok(Some(line)) => lap(&line).unwrap_or_default(),
        Ok(None) => {
            Shelf::None("No lap on this track in this car that counts has been recorded yet.".to_owned())
        }
        Err(why) => Shelf::None(why),
    }
}

/// What the library calls a track that nobody has named.
async fn unnamed_track(shape: &Fingerprint) -> Option<String> {
    let body = serde_json::to_string(shape).ok()?;
    let answer = http::ask("POST", "/library/bests", Some(&body)).await.ok()?;
    text(&JSON::parse(&answer).ok()?, "track")
}

/// The lines of the best laps that the relay tells.
async fn lines(path: &str) -> Result<Vec<JsValue>, String> {
    let answer = http::ask("GET", path, None).await.map_err(|failed| failed.words())?;
    let told = JSON::parse(&answer).unwrap_or_default();
    match text(&told, "trouble") {
        Some(trouble) => Err(trouble),
        None => Ok(Array::from(&get(&told, "bests")).to_vec()),
    }
}

fn lap(line: &JsValue) -> Option<Shelf> {
    let best = get(line, "best");
    let number = |name: &str| get(&best, name).as_f64();
    let of = Name::Recording(RecordingId::read(&text(&best, "recording")?)?);
    let id = LapId {
        session: number("session")? as u16,
        car: Car(number("car")? as u8),
        serial: number("serial")? as u32,
    };
    let (time, at) = (LapTime(number("time")? as u32), Micros(number("at")? as u64));
    Some(Shelf::Lap { key: Key { of, id }, number: number("number")? as u16, time, at })
}

fn get(of: &JsValue, name: &str) -> JsValue {
    Reflect::get(of, &JsValue::from_str(name)).unwrap_or_default()
}

fn text(of: &JsValue, name: &str) -> Option<String> {
    get(of, name).as_string()
}
