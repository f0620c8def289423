//! The printed report of the laps that are shown. What lays it out is a file of its own, `bin/report.rs`, that is loaded
//! when it is wanted.

use std::rc::Rc;

use leptos::task::spawn_local;
use trailbrake_shared::analysis::Combo;
use trailbrake_shared::lap_catalogue::LapEntry;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::Slot;
use wasm_bindgen::prelude::*;

use super::driven::Driven;
use super::{Analyse, Aspect, Sheet, State};
use crate::browser;
use crate::cockpit::Cockpit;
use crate::library::date;

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
    fn relate(this: &Page, same_seat: bool, reference_in_stint: bool);

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
        self.change(&[Aspect::Sheet], |state| {
            (state.sheet, state.printed) = (Some(Sheet::Report), None);
            "Preparing the report…".clone_into(&mut state.printing);
        });
        let analyse = *self;
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
        let pair = &shown.pair;
        page.relate(pair.same_seat, pair.reference_in_stint);
        let mut laps = vec![Rc::clone(&pair.main), Rc::clone(pair.reference())];
        for (nth, key) in (1..).zip(&pair.stint) {
            self.say_progress(format!("Preparing the report: reading lap {nth} of {}…", pair.stint.len()))
                .await;
            laps.extend(self.fetch(cockpit, *key).await);
        }
        for (nth, driven) in (1..).zip(&laps) {
            self.say_progress(format!("Preparing the report: comparing lap {nth} of {}…", laps.len())).await;
            self.read(|state| hand_over(&page, state, driven));
        }
        self.say_progress("Preparing the report: drawing…".to_owned()).await;
        let drawn = page.draw(false);
        if drawn.starts_with("<svg") { Ok([drawn, page.draw(true)]) } else { Err(drawn) }
    }
}

impl Analyse {
    /// Says how far the report is, and lets the browser show it.
    async fn say_progress(&self, words: String) {
        self.change(&[Aspect::Sheet], |state| state.printing = words);
        browser::pause(0).await;
    }
}

/// Hands a lap over to what lays the report out.
fn hand_over(page: &Page, state: &State, driven: &Driven) {
    let Some((origin, entry)) = state.entry(driven.key) else { return };
    let mut lap = entry.lap.clone();
    lap.began_s = driven.lap.began_s;
    let session: Vec<&Lap> = origin.catalogue.seat_laps(entry).map(|entry| &entry.lap).collect();
    let (Ok(lap), Ok(session)) = (serde_json::to_string(&lap), serde_json::to_string(&session)) else {
        return;
    };
    let columns = driven.raw();
    if !page.lap(&lap, &session, columns.seconds(), words(entry)) {
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

/// Driver, car, game, track, day and time.
fn words(entry: &LapEntry) -> Vec<String> {
    let when = entry.began().map(|at| date(at, browser::minutes_west(at))).unwrap_or_default();
    let (day, time) = when.rsplit_once(' ').unwrap_or_default();
    let Combo { game, track, car } = entry.combo();
    let mut words: Vec<String> =
        [entry.driver.clone(), car, game, track].into_iter().map(Option::unwrap_or_default).collect();
    words.extend([day.to_owned(), time.to_owned()]);
    words
}
