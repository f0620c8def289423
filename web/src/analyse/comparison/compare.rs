//! Compares the chosen laps once they are loaded, and adds the rest of the stint once it is read.

use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::analysis::{Comparison, LapColumns, TrackBook};
use trailbrake_shared::lap_catalogue::LapEntry;
use trailbrake_shared::laps::Lap;

use super::pair::Pair;
use super::{Compared, LoadedLap, ShownLaps};
use crate::analyse::{Analyse, LapKey};
use crate::browser;
use crate::cockpit::Cockpit;

impl Analyse {
    /// The laps on screen; `None` without any.
    pub(crate) fn shown(self) -> Option<Rc<ShownLaps>> {
        self.comparison.with(|compared| compared.shown.clone())
    }

    /// The length of the axis, metres or seconds; 1 while no laps are shown.
    pub(crate) fn whole(self) -> f64 {
        let axis = self.view.with(|view| view.axis);
        self.shown().map_or(1.0, |shown| shown.whole(axis))
    }

    /// The lap distance at the cursor, metres.
    pub(crate) fn cursor_m(self) -> Option<f64> {
        self.place_m(self.view.with(|view| view.cursor)?)
    }

    /// The lap distance at a point of the axis, metres.
    pub(crate) fn place_m(self, at: f64) -> Option<f64> {
        self.shown()?.place(self.view.with(|view| view.axis), at)
    }

    /// The measuring cursors on the axis; `None` for one that is not placed.
    pub(crate) fn measured(self) -> [Option<f64>; 2] {
        let (shown, axis) = (self.shown(), self.view.with(|view| view.axis));
        self.measure.get().places_m.map(|place_m| shown.as_ref()?.on_axis(axis, place_m?))
    }

    /// Whether the main lap is the driver's own. Also true while that is unknown. Games may send less of other cars.
    pub(crate) fn drives_own(self) -> bool {
        let Some(main) = self.shown().and_then(|shown| Some(shown.laps.first()?.loaded.key)) else {
            return true;
        };
        let is_own = |entry: &LapEntry| entry.session.summary.player.is_none() || entry.is_players_seat();
        self.sources.with(|sources| sources.entry(main).is_none_or(|(_, entry)| is_own(entry)))
    }

    /// Compares the chosen laps. Each of them is either loaded or has failed.
    pub(crate) fn compare(self) {
        let compared = self.compare_chosen();
        let same_track = compared.shown.as_ref().is_some_and(|shown| !shown.are_strangers());
        if same_track && self.selection.with_untracked(|selection| selection.chosen.anyway) {
            // "Compare anyway" ends here: the next laps of different tracks are refused again.
            self.selection.update(|selection| selection.chosen.anyway = false);
        }
        self.comparison.set(compared);
        self.name_track();
    }

    fn compare_chosen(self) -> Compared {
        let chosen = self.selection.with_untracked(|selection| selection.chosen.clone());
        let (main, reference, others, failure) = self.loads.with_value(|loads| {
            let ready = |key: LapKey| loads.ready(key).cloned();
            let others: Vec<Rc<LoadedLap>> = chosen.others.iter().filter_map(|key| ready(*key)).collect();
            let failure = chosen.all().find_map(|key| loads.failure(key)).map(str::to_owned);
            (chosen.main.and_then(ready), chosen.reference.and_then(ready), others, failure)
        });
        let Some(main) = main else { return Compared { trouble: failure, ..Compared::default() } };
        self.with_book(|book| {
            let pair = |reference: Option<&Rc<LoadedLap>>, anyway| {
                self.sources.with_untracked(|sources| Pair::new(sources, &main, reference, anyway))
            };
            let (shown, refused) =
                match ShownLaps::new(pair(reference.as_ref(), chosen.anyway), &others, book) {
                    Ok(shown) => (Ok(shown), None),
                    // Without a comparison the main lap is shown alone.
                    Err(why) => (ShownLaps::new(pair(None, false), &[], book), Some(why)),
                };
            match shown {
                Ok(shown) => {
                    Compared { shown: Some(Rc::new(shown)), trouble: failure, refused, ..Compared::default() }
                }
                Err(why) => {
                    let trouble = Some(format!("Nothing can be shown: {why}."));
                    Compared { trouble, refused, ..Compared::default() }
                }
            }
        })
    }

    fn with_book<T>(self, read: impl FnOnce(&TrackBook) -> T) -> T {
        self.names.with_untracked(|names| read(names.book()))
    }

    /// Adds to the advice how many laps of the main lap's stint lose time at the same places. The laps are read one after
    /// the other in the background; the advice keeps its order.
    pub(crate) fn read_stint(self, cockpit: Cockpit) {
        self.stint_read.set(None);
        let Some(shown) = self.comparison.with_untracked(|compared| compared.shown.clone()) else { return };
        spawn_local(async move {
            let (mut laps, mut others) = (Vec::new(), Vec::new());
            let reference = shown.pair.reference().columns();
            for key in &shown.pair.stint {
                browser::pause(0).await;
                let Some(loaded) = self.fetch(cockpit, *key).await else { continue };
                if !self.still_shows(&shown) {
                    return;
                }
                others.extend(self.compare_in_steps(&shown, &reference, &loaded).await);
                laps.push(loaded);
                if !self.still_shows(&shown) {
                    return;
                }
                self.stint_read.set(Some(laps.len()));
            }
            browser::pause(0).await;
            if !self.still_shows(&shown) {
                return;
            }
            self.stint_read.set(None);
            if laps.is_empty() {
                return;
            }
            let whole = self.with_stint(&shown, others);
            self.comparison
                .update(|compared| (compared.shown, compared.stint) = (Some(Rc::new(whole)), laps));
        });
    }

    /// Compares a lap of the stint with the reference on screen; `None` if they can't be compared. It yields between
    /// steps, each of which is shorter than a frame, so that the page stays responsive.
    async fn compare_in_steps(
        self,
        shown: &ShownLaps,
        reference: &LapColumns<'_>,
        loaded: &LoadedLap,
    ) -> Option<(Lap, Comparison)> {
        browser::pause(0).await;
        let columns = loaded.columns();
        let _ = loaded.own_line.learn(&columns);
        browser::pause(0).await;
        let other = loaded.compared(&columns);
        let placed = self.with_book(|book| shown.pair.place_other(&other, reference, book)).ok()?;
        browser::pause(0).await;
        Some((self.sources.with_untracked(|sources| sources.lap(loaded)), placed.compare()))
    }

    /// Compares a lap of the stint with the reference on screen at once; `None` if they can't be compared.
    pub(crate) fn compare_other(self, shown: &ShownLaps, loaded: &LoadedLap) -> Option<(Lap, Comparison)> {
        let comparison = self.with_book(|book| shown.pair.compare_other(loaded, book)).ok()?;
        Some((self.sources.with_untracked(|sources| sources.lap(loaded)), comparison))
    }

    /// The laps on screen, with the comparisons of the other laps of the stint.
    pub(crate) fn with_stint(self, shown: &ShownLaps, others: Vec<(Lap, Comparison)>) -> ShownLaps {
        self.with_book(|book| shown.with_stint(others, book))
    }

    /// Whether these laps are still on screen: the driver may have chosen others meanwhile.
    fn still_shows(self, shown: &Rc<ShownLaps>) -> bool {
        self.comparison
            .with_untracked(|compared| compared.shown.as_ref().is_some_and(|now| Rc::ptr_eq(now, shown)))
    }
}
