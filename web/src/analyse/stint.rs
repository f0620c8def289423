//! Other laps of the stint, read one after the other while nobody waits: what is lost in each of them is worth more
//! than what was lost once.

use std::rc::Rc;

use leptos::task::spawn_local;
use trailbrake_shared::analysis::{Comparison, Stint};

use super::driven::Driven;
use super::{Analyse, Aspect, Key, Known, Shown, State, origin};
use crate::browser;
use crate::cockpit::Cockpit;

/// So many laps besides are looked at, those nearest to the main one.
const MOST: usize = 6;

impl Analyse {
    /// Looks at other laps of the main lap's stint.
    pub(super) fn learn_stint(&self, cockpit: Cockpit) {
        let Some(shown) = self.read(|state| state.shown.clone()).filter(|shown| shown.compares_places())
        else {
            return;
        };
        let Some((main, reference)) = shown.laps.first().zip(shown.laps.get(1)) else { return };
        let keys = self.read(|state| besides(state, main.driven.key, reference.driven.key));
        let (analyse, reference) = (self.clone(), Rc::clone(&reference.driven));
        spawn_local(async move {
            let mut others = Vec::new();
            for key in keys {
                // The page stays quick meanwhile.
                browser::pause().await;
                let Some(driven) = analyse.fetch(cockpit, key).await else { continue };
                if !analyse.still_shows(&shown) {
                    return;
                }
                others.extend(Comparison::new(&driven.columns(), &reference.columns()).ok());
            }
            if analyse.still_shows(&shown) && !others.is_empty() {
                let stint = Stint::new(&shown.comparison, &others);
                analyse.change(&[Aspect::Stint], |state| state.stint = Some(stint));
            }
        });
    }

    fn still_shows(&self, shown: &Rc<Shown>) -> bool {
        self.read(|state| state.shown.as_ref().is_some_and(|now| Rc::ptr_eq(now, shown)))
    }

    /// A lap, decoded unless it was before; nothing is said when it can't be had.
    async fn fetch(&self, cockpit: Cockpit, key: Key) -> Option<Rc<Driven>> {
        if let Some(held) = self.read(|state| state.held.iter().find(|held| held.key == key).cloned()) {
            return Some(held);
        }
        let (opened, known) = self
            .read(|state| state.known(key).map(|(origin, known)| (origin.opened.clone(), known.clone())))?;
        let (lap, columns) = match opened {
            Some(opened) => origin::read(&opened, &known).await.ok()?,
            None => (known.lap.clone(), origin::driven_now(cockpit, key)?),
        };
        Some(Rc::new(Driven::new(&known, lap, columns)))
    }
}

/// The laps of the main lap's stint that count, those nearest to it.
fn besides(state: &State, main: Key, reference: Key) -> Vec<Key> {
    let Some((origin, own)) = state.known(main) else { return Vec::new() };
    let beside = |known: &&Known| {
        let key = known.key;
        let same = key.session == main.session && key.car == main.car && known.lap.stint == own.lap.stint;
        same && key != main && key != reference && known.lap.counts().is_some()
    };
    let mut keys: Vec<Key> = origin.laps.iter().filter(beside).map(|known| known.key).collect();
    keys.sort_by_key(|key| key.serial.abs_diff(main.serial));
    keys.truncate(MOST);
    keys
}
