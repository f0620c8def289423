//! Which lanes are shown, and the lines of the laps in them.

use std::rc::Rc;

use trailbrake_shared::model::{Channel, Drawing};
use trailbrake_shared::plot::{Domain, Extent, Polyline, Series, Tint, View, tint, trace, value_at};
use trailbrake_shared::units::Unit;

use super::driven::Values;
use super::shown::{Beside, Shown};
use super::view::Axis;
use crate::painter::{Ink, LaneSource, LaneSpec, LineSpec, Paint, Readout, Says};

/// A lap's colour, by its place among those that are shown: the main lap, the reference, the others.
pub(crate) const INKS: [Ink; 6] = [Ink::Main, Ink::Reference, Ink::Lap3, Ink::Lap4, Ink::Lap5, Ink::Lap6];
/// Rows further apart than this are not joined: metres, and seconds.
const BRIDGE_M: f64 = 60.0;
const BRIDGE_S: f64 = 0.6;

/// A lane, by what it shows.
struct Lane {
    name: &'static str,
    share: f32,
    guides: &'static [f32],
    /// Its channels, each with a colour of its own where the lane has several. Of alternatives the first that is sent.
    channels: &'static [(&'static [Channel], Option<Ink>)],
}

/// The lanes that are shown at first, in their order, below the delta.
const LANES: &[Lane] = &[
    Lane { name: "Speed", share: 1.75, guides: &[0.0], channels: &[(&[Channel::Speed], None)] },
    Lane {
        name: "Pedals",
        share: 1.4,
        guides: &[0.0, 1.0],
        channels: &[(&[Channel::Throttle], Some(Ink::Throttle)), (&[Channel::Brake], Some(Ink::Brake))],
    },
    Lane { name: "Gear", share: 0.8, guides: &[], channels: &[(&[Channel::Gear], None)] },
    Lane { name: "RPM", share: 1.0, guides: &[], channels: &[(&[Channel::Rpm], None)] },
    Lane {
        name: "Steering",
        share: 1.0,
        guides: &[],
        channels: &[(&[Channel::Steering, Channel::SteeringAngle], None)],
    },
    Lane { name: "G lateral", share: 0.9, guides: &[], channels: &[(&[Channel::GLateral], None)] },
    Lane { name: "G long", share: 0.9, guides: &[], channels: &[(&[Channel::GLongitudinal], None)] },
];
/// The lane that marks of braking stand in.
const MARKED: &str = "Pedals";
/// The delta shows at least so much on either side, seconds.
const LEAST_DELTA_S: f64 = 0.1;

/// What the lanes draw.
#[derive(Default)]
pub(crate) struct Lines {
    columns: Vec<Column>,
    bridge: f64,
}

struct Column {
    x: Rc<Vec<f64>>,
    values: Rc<Values>,
}

/// Lanes, and what they draw.
pub(crate) struct Built {
    pub(crate) specs: Vec<LaneSpec>,
    pub(crate) lines: Lines,
    /// The lane, counted from the top, that marks of braking stand in.
    pub(crate) marked: Option<usize>,
    /// The lanes that are missing since their game does not send what they show.
    pub(crate) missing: Vec<&'static str>,
}

/// The lanes of some laps.
pub(crate) fn build(shown: &Shown, axis: Axis) -> Built {
    let bridge = match axis {
        Axis::Distance => BRIDGE_M,
        Axis::Time => BRIDGE_S,
    };
    let lines = Lines { columns: Vec::new(), bridge };
    let mut built = Built { specs: Vec::new(), lines, marked: None, missing: Vec::new() };
    if shown.compared {
        built.delta(shown, axis);
    }
    for lane in LANES {
        let before = built.specs.len();
        built.lane(lane, shown, axis);
        if built.specs.len() == before {
            built.missing.push(lane.name);
        } else if lane.name == MARKED {
            built.marked = Some(before);
        }
    }
    built
}

impl Built {
    fn delta(&mut self, shown: &Shown, axis: Axis) {
        let delta = &shown.delta;
        let x = match axis {
            Axis::Distance => &delta.distance_m,
            Axis::Time => &delta.clock_s,
        };
        let column = self.lines.add(x, &delta.values);
        let line = LineSpec {
            column,
            paint: Ink::Text.into(),
            width: 1.6,
            drawing: Drawing::Line,
            domain: Domain::new(-LEAST_DELTA_S, LEAST_DELTA_S),
            tinted: true,
        };
        self.specs.push(LaneSpec {
            name: "Delta",
            unit: Unit::Seconds,
            share: 1.0,
            guides: &[],
            lines: vec![line],
            one_scale: false,
            readouts: Vec::new(),
        });
    }

    /// Adds a lane with the lines of all laps, the main one's last, unless none of them has anything for it.
    fn lane(&mut self, lane: &Lane, shown: &Shown, axis: Axis) {
        let sent = |channels: &[Channel]| {
            let main = shown.laps.first()?;
            channels.iter().copied().find(|channel| main.driven.values(channel.slot()).is_some())
        };
        let channels: Vec<(Channel, Option<Ink>)> =
            lane.channels.iter().filter_map(|(channels, ink)| Some((sent(channels)?, *ink))).collect();
        let Some((first, _)) = channels.first() else { return };
        let (mut lines, mut readouts) = (Vec::new(), Vec::new());
        for (place, lap) in shown.laps.iter().enumerate().rev() {
            let ink = INKS.get(place).copied().unwrap_or(Ink::Soft);
            let mut own = Vec::new();
            for (channel, apart) in &channels {
                let Some(values) = lap.driven.values(channel.slot()) else { continue };
                own.push(lines.len());
                let column = self.lines.add(lap.along(axis), &values);
                let spec =
                    LineSpec { domain: domain(*channel, shown), ..LineSpec::of(*channel, column, ink) };
                lines.push(match (place, apart) {
                    (0, apart) => LineSpec { paint: apart.unwrap_or(ink).into(), ..spec },
                    (_, None) => spec.wide(1.1),
                    (_, Some(_)) => LineSpec { paint: Paint::thin(ink, 0.7), width: 1.0, ..spec },
                });
            }
            readouts.push((place, ink, own));
        }
        let own = |wanted: usize| {
            let found = readouts.iter().find(|(place, ..)| *place == wanted);
            found.map(|(_, _, own)| own.clone()).unwrap_or_default()
        };
        let mut says: Vec<Readout> = Vec::new();
        for (_, ink, own) in readouts.iter().rev().filter(|(_, _, own)| !own.is_empty()) {
            says.push(Readout { ink: *ink, says: Says::Values(own.clone()) });
        }
        // Gears and several lines in one have no difference worth a row.
        if let ([main], [reference], false) =
            (own(0).as_slice(), own(1).as_slice(), first.drawing() == Drawing::Step)
        {
            let place = says.len().min(2);
            says.insert(place, Readout { ink: Ink::Soft, says: Says::Difference(*main, *reference) });
        }
        self.specs.push(LaneSpec {
            name: lane.name,
            unit: first.unit(),
            share: lane.share,
            guides: lane.guides,
            lines,
            one_scale: true,
            readouts: says,
        });
    }
}

/// What a lane's scale shows: what the laps that are shown had of the channel. Shares of a whole are shown as such, and
/// speeds and gears from nothing on.
fn domain(channel: Channel, shown: &Shown) -> Domain {
    let values = shown.laps.iter().filter_map(|lap| lap.driven.values(channel.slot()));
    let extent = values.map(|values| values.extent()).fold(Extent::EMPTY, Extent::merged);
    let of = Domain::of(extent);
    match (channel.drawing(), channel.unit()) {
        (Drawing::Centred, _) => of.symmetric(),
        (_, Unit::Ratio) => Domain::new(0.0, 1.0),
        (Drawing::Step, _) => of.with_zero(),
        (_, Unit::MetresPerSecond) => of.with_zero().nice(4),
        _ => of.nice(4),
    }
}

impl Beside {
    fn along(&self, axis: Axis) -> &Rc<Vec<f64>> {
        match axis {
            Axis::Distance => &self.distance_m,
            Axis::Time => &self.clock_s,
        }
    }
}

impl Lines {
    fn add(&mut self, x: &Rc<Vec<f64>>, values: &Rc<Values>) -> usize {
        self.columns.push(Column { x: Rc::clone(x), values: Rc::clone(values) });
        self.columns.len() - 1
    }

    fn series(&self, column: usize) -> Option<Series<'_, [f64], [f32]>> {
        let Column { x, values } = self.columns.get(column)?;
        Some(Series { x: x.as_slice(), y: values.values.as_slice(), extents: &values.extents })
    }
}

impl LaneSource for Lines {
    fn trace(&self, column: usize, view: &View, line: &mut Polyline) {
        if let Some(series) = self.series(column) {
            trace(&series, &View { bridge: self.bridge, ..*view }, line);
        }
    }

    fn tint(&self, column: usize, view: &View, areas: &mut Tint) {
        if let Some(series) = self.series(column) {
            tint(&series, &View { bridge: self.bridge, ..*view }, 0.0, areas);
        }
    }

    fn extent(&self, column: usize) -> Extent {
        self.columns.get(column).map_or(Extent::EMPTY, |column| column.values.extent())
    }

    fn value(&self, column: usize, at: Option<f64>, drawing: Drawing) -> Option<f64> {
        value_at(&self.series(column)?, at?, self.bridge, drawing)
    }
}
