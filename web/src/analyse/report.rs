//! The printed report of the laps that are shown. What lays it out is a file of its own, `bin/report.rs`, that is loaded
//! when it is wanted.

use std::rc::Rc;

use leptos::task::spawn_local;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::Slot;
use wasm_bindgen::prelude::*;

use super::driven::Driven;
use super::{Analyse, Aspect, Key, Sheet, State};
use crate::browser;
use crate::cockpit::Cockpit;
use crate::library::date;

/// No more laps of a stint than this are looked at besides the one that is reported.
const MOST_OTHERS: usize = 12;

/// A sheet of paper, as a picture and as a page, or why there is none.
pub(crate) type Printed = Result<[String; 2], String>;

#[wasm_bindgen]
extern "C" {
    /// What lays out: a file of its own, `bin/report.rs`.
    type Page;

    /// Loads that file and begins a report.
    #[wasm_bindgen(js_name = startReport, catch)]
    async fn start_report() -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method)]
    fn names(this: &Page, book: &str) -> bool;

    #[wasm_bindgen(method)]
    fn lap(this: &Page, lap: &str, session: &str, seconds: &[f64], words: Vec<String>) -> bool;

    #[wasm_bindgen(method)]
    fn channel(this: &Page, slot: usize, values: &[f32]);

    #[wasm_bindgen(method)]
    fn draw(this: &Page, page: bool) -> String;
}

impl Analyse {
    /// Lays out the report of the laps that are shown, and shows it.
    pub(crate) fn report(&self, cockpit: Cockpit) {
        self.change(&[Aspect::Sheet], |state| (state.sheet, state.printed) = (Some(Sheet::Report), None));
        let analyse = self.clone();
        spawn_local(async move {
            let printed = analyse.print(cockpit).await;
            analyse.change(&[Aspect::Sheet], |state| state.printed = Some(printed));
        });
    }

    async fn print(&self, cockpit: Cockpit) -> Printed {
        let Some(shown) = self.read(|state| state.shown.clone()).filter(|shown| shown.compared) else {
            return Err("A report takes a lap and a reference: choose two laps.".to_owned());
        };
        let Ok(page) = start_report().await else {
            return Err("What draws the report can't be loaded. Is Trailbrake still running?".to_owned());
        };
        let page: Page = page.unchecked_into();
        if let Ok(book) = self.read(|state| serde_json::to_string(state.names.book())) {
            page.names(&book);
        }
        let mut laps: Vec<Rc<Driven>> = shown.laps.iter().take(2).map(|lap| Rc::clone(&lap.driven)).collect();
        for key in self.read(|state| stint(state, &laps)) {
            laps.extend(self.fetch(cockpit, key).await);
        }
        for driven in laps {
            self.read(|state| tell(&page, state, &driven));
        }
        let drawn = page.draw(false);
        if drawn.starts_with("<svg") { Ok([drawn, page.draw(true)]) } else { Err(drawn) }
    }
}

/// Other laps of the first one's stint that count, those driven last.
fn stint(state: &State, laps: &[Rc<Driven>]) -> Vec<Key> {
    let Some((main, (origin, own))) = laps.first().and_then(|main| Some((main.key, state.known(main.key)?)))
    else {
        return Vec::new();
    };
    let beside = origin.laps.iter().rev().filter(|known| {
        let same =
            (known.key.session, known.key.car, known.lap.stint) == (main.session, main.car, own.lap.stint);
        same && known.lap.counts().is_some() && laps.iter().all(|lap| lap.key != known.key)
    });
    beside.take(MOST_OTHERS).map(|known| known.key).collect()
}

/// Tells a lap to what lays the report out.
fn tell(page: &Page, state: &State, driven: &Driven) {
    let Some((origin, known)) = state.known(driven.key) else { return };
    // The session says more of a lap than the lap's own packets do.
    let mut lap = known.lap.clone();
    lap.began_s = driven.lap.began_s;
    let session: Vec<&Lap> =
        origin.laps.iter().filter(|other| same_seat(other.key, driven.key)).map(|other| &other.lap).collect();
    let (Ok(lap), Ok(session)) = (serde_json::to_string(&lap), serde_json::to_string(&session)) else {
        return;
    };
    let columns = driven.raw();
    if !page.lap(&lap, &session, columns.seconds(), words(state, driven.key)) {
        return;
    }
    for slot in driven.slots() {
        let mut values = vec![f32::NAN; columns.len()];
        for (row, value) in columns.line(slot).into_iter().flat_map(|line| line.iter()) {
            values.get_mut(row).into_iter().for_each(|place| *place = value);
        }
        page.channel(Slot::index(slot), &values);
    }
}

fn same_seat(one: Key, other: Key) -> bool {
    (one.session, one.car) == (other.session, other.car)
}

/// Driver, car, game, track, day and time.
fn words(state: &State, key: Key) -> Vec<String> {
    let Some((origin, known)) = state.known(key) else { return Vec::new() };
    let seat = origin.seats.iter().find(|seat| seat.has(key));
    let made_up = format!("Car {}", u16::from(key.car.0) + 1);
    let driver = seat.map(|seat| seat.driver.clone()).filter(|driver| *driver != made_up);
    let began = known.row.as_ref().map(|row| row.from);
    let when = began.map(|at| date(at, browser::minutes_west(at))).unwrap_or_default();
    let (day, time) = when.rsplit_once(' ').unwrap_or_default();
    let combo = &known.combo;
    let words = [driver.as_ref(), combo.car.as_ref(), combo.game.as_ref(), combo.track.as_ref()];
    let mut words: Vec<String> = words.into_iter().map(|word| word.cloned().unwrap_or_default()).collect();
    words.extend([day.to_owned(), time.to_owned()]);
    words
}
