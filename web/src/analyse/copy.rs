//! What the lanes and the map show, as tables to be copied.

use std::rc::Rc;

use trailbrake_shared::model::Drawing;
use trailbrake_shared::plot::Series;
use trailbrake_shared::plot::csv::{LaneLine, head, lanes_csv, track_csv};
use trailbrake_shared::units::Unit;

use super::driven::Values;
use super::lanes::{DELTA, bridge, slots};
use super::view::Axis;
use super::{Key, State};
use crate::laps::number;

/// A line of a lane, which keeps what it tells.
struct Line {
    head: String,
    unit: Unit,
    drawing: Drawing,
    x: Rc<Vec<f64>>,
    values: Rc<Values>,
    is_main: bool,
}

impl Line {
    fn told(&self) -> LaneLine<'_> {
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

impl State {
    /// What a lap is called where there is nothing else of it: its number, and whose it is where that is not clear.
    pub(crate) fn lap_name(&self, key: Key) -> String {
        let Some((origin, entry)) = self.entry(key) else { return String::new() };
        let what = if origin.stage { "Run " } else { "Lap " };
        let mut name = [what, &number(&entry.lap, origin.stage).to_string()].concat();
        if let Some(whose) = self.whose(key) {
            name.extend([", ", &whose]);
        }
        name
    }

    /// The channels of the lanes, of all laps, over the part of the axis that is shown.
    pub(crate) fn lanes_csv(&self) -> Option<String> {
        let (shown, axis) = (self.shown.as_ref()?, self.view.axis);
        let rows = shown.laps.first()?.along(axis);
        let mut lines = Vec::new();
        if shown.compared && self.lanes.iter().any(|strip| strip.id == DELTA) {
            let delta = &shown.delta;
            lines.push(Line {
                head: head("Delta", Unit::Seconds.shown().suffix, ""),
                unit: Unit::Seconds,
                drawing: Drawing::Line,
                x: Rc::clone(delta.along(axis)),
                values: Rc::clone(&delta.values),
                is_main: false,
            });
        }
        for (slot, title) in slots(shown, &self.lanes) {
            let (unit, drawing) = (slot.channel().unit(), slot.channel().drawing());
            for (place, lap) in shown.laps.iter().enumerate() {
                let Some(values) = lap.values(slot) else { continue };
                let head = head(&title, unit.shown().suffix, &self.lap_name(lap.driven.key));
                let x = Rc::clone(lap.along(axis));
                lines.push(Line { head, unit, drawing, x, values, is_main: place == 0 });
            }
        }
        let lines: Vec<LaneLine<'_>> = lines.iter().map(Line::told).collect();
        let part = self.view.shown(self.whole());
        let title = if axis == Axis::Distance { "Distance m" } else { "Time s" };
        Some(lanes_csv(title, rows, [part.from, part.to], &lines, bridge(axis)))
    }

    /// The main lap's way, with what the map is coloured by.
    pub(crate) fn track_csv(&self) -> Option<String> {
        let shown = self.shown.as_ref()?;
        let lap = shown.laps.first().filter(|lap| !lap.way.is_empty())?;
        let by = self.seen.by(shown);
        let coloured = shown.coloured(by, self.seen.wheel).ok();
        let coloured = coloured.as_ref().map(|coloured| (by.title(), coloured));
        Some(track_csv(&lap.distance_m, lap.way.places(), coloured))
    }
}
