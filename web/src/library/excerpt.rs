//! Laps of the recording that is open, ticked to be made a recording of their own.

use js_sys::Array;
use trailbrake_shared::recording::{Entry, LapKey, LapRow};
use wasm_bindgen::JsValue;

use super::words::key;
use super::{Aspect, Library, title};
use crate::http;

/// What is to be taken out of a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ticked {
    laps: Vec<LapKey>,
    /// Whether other people come along: what is usual is that they don't.
    pub(crate) with_others: bool,
}

impl Ticked {
    /// Whether a lap is ticked.
    pub(crate) fn has(&self, row: &LapRow) -> bool {
        self.laps.iter().any(|lap| lap.is(row))
    }

    /// How many laps are ticked.
    pub(crate) fn count(&self) -> usize {
        self.laps.len()
    }

    fn turn(&mut self, row: &LapRow) {
        let before = self.laps.len();
        self.laps.retain(|lap| !lap.is(row));
        if self.laps.len() == before {
            self.laps.push(LapKey { car: row.car, session: row.session, serial: row.lap.serial });
        }
    }
}

impl Library {
    /// Ticks a lap, by its place in the lap table, or does not any more.
    pub(crate) fn tick(&self, place: usize) {
        self.change(&[Aspect::Ticked], |state| {
            if let Some(Ok(known)) = &state.known
                && let Some(row) = known.facts.laps.laps.get(place)
            {
                state.ticked.turn(row);
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
        let lap = |lap: &LapKey| {
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
    use trailbrake_shared::laps::Lap;
    use trailbrake_shared::model::Car;
    use trailbrake_shared::time::Micros;

    use super::*;

    #[test]
    fn a_lap_is_ticked_and_unticked() {
        let lap: Lap = serde_json::from_str(
            r#"{"serial":4,"number":2,"run":0,"stint":1,"time":null,"sectors":[null,null,null],"flags":[],"began_s":0.0,"ended_s":null}"#,
        )
        .expect("a lap");
        let row =
            |car| LapRow { car: Car(car), session: 0, from: Micros(1), to: Micros(2), lap: lap.clone() };
        let mut ticked = Ticked::default();
        ticked.turn(&row(1));
        ticked.turn(&row(2));
        assert_eq!((ticked.count(), ticked.has(&row(1)), ticked.has(&row(3))), (2, true, false));
        ticked.turn(&row(1));
        assert_eq!((ticked.count(), ticked.has(&row(1))), (1, false));
    }
}
