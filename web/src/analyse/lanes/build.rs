//! Builds the lanes on screen, and the lines of the laps in them.

use std::borrow::Cow;
use std::rc::Rc;

use trailbrake_shared::model::{Channel, Drawing, Scope, Slot, Wheel};
use trailbrake_shared::plot::lane_table::{self, DefaultLane};
use trailbrake_shared::plot::{Domain, Extent, Polyline, Series, Tint, View, tint, trace, value_at};
use trailbrake_shared::units::{Unit, Units};

use super::lane_value::LaneValue;
use super::layout::Strip;
use crate::analyse::{Axis, LoadedLap, ShownLaps, Values};
use crate::painter::{Ink, LaneSource, LaneSpec, LineSpec, Paint, Readout, Says};

/// Lap colours, by index among the laps on screen: the main lap, the reference, the others.
pub(crate) const INKS: [Ink; 6] = [Ink::Main, Ink::Reference, Ink::Lap3, Ink::Lap4, Ink::Lap5, Ink::Lap6];
/// The maximum number of compared laps: more colours could not be distinguished.
pub(crate) const MOST: usize = INKS.len();
/// The longest gap between rows that a line is drawn across: metres on the distance axis, seconds on the time axis.
const BRIDGE_M: f64 = 60.0;
const BRIDGE_S: f64 = 0.6;

/// One of the default lanes.
struct Lane {
    /// The lane's id in addresses and in the browser's storage.
    id: &'static str,
    name: &'static str,
    share: f32,
    guides: &'static [f32],
    /// The lane's channels, each with a colour if the lane has several. Each is a list of alternatives, of which the
    /// first that was sent is drawn.
    channels: &'static [(&'static [Channel], Option<Ink>)],
}

/// The id of the delta lane, which compares two laps and is no channel.
pub(crate) const DELTA: &str = "delta";
/// The lane of the grip used, which is computed from several channels.
const GRIP_USED: &str = "grip-used";
const GRIP_USED_NAME: &str = "Grip used";

/// The default lanes, in order. Every other lane shows a single channel, or the grip used.
const LANES: &[Lane] = &[
    Lane { id: DELTA, name: "Delta", share: 1.0, guides: &[], channels: &[] },
    Lane { guides: &[0.0], ..lane(&lane_table::SPEED, &[(lane_table::SPEED.channels, None)]) },
    Lane {
        id: "pedals",
        name: "Pedals",
        share: 1.4,
        guides: &[0.0, 1.0],
        channels: &[
            (lane_table::THROTTLE.channels, Some(Ink::Throttle)),
            (lane_table::BRAKE.channels, Some(Ink::Brake)),
        ],
    },
    lane(&lane_table::GEAR, &[(lane_table::GEAR.channels, None)]),
    lane(&lane_table::RPM, &[(lane_table::RPM.channels, None)]),
    lane(&lane_table::STEERING, &[(lane_table::STEERING.channels, None)]),
    lane(&lane_table::G_LATERAL, &[(lane_table::G_LATERAL.channels, None)]),
    lane(&lane_table::G_LONGITUDINAL, &[(lane_table::G_LONGITUDINAL.channels, None)]),
];

const fn lane(of: &DefaultLane, channels: &'static [(&'static [Channel], Option<Ink>)]) -> Lane {
    Lane { id: of.id, name: of.name, share: of.weight, guides: &[], channels }
}

/// The share of the height of a lane that is not a default lane.
const SHARE: f32 = 1.0;

/// The default lanes.
pub(crate) fn usual() -> Vec<Strip> {
    LANES.iter().map(|lane| Strip::usual(lane.id)).collect()
}

/// A lane that can be shown, or a channel that was not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LaneChoice {
    /// The lane's id in addresses.
    pub(crate) id: String,
    pub(crate) name: String,
    /// The lane's height, per cent of its default height; `None` while it is hidden.
    pub(crate) percent: Option<u16>,
    /// Whether the main lap has data for it.
    pub(crate) sent: bool,
}

/// All lanes for the channels dialog: first those on screen, from the top; then the hidden ones, default lanes before
/// single channels in the order of the channel table; last the channels that were not sent.
pub(crate) fn choices(shown: &ShownLaps, chosen: &[Strip]) -> Vec<LaneChoice> {
    let Some(main) = shown.laps.first() else { return Vec::new() };
    let loaded = &main.loaded;
    let choice = |id: String, name: String, sent| LaneChoice { id, name, percent: None, sent };
    let mut all: Vec<LaneChoice> = Vec::new();
    for lane in LANES {
        let of = |channel: &Channel| loaded.values(channel.slot()).is_some();
        let sent = lane.channels.is_empty() || lane.channels.iter().any(|(any, _)| any.iter().any(of));
        all.push(choice(lane.id.to_owned(), lane.name.to_owned(), sent));
    }
    let has_grip = loaded.grip_used().is_some();
    all.push(choice(GRIP_USED.to_owned(), GRIP_USED_NAME.to_owned(), has_grip));
    let own =
        |channel: Channel| LANES.iter().any(|lane| lane.channels.iter().any(|(of, _)| of.contains(&channel)));
    let slots = loaded.slots();
    for slot in slots.iter().filter(|slot| !own(slot.channel())) {
        all.push(choice(slot.id(), title(*slot), true));
    }
    let mut choices = Vec::new();
    for strip in chosen {
        if let Some(place) = all.iter().position(|choice| choice.id == strip.id) {
            choices.push(LaneChoice { percent: Some(strip.percent), ..all.remove(place) });
        }
    }
    choices.append(&mut all);
    for channel in Channel::ALL {
        if !own(*channel) && slots.iter().all(|slot| slot.channel() != *channel) {
            choices.push(choice(channel.id().to_owned(), channel.label().to_owned(), false));
        }
    }
    choices
}

/// The channels of some lanes that the main lap has, from the top, each with its title.
pub(crate) fn slots(shown: &ShownLaps, chosen: &[Strip]) -> Vec<(Slot, String)> {
    let Some(main) = shown.laps.first() else { return Vec::new() };
    let lanes = chosen.iter().filter_map(|strip| Wanted::of(&strip.id, &main.loaded));
    let slots = lanes.flat_map(|lane| lane.values).filter_map(|(value, _)| value.slot());
    slots.map(|slot| (slot, title(slot))).collect()
}

/// What some lanes show that the main lap has, from the top, each with its title.
pub(crate) fn lane_values(shown: &ShownLaps, chosen: &[Strip]) -> Vec<(LaneValue, String)> {
    let Some(main) = shown.laps.first() else { return Vec::new() };
    let lanes = chosen.iter().filter_map(|strip| Wanted::of(&strip.id, &main.loaded));
    let values = lanes.flat_map(|lane| lane.values).map(|(value, _)| value);
    let title = |value: LaneValue| value.slot().map_or_else(|| GRIP_USED_NAME.to_owned(), title);
    values.map(|value| (value, title(value))).collect()
}

/// The title of a slot: the channel, and the wheel or the vector's axis if it has several values.
fn title(slot: Slot) -> String {
    let channel = slot.channel();
    let part = usize::from(slot.part());
    match channel.scope() {
        Scope::Car => channel.label().to_owned(),
        Scope::Wheels => {
            let wheel = Wheel::ALL.get(part).map_or("", |wheel| wheel.short());
            format!("{} {wheel}", channel.label())
        }
        Scope::Vector => format!("{} {}", channel.label(), ["x", "y", "z"].get(part).unwrap_or(&"")),
    }
}

/// The delta's scale reaches at least this far on either side of zero, seconds.
const LEAST_DELTA_S: f64 = 0.1;

/// The data of the lanes' lines.
#[derive(Default)]
pub(crate) struct Lines {
    columns: Vec<Column>,
    /// The longest gap that a line is drawn across, in the axis' unit.
    bridge: f64,
}

struct Column {
    x: Rc<Vec<f64>>,
    values: Rc<Values>,
}

/// The lanes, as they are given to the painter.
pub(crate) struct Built {
    pub(crate) specs: Vec<LaneSpec>,
    /// The lanes' ids in addresses, in the order of `specs`.
    pub(crate) ids: Vec<String>,
    pub(crate) lines: Lines,
    /// The lanes with braking marks, by index from the top, each with the main lap's colour in it.
    pub(crate) marked: Vec<(usize, Ink)>,
    /// The lanes that show pedals, by index from the top.
    pub(crate) pedals: Vec<usize>,
    /// The names of the lanes that are missing because none of their channels was sent.
    pub(crate) missing: Vec<String>,
}

/// A lane before its lines are known.
struct Wanted {
    name: Cow<'static, str>,
    share: f32,
    guides: &'static [f32],
    /// What the lane shows that the main lap has, each with a colour if the lane has several.
    values: Vec<(LaneValue, Option<Ink>)>,
}

impl Wanted {
    /// The lane of an id; `None` for an unknown id.
    fn of(id: &str, main: &LoadedLap) -> Option<Self> {
        let sent = |slot: &Slot| main.values(*slot).is_some();
        if let Some(lane) = LANES.iter().find(|lane| lane.id == id) {
            let channels = lane.channels.iter();
            let slots =
                channels.filter_map(|(of, ink)| Some((of.iter().map(|one| one.slot()).find(sent)?, *ink)));
            return Some(Self {
                name: lane.name.into(),
                share: lane.share,
                guides: lane.guides,
                values: slots.map(|(slot, ink)| (LaneValue::Channel(slot), ink)).collect(),
            });
        }
        let alone = |name: Cow<'static, str>, value: Option<LaneValue>| Self {
            name,
            share: SHARE,
            guides: &[],
            values: value.into_iter().map(|value| (value, None)).collect(),
        };
        if id == GRIP_USED {
            return Some(alone(GRIP_USED_NAME.into(), main.grip_used().map(|_| LaneValue::GripUsed)));
        }
        let slot = (0..Slot::COUNT).filter_map(Slot::from_index).find(|slot| slot.id() == id)?;
        Some(alone(title(slot).into(), sent(&slot).then_some(LaneValue::Channel(slot))))
    }
}

/// The longest gap between rows that a line is drawn across, in the axis' unit.
pub(crate) const fn bridge(axis: Axis) -> f64 {
    match axis {
        Axis::Distance => BRIDGE_M,
        Axis::Time => BRIDGE_S,
    }
}

/// Builds the lanes of the laps on screen.
///
/// With `fit`, scales follow the visible part, except those of ratios such as pedals. The delta's always follows.
pub(crate) fn build(shown: &ShownLaps, axis: Axis, chosen: &[Strip], fit: bool, units: Units) -> Built {
    let lines = Lines { columns: Vec::new(), bridge: bridge(axis) };
    let mut built = Built {
        specs: Vec::new(),
        ids: Vec::new(),
        lines,
        marked: Vec::new(),
        pedals: Vec::new(),
        missing: Vec::new(),
    };
    let Some(main) = shown.laps.first() else { return built };
    for strip in chosen {
        let before = built.specs.len();
        match Wanted::of(&strip.id, &main.loaded) {
            // Without a reference there is no delta.
            Some(_) if strip.id == DELTA && !shown.compared => {}
            Some(_) if strip.id == DELTA => built.delta(shown, axis),
            Some(lane) if lane.values.is_empty() => built.missing.push(lane.name.into_owned()),
            Some(lane) => {
                // Braking marks take the colour of the main lap's brake line, or else of its speed line.
                let ink = |channel: Channel| {
                    let mut values = lane.values.iter();
                    let found = values.find(|(value, _)| *value == LaneValue::Channel(channel.slot()));
                    found.map(|(_, ink)| ink.unwrap_or(Ink::Main))
                };
                let brake = ink(Channel::Brake);
                built.marked.extend(brake.or(ink(Channel::Speed)).map(|ink| (before, ink)));
                built.pedals.extend(brake.or(ink(Channel::Throttle)).map(|_| before));
                built.lane(lane, shown, axis, fit, units);
            }
            None => {}
        }
        if let Some(spec) = built.specs.get_mut(before) {
            spec.share *= f32::from(strip.percent) / 100.0;
            built.ids.push(strip.id.clone());
        }
    }
    built
}

impl Built {
    fn delta(&mut self, shown: &ShownLaps, axis: Axis) {
        let delta = &shown.delta;
        let column = self.lines.add(delta.along(axis), &delta.values);
        let line = LineSpec {
            column,
            paint: Ink::Text.into(),
            width: 1.6,
            drawing: Drawing::Line,
            domain: Domain::new(-LEAST_DELTA_S, LEAST_DELTA_S),
            tinted: true,
            follows: true,
        };
        self.specs.push(LaneSpec {
            name: "Delta".into(),
            unit: Unit::Seconds.shown(),
            share: 1.0,
            guides: &[],
            lines: vec![line],
            one_scale: false,
            readouts: Vec::new(),
        });
    }

    /// Adds a lane with the lines of all laps, the main one's last.
    fn lane(&mut self, lane: Wanted, shown: &ShownLaps, axis: Axis, fit: bool, units: Units) {
        let Some(first) = lane.values.first().map(|(value, _)| *value) else { return };
        // Ratios such as pedals are read against 0 to 100 %.
        let follows = fit && (first.unit() != Unit::Ratio || first.drawing() == Drawing::Centred);
        let (mut lines, mut readouts) = (Vec::new(), Vec::new());
        for (place, lap) in shown.laps.iter().enumerate().rev() {
            let ink = INKS.get(place).copied().unwrap_or(Ink::Soft);
            let mut own = Vec::new();
            for (value, own_ink) in &lane.values {
                let Some(values) = value.of(lap) else { continue };
                own.push(lines.len());
                let column = self.lines.add(lap.along(axis), &values);
                let domain = domain(*value, shown);
                let spec = LineSpec { follows, ..LineSpec::new(column, value.drawing(), domain, ink) };
                lines.push(match (place, own_ink) {
                    (0, own_ink) => LineSpec { paint: own_ink.unwrap_or(ink).into(), ..spec },
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
        // A difference needs one line per lap, and means little for gears.
        if let ([main], [reference], false) =
            (own(0).as_slice(), own(1).as_slice(), first.drawing() == Drawing::Step)
        {
            let place = says.len().min(2);
            says.insert(place, Readout { ink: Ink::Soft, says: Says::Difference(*main, *reference) });
        }
        self.specs.push(LaneSpec {
            name: lane.name,
            unit: units.shown(first.unit()),
            share: lane.share,
            guides: lane.guides,
            lines,
            one_scale: true,
            readouts: says,
        });
    }
}

/// The scale of a channel: its range over all laps on screen. Centred channels are symmetric about zero, ratios span 0
/// to 1, and speeds and gears include zero.
fn domain(value: LaneValue, shown: &ShownLaps) -> Domain {
    let values = shown.laps.iter().filter_map(|lap| value.of(lap));
    let extent = values.map(|values| values.extent()).fold(Extent::EMPTY, Extent::merged);
    let of = Domain::of(extent);
    match (value.drawing(), value.unit()) {
        (Drawing::Centred, _) => of.symmetric(),
        (_, Unit::Ratio) => Domain::new(0.0, 1.0),
        (Drawing::Step, _) => of.with_zero(),
        (_, Unit::MetresPerSecond) => of.with_zero().nice(4),
        _ => of.nice(4),
    }
}

impl Lines {
    /// Adds a line's data. Returns its column, by which the painter asks for it.
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
            // A scale that follows the visible part may not include zero.
            let scale = view.y.domain();
            let zero = 0.0_f64.clamp(scale.low(), scale.high());
            tint(&series, &View { bridge: self.bridge, ..*view }, zero, areas);
        }
    }

    fn extent(&self, column: usize) -> Extent {
        self.columns.get(column).map_or(Extent::EMPTY, |column| column.values.extent())
    }

    fn extent_within(&self, column: usize, part: Domain) -> Extent {
        let Some(Column { x, values }) = self.columns.get(column) else { return Extent::EMPTY };
        // Lines go on to the next sample beyond either end.
        let first = x.partition_point(|x| *x < part.low()).saturating_sub(1);
        let end = (x.partition_point(|x| *x <= part.high()) + 1).min(x.len());
        values.extents.extent(values.values.as_slice(), first..end)
    }

    fn value(&self, column: usize, at: Option<f64>, drawing: Drawing) -> Option<f64> {
        value_at(&self.series(column)?, at?, self.bridge, drawing)
    }
}
