//! Other laps of the stint, read one after the other while nobody waits: what is lost in each of them is worth more
//! than what was lost once.

use std::rc::Rc;

use leptos::task::spawn_local;

use super::driven::Driven;
use super::{Analyse, Aspect, Key, Shown, origin};
use crate::browser;
use crate::cockpit::Cockpit;

impl Analyse {
    /// Weighs the comparison that is shown by the other laps of the main lap's stint.
    pub(super) fn learn_stint(&self, cockpit: Cockpit) {
        let Some(shown) = self.read(|state| state.shown.clone()) else { return };
        let analyse = *self;
        spawn_local(async move {
            let (mut laps, mut others) = (Vec::new(), Vec::new());
            for key in &shown.pair.stint {
                // The page stays quick meanwhile.
                browser::pause(0).await;
                let Some(driven) = analyse.fetch(cockpit, *key).await else { continue };
                if !analyse.still_shows(&shown) {
                    return;
                }
                let compared = analyse.read(|state| {
                    let comparison = shown.pair.compare_other(&driven, state.names.book()).ok()?;
                    Some((state.lap(&driven), comparison))
                });
                others.extend(compared);
                laps.push(driven);
            }
            if !analyse.still_shows(&shown) || laps.is_empty() {
                return;
            }
            analyse.change(&[Aspect::Stint], |state| {
                state.shown = Some(Rc::new(shown.weighed(others, state.names.book())));
                state.stint = laps;
            });
        });
    }

    fn still_shows(&self, shown: &Rc<Shown>) -> bool {
        self.read(|state| state.shown.as_ref().is_some_and(|now| Rc::ptr_eq(now, shown)))
    }

    /// A lap, decoded unless it was before; nothing is said when it can't be had.
    pub(super) async fn fetch(&self, cockpit: Cockpit, key: Key) -> Option<Rc<Driven>> {
        let decoded = self.read(|state| {
            let mut laps = state.held.iter().chain(&state.stint);
            laps.find(|driven| driven.key == key).cloned()
        });
        if decoded.is_some() {
            return decoded;
        }
        let (opened, entry) = self
            .read(|state| state.entry(key).map(|(origin, entry)| (origin.opened.clone(), entry.clone())))?;
        let decoded = match opened {
            Some(opened) => origin::read(&opened, &entry).await.ok()?,
            None => origin::driven_now(cockpit, &entry)?,
        };
        Some(Rc::new(Driven::new(key, &entry, decoded)))
    }
}
