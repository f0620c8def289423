//! Drawing the printed report.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::plot::SvgError;
use trailbrake_shared::plot::sheet::svg;
use trailbrake_shared::units::Units;

use super::{OpenReport, Printed, PrintedReport, comparable, paper};
use crate::analyse::{ComparisonStore, DialogKind, LapLoader, OpenDialog, Sources, StintReader};
use crate::browser;
use crate::reactive::LocalSignal;

/// The printed report. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct ReportStore {
    pub(super) state: RwSignal<OpenReport>,
    comparison: ComparisonStore,
    stint: StintReader,
    loader: LapLoader,
    sources: LocalSignal<Sources>,
    units: RwSignal<Units>,
    dialog: OpenDialog,
}

impl ReportStore {
    pub(crate) fn new(
        comparison: ComparisonStore,
        stint: StintReader,
        loader: LapLoader,
        sources: LocalSignal<Sources>,
        units: RwSignal<Units>,
        dialog: OpenDialog,
    ) -> Self {
        Self {
            state: RwSignal::new(OpenReport::default()),
            comparison,
            stint,
            loader,
            sources,
            units,
            dialog,
        }
    }

    /// Opens the report of the laps on screen, and draws it.
    pub(crate) fn show(self) {
        self.state.set(OpenReport { progress: "Preparing the report…".to_owned(), printed: None });
        self.dialog.set(Some(DialogKind::Report));
        spawn_local(async move {
            let printed = self.print().await;
            self.state.update(|report| report.printed = Some(printed));
        });
    }

    async fn print(self) -> Printed {
        let shown = comparable(untrack(|| self.comparison.shown()))?;
        let stint = &shown.pair.stint;
        let mut laps = Vec::new();
        for (nth, key) in (1..).zip(stint) {
            self.show_progress(format!("reading lap {nth} of {}", stint.len())).await;
            let read = untrack(|| self.comparison.stint_lap(*key));
            laps.extend(match read {
                Some(lap) => Some(lap),
                None => self.loader.fetch(*key).await,
            });
        }
        let mut others = Vec::new();
        for (nth, loaded) in (1..).zip(&laps) {
            self.show_progress(format!("comparing lap {nth} of {}", laps.len())).await;
            others.extend(self.stint.compare_other(&shown, loaded));
        }
        self.show_progress("drawing".to_owned()).await;
        let whole = self.stint.with_stint(&shown, others);
        let failed = |error: SvgError| format!("The report could not be drawn: {error}.");
        let units = self.units.get_untracked();
        let paper = self.sources.with_untracked(|sources| paper(sources, &whole, units));
        let paper = paper.ok_or("These laps are not loaded any more.")?;
        browser::pause(0).await;
        let svg = svg::draw(&paper).map_err(failed)?;
        browser::pause(0).await;
        let html = svg::html(&paper).map_err(failed)?;
        Ok(PrintedReport { svg, html })
    }

    /// Shows a step of the progress, and lets the browser paint it.
    async fn show_progress(self, step: String) {
        self.state.update(|report| report.progress = format!("Preparing the report: {step}…"));
        browser::pause(0).await;
    }
}
