//! Reads the other laps of the main lap's stint, which tell how often a loss comes back.

use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local_scoped_with_cancellation;
use trailbrake_shared::analysis::{Comparison, LapColumns, TrackBook};
use trailbrake_shared::laps::Lap;

use super::loading::LapLoader;
use super::store::{ComparisonStore, Stint};
use super::{LoadedLap, ShownLaps};
use crate::analyse::Sources;
use crate::browser;
use crate::reactive::{LocalMemo, LocalSignal};

/// Reads and compares laps of the stint.
#[derive(Clone, Copy)]
pub(crate) struct StintReader {
    sources: LocalSignal<Sources>,
    comparison: ComparisonStore,
    book: LocalMemo<Rc<TrackBook>>,
    loader: LapLoader,
}

impl StintReader {
    pub(crate) fn new(
        sources: LocalSignal<Sources>,
        comparison: ComparisonStore,
        book: LocalMemo<Rc<TrackBook>>,
        loader: LapLoader,
    ) -> Self {
        Self { sources, comparison, book, loader }
    }

    /// Adds to the advice how many laps of the main lap's stint lose time at the same places, whenever laps are compared.
    /// The laps are read one after the other in the background; the advice keeps its order.
    pub(crate) fn follow(self) {
        Effect::new(move |_| {
            let compared = self.comparison.compared();
            self.comparison.stint_read.set(None);
            if let Some(compared) = compared {
                spawn_local_scoped_with_cancellation(self.read(compared));
            }
        });
    }

    async fn read(self, compared: Rc<ShownLaps>) {
        let (mut laps, mut others) = (Vec::new(), Vec::new());
        let reference = compared.pair.reference().columns();
        for key in &compared.pair.stint {
            browser::pause(0).await;
            let Some(loaded) = self.loader.fetch(*key).await else { continue };
            others.extend(self.compare_in_steps(&compared, &reference, &loaded).await);
            laps.push(loaded);
            self.comparison.stint_read.set(Some(laps.len()));
        }
        browser::pause(0).await;
        self.comparison.stint_read.set(None);
        if laps.is_empty() {
            return;
        }
        let whole = Rc::new(self.with_stint(&compared, others));
        let compared = Rc::clone(&compared);
        self.comparison.stint.set(Some(Stint { compared, whole, laps }));
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
        let placed = self.book.with_untracked(|book| shown.pair.place_other(&other, reference, book)).ok()?;
        browser::pause(0).await;
        Some((self.sources.with_untracked(|sources| sources.lap(loaded)), placed.compare()))
    }

    /// Compares a lap of the stint with the reference on screen at once; `None` if they can't be compared.
    pub(crate) fn compare_other(self, shown: &ShownLaps, loaded: &LoadedLap) -> Option<(Lap, Comparison)> {
        let comparison = self.book.with_untracked(|book| shown.pair.compare_other(loaded, book)).ok()?;
        Some((self.sources.with_untracked(|sources| sources.lap(loaded)), comparison))
    }

    /// The laps on screen, with the comparisons of the other laps of the stint.
    pub(crate) fn with_stint(self, shown: &ShownLaps, others: Vec<(Lap, Comparison)>) -> ShownLaps {
        self.book.with_untracked(|book| shown.with_stint(others, book))
    }
}
