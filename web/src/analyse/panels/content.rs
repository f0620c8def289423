//! The content of the open panel.

use std::rc::Rc;

use leptos::prelude::*;
use trailbrake_shared::analysis::LapColumns;
use trailbrake_shared::lap_catalogue::LapEntry;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::Channel;
use trailbrake_shared::plot::panel::Laps;
use trailbrake_shared::units::Units;

use super::PanelContent;
use super::choice::PanelStore;
use crate::analyse::{ComparisonStore, ShownLap, Sources, ViewStore};
use crate::driver_settings::SettingsStore;
use crate::laps::number;
use crate::reactive::LocalSignal;
use crate::ui::CursorPoint;

/// What the panels draw from. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct PanelSource {
    choice: PanelStore,
    comparison: ComparisonStore,
    sources: LocalSignal<Sources>,
    view: ViewStore,
    units: RwSignal<Units>,
    settings: SettingsStore,
}

impl PanelSource {
    pub(crate) fn new(
        choice: PanelStore,
        comparison: ComparisonStore,
        sources: LocalSignal<Sources>,
        view: ViewStore,
        units: RwSignal<Units>,
        settings: SettingsStore,
    ) -> Self {
        Self { choice, comparison, sources, view, units, settings }
    }

    /// The content of the open panel; `None` for the corners, and while no lap is shown.
    pub(super) fn content(self) -> Option<PanelContent> {
        let open = self.choice.state.get();
        let panel = open.panel()?;
        let content = self.with_panel_laps(|laps| panel.content(laps, &open.wanted))?;
        let content = content.map_err(|why| format!("This can't be shown: {why}."));
        Some(PanelContent { panel: panel.id, name: panel.name, content })
    }

    /// Why the corner panel is empty, if it is open and empty.
    pub(super) fn why_no_corners(self) -> Option<&'static str> {
        let is_open = self.choice.state.with(|open| open.panel().is_none());
        let shown = self.comparison.shown().filter(|_| is_open)?;
        let comparison = shown.comparison();
        if !comparison.corners.is_empty() {
            return None;
        }
        let sent = |lap: &ShownLap| !lap.way.is_empty() || lap.values(Channel::Speed.slot()).is_some();
        Some(if comparison.strangers.is_some() {
            "No corners: the laps are of different tracks."
        } else if !shown.laps.iter().any(sent) {
            "No corners: this game sends neither positions nor speed."
        } else if comparison.track.is_some() {
            "No corners found: this track has no bend that is one."
        } else {
            "No corners found: neither lap is complete."
        })
    }

    /// Calls a function with the laps that panels draw from; `None` while no lap is shown.
    fn with_panel_laps<T>(self, call: impl FnOnce(&Laps<'_>) -> T) -> Option<T> {
        let (shown, stint_laps) = (self.comparison.shown()?, self.comparison.stint_laps());
        let sources = self.sources.read();
        let main = &shown.laps.first()?.loaded;
        let reference = shown.laps.get(1).filter(|_| shown.compared).map(|lap| &lap.loaded);
        let (source, own) = sources.entry(main.key)?;
        let stage = source.stage;
        let is_in_stint = |entry: &LapEntry| entry.is_of_stint(own) || stage && entry.is_of_seat(own);
        // The runs of a rally stage are numbered as in the list, since the game calls each of them lap 1.
        let mut stint: Vec<LapColumns<'_>> = Vec::new();
        let reference_in_stint = reference.filter(|other| source.entry(other.key).is_some_and(is_in_stint));
        for lap in stint_laps.iter().chain([main]).chain(reference_in_stint) {
            let mut columns = lap.columns();
            columns.number = number(&lap.lap, stage);
            let place = stint.iter().position(|other| other.number > columns.number);
            stint.insert(place.unwrap_or(stint.len()), columns);
        }
        let mut comparisons = vec![shown.comparison()];
        comparisons.extend(&shown.lap_comparison.others);
        let driven: Vec<Lap> = (source.catalogue.laps().iter().filter(|entry| is_in_stint(entry)))
            .map(|entry| {
                let mut lap = entry.lap.clone();
                lap.number = number(&lap, stage);
                lap
            })
            .collect();
        let mut panel_lap = main.panel_lap();
        panel_lap.columns = shown.comparison().in_order(&panel_lap.columns);
        Some(call(&Laps {
            lap: &own.lap,
            main: panel_lap,
            reference: reference.map(|lap| lap.panel_lap()),
            comparison: shown.comparison(),
            stint: &stint,
            besides: &comparisons,
            theoretical_best: &shown.lap_comparison.theoretical_best,
            driven: &driven,
            stage,
            units: self.units.get(),
            tyre_windows: self.settings.driver().with(|driver| driver.tyres),
        }))
    }

    /// The main lap's g at the cursor, as a point of the g-g diagram; `None` where the game sends none.
    pub(super) fn g_at_cursor(self) -> Option<CursorPoint> {
        let lap = self.comparison.shown()?.laps.first()?.clone();
        let (lateral, ahead) =
            lap.values(Channel::GLateral.slot()).zip(lap.values(Channel::GLongitudinal.slot()))?;
        Some(Rc::new(move || {
            let row = lap.row_at(untrack(|| self.view.cursor_m())?)?;
            let g = |values: &[f32]| values.get(row).map(|g| f64::from(*g));
            Some([-g(&lateral.values)?, g(&ahead.values)?])
        }))
    }
}
