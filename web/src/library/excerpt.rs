//! Laps of the recording that is open, ticked to be made a recording of their own.

use js_sys::Array;
use trailbrake_shared::library::Entry;
use trailbrake_shared::session::LapId;
use wasm_bindgen::JsValue;

use super::words::key;
use super::{Aspect, Library, title};
use crate::http;

/// What is to be taken out of a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ticked {
    laps: Vec<LapId>,
    /// Whether other people come along: what is usual is that they don't.
    pub(crate) with_others: bool,
}

impl Ticked {
    /// Whether a lap is ticked.
    pub(crate) fn has(&self, lap: LapId) -> bool {
        self.laps.contains(&lap)
    }

    /// How many laps are ticked.
    pub(crate) fn count(&self) -> usize {
        self.laps.len()
    }

    fn turn(&mut self, lap: LapId) {
        let before = self.laps.len();
        self.laps.retain(|other| *other != lap);
        if self.laps.len() == before {
            self.laps.push(lap);
        }
    }
}

impl Library {
    /// Ticks a lap, by its place in the catalogue, or does not any more.
    pub(crate) fn tick(&self, place: usize) {
        self.change(&[Aspect::Ticked], |state| {
            if let Some(Ok(known)) = &state.known
                && let Some(entry) = known.catalogue.laps().get(place)
            {
                state.ticked.turn(entry.id);
            }
        });
    }

    /// Leaves other people out of what is taken, or lets them come along.
    pub(crate) fn take_others(&self, along: bool) {
        self.change(&[Aspect::Ticked], |state| state.ticked.with_others = along);
    }

    /// Makes a recording of their own of the laps that are ticked, and opens it.
    pub(crate) fn save_ticked(&self) {
        let (Some(id), ticked) = (self.opened_id(), self.read(|state| state.ticked.clone())) else { return };
        let number = |value: u32| JsValue::from_f64(value.into());
        let lap = |lap: &LapId| {
            let [car, session, serial] = [lap.car.0.into(), lap.session.into(), lap.serial].map(number);
            http::object(&[("car", car), ("session", session), ("serial", serial)])
        };
        let laps: Array = ticked.laps.iter().map(lap).collect();
        let wish = http::json(&[("laps", laps.into()), ("leave_others_out", (!ticked.with_others).into())]);
        let library = self.clone();
        let done = move |answer: String| {
            if let Ok(entry) = serde_json::from_slice::<Entry>(answer.as_bytes()) {
                // They have been taken.
                library.change(&[Aspect::Ticked], |state| state.ticked = Ticked::default());
                library.say(format!("{} is a recording of its own.", title(&entry)), false);
                library.open(Some(key(&entry)));
            }
            library.refresh();
        };
        self.have_done("POST", format!("/library/{id}/trim"), Some(wish), Box::new(done));
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::model::Car;

    use super::*;

    #[test]
    fn a_lap_is_ticked_and_unticked() {
        let lap = |car| LapId { session: 0, car: Car(car), serial: 4 };
        let mut ticked = Ticked::default();
        ticked.turn(lap(1));
        ticked.turn(lap(2));
        assert_eq!((ticked.count(), ticked.has(lap(1)), ticked.has(lap(3))), (2, true, false));
        ticked.turn(lap(1));
        assert_eq!((ticked.count(), ticked.has(lap(1))), (1, false));
    }
}
