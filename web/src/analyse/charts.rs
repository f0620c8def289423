//! What stands in the charts, as text.

use std::rc::Rc;

use leptos::prelude::*;
use trailbrake_shared::model::Drawing;
use trailbrake_shared::plot::Series;
use trailbrake_shared::plot::csv::{LaneLine, head, lanes_csv, track_csv};
use trailbrake_shared::units::{DisplayUnit, Unit, Units};

use super::corners;
use super::lanes::{DELTA, bridge, lane_values};
use super::map::coloured;
use super::{Axis, ComparisonStore, INKS, LaneStore, MapStore, SelectionStore, ShownLap, Values, ViewStore};
use crate::painter::Ink;

/// A line of a lane.
struct Line {
    head: String,
    unit: &'static DisplayUnit,
    drawing: Drawing,
    x: Rc<Vec<f64>>,
    values: Rc<Values>,
    is_main: bool,
}

impl Line {
    fn lane_line(&self) -> LaneLine<'_> {
        let Values { values, extents } = &*self.values;
        LaneLine {
            head: self.head.clone(),
            unit: self.unit,
            drawing: self.drawing,
            series: Series { x: self.x.as_slice(), y: values.as_slice(), extents },
            is_main: self.is_main,
        }
    }
}

/// The stores whose content stands in the charts. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct Charts {
    pub(super) comparison: ComparisonStore,
    pub(super) selection: SelectionStore,
    pub(super) view: ViewStore,
    pub(super) lanes: LaneStore,
    pub(super) map: MapStore,
    pub(super) units: RwSignal<Units>,
}

impl Charts {
    /// The lanes as CSV: the channels of all laps over the visible part of the axis. `None` while no laps are shown.
    pub(crate) fn lanes_csv(self) -> Option<String> {
        let (shown, view) = (self.comparison.shown()?, self.view.state.get());
        let strips = self.lanes.state.with(|lanes| Rc::clone(&lanes.strips));
        let (axis, units) = (view.axis, self.units.get());
        let rows = shown.laps.first()?.along(axis);
        let mut lines = Vec::new();
        if shown.compared && strips.iter().any(|strip| strip.id == DELTA) {
            let delta = &shown.delta;
            lines.push(Line {
                head: head("Delta", "s", ""),
                unit: Unit::Seconds.shown(),
                drawing: Drawing::Line,
                x: Rc::clone(delta.along(axis)),
                values: Rc::clone(&delta.values),
                is_main: false,
            });
        }
        for (value, title) in lane_values(&shown, &strips) {
            let (unit, drawing) = (units.shown(value.unit()), value.drawing());
            for (place, lap) in shown.laps.iter().enumerate() {
                let Some(values) = value.of(lap) else { continue };
                let head = head(&title, unit.suffix, &self.selection.lap_name(lap.loaded.key));
                let x = Rc::clone(lap.along(axis));
                lines.push(Line { head, unit, drawing, x, values, is_main: place == 0 });
            }
        }
        let lines: Vec<LaneLine<'_>> = lines.iter().map(Line::lane_line).collect();
        let part = view.shown(shown.whole(axis));
        let title = if axis == Axis::Distance { "Distance m" } else { "Time s" };
        Some(lanes_csv(title, rows, [part.from, part.to], &lines, bridge(axis)))
    }

    /// The track map as CSV: the main lap's path, with the values that colour it. `None` without positions.
    pub(crate) fn track_csv(self) -> Option<String> {
        let (shown, map) = (self.comparison.shown()?, self.map.state.get());
        let lap = shown.laps.first().filter(|lap| !lap.way.is_empty())?;
        let by = map.by(&shown);
        let coloured = coloured(&shown, by, map.wheel, self.units.get()).ok();
        let coloured = coloured.as_ref().map(|coloured| (by.title(), coloured));
        Some(track_csv(&lap.distance_m, lap.way.places(), coloured))
    }

    /// The corner table as CSV. `None` while no laps are shown.
    pub(crate) fn corners_csv(self) -> Option<String> {
        let shown = self.comparison.shown()?;
        let name = |place: usize| shown.laps.get(place).map(|lap| self.selection.lap_name(lap.loaded.key));
        let names = [0, 1].map(|place| name(place).unwrap_or_default());
        Some(corners::csv(&shown, names.each_ref().map(String::as_str), self.units.get()))
    }

    /// The legend of a picture: each lap's colour, name and time.
    pub(crate) fn legend(self) -> Vec<(Ink, String)> {
        let Some(shown) = self.comparison.shown() else { return Vec::new() };
        let line = |(lap, ink): (&ShownLap, Ink)| {
            let name = self.selection.lap_name(lap.loaded.key);
            let time = lap.loaded.lap.time.map(|time| format!("  {time}")).unwrap_or_default();
            (ink, format!("{name}{time}"))
        };
        shown.laps.iter().zip(INKS).map(line).collect()
    }
}
