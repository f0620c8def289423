//! Exports ticked laps as a recording of their own, a clip.

use js_sys::Array;
use leptos::prelude::*;
use trailbrake_shared::library::Entry;
use trailbrake_shared::recording::laps_in_words;
use trailbrake_shared::session::LapId;
use wasm_bindgen::JsValue;

use super::Library;
use super::requests::long_request;
use super::ticked::Ticked;
use super::words::key;
use crate::http;
use crate::jobs::Work;
use crate::ui::other_cars_choice;

/// Has the relay save the ticked laps as a recording, and opens it.
pub(super) fn export(library: Library) {
    let (Some(id), ticked) = (library.opened_id(), library.ticked.get_untracked()) else { return };
    let numbers: Vec<u16> = untrack(|| library.recording()).map_or_else(Vec::new, |recording| {
        let driven = ticked.laps.iter().filter_map(|lap| recording.catalogue.get(*lap));
        driven.map(|entry| entry.lap.number).collect()
    });
    let laps_in_words = laps_in_words(numbers.into_iter());
    let saved = format!("Clip of {laps_in_words} saved.");
    let number = |value: u32| JsValue::from_f64(value.into());
    let lap = |lap: &LapId| {
        let [car, session, serial] = [lap.car.0.into(), lap.session.into(), lap.serial].map(number);
        http::object(&[("car", car), ("session", session), ("serial", serial)])
    };
    let laps: Array = ticked.laps.iter().map(lap).collect();
    let (other_cars, ..) = other_cars_choice(ticked.other_cars);
    let body = http::json(&[("laps", laps.into()), ("other_cars", other_cars.into())]);
    let job = library.jobs.begin(Work::Clip, &laps_in_words);
    long_request(library, job, &format!("/library/{id}/trim"), Some(body), move |answer| {
        if let Ok(entry) = serde_json::from_str::<Entry>(&answer) {
            library.ticked.set(Ticked::default());
            library.toasts.say(saved, false);
            library.open(Some(key(&entry)));
        }
        library.refresh();
    });
}
