//! Other laps of the stint, read one after the other while nobody waits: what is lost in each of them is worth more
//! than what was lost once.

use std::rc::Rc;

use leptos::task::spawn_local;
use trailbrake_shared::analysis::{Comparison, Stint};
use trailbrake_shared::order;

use super::driven::Driven;
use super::{Analyse, Aspect, Key, Known, Shown, State, origin};
use crate::browser;
use crate::cockpit::Cockpit;

/// So many laps besides are looked at, those nearest to the main one.
const MOST: usize = 6;

/// Other laps of the stint.
#[derive(Default)]
pub(crate) struct OfStint {
    /// Themselves.
    pub(crate) laps: Vec<Rc<Driven>>,
    /// Those that could be, beside the reference; beside the main lap where there is none.
    pub(crate) beside: Vec<Comparison>,
}

impl Analyse {
    /// Looks at other laps of the main lap's stint.
    pub(super) fn learn_stint(&self, cockpit: Cockpit) {
        let Some(shown) = self.read(|state| state.shown.clone()) else { return };
        let Some(main) = shown.laps.first() else { return };
        let against = shown.laps.get(1).filter(|_| shown.compares_places()).unwrap_or(main);
        let (own, reference) = (main.driven.key, against.driven.key);
        let (keys, reference_too) = self.read(|state| {
            (
                besides(state, own, reference),
                own != reference && of_stint(state, own).any(|one| one.key == reference),
            )
        });
        let (analyse, against) = (self.clone(), Rc::clone(&against.driven));
        spawn_local(async move {
            let (mut others, mut laps) = (Vec::new(), Vec::new());
            for key in keys {
                // The page stays quick meanwhile.
                browser::pause(0).await;
                let Some(driven) = analyse.fetch(cockpit, key).await else { continue };
                if !analyse.still_shows(&shown) {
                    return;
                }
                let compared = |state: &State| {
                    Comparison::on(&driven.columns(), &against.columns(), state.names.book()).ok()
                };
                others.extend(analyse.read(compared));
                laps.push(driven);
            }
            if !analyse.still_shows(&shown) || laps.is_empty() {
                return;
            }
            let compared = shown.compares_places() && !others.is_empty();
            let stint = compared.then(|| Stint::new(&shown.comparison, &others, reference_too));
            analyse.change(&[Aspect::Stint], |state| {
                (state.stint, state.of_stint) = (stint, OfStint { laps, beside: others });
            });
        });
    }

    fn still_shows(&self, shown: &Rc<Shown>) -> bool {
        self.read(|state| state.shown.as_ref().is_some_and(|now| Rc::ptr_eq(now, shown)))
    }

    /// A lap, decoded unless it was before; nothing is said when it can't be had.
    pub(super) async fn fetch(&self, cockpit: Cockpit, key: Key) -> Option<Rc<Driven>> {
        if let Some(held) = self.read(|state| state.held.iter().find(|held| held.key == key).cloned()) {
            return Some(held);
        }
        let (opened, known) = self
            .read(|state| state.known(key).map(|(origin, known)| (origin.opened.clone(), known.clone())))?;
        let decoded = match opened {
            Some(opened) => origin::read(&opened, &known).await.ok()?,
            None => origin::driven_now(cockpit, &known)?,
        };
        Some(Rc::new(Driven::new(&known, decoded)))
    }
}

/// The laps of the main lap's stint that count.
fn of_stint(state: &State, main: Key) -> impl Iterator<Item = &Known> {
    let stint = state.known(main).map(|(origin, own)| (&origin.laps, own.lap.stint));
    stint.into_iter().flat_map(move |(laps, stint)| {
        laps.iter().filter(move |known| {
            let same = known.key.session == main.session && known.key.car == main.car;
            same && known.lap.stint == stint && known.lap.counts().is_some()
        })
    })
}

/// Those of them that are neither the main lap nor the reference, the nearest ones.
fn besides(state: &State, main: Key, reference: Key) -> Vec<Key> {
    let keys = of_stint(state, main).map(|known| known.key);
    let mut keys: Vec<Key> = keys.filter(|key| *key != main && *key != reference).collect();
    order::sort_by_key(&mut keys, &|key| key.serial.abs_diff(main.serial));
    keys.truncate(MOST);
    keys
}
