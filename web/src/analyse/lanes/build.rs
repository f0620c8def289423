//! Which lanes are shown, and the lines of the laps in them.

use std::borrow::Cow;
use std::rc::Rc;

use trailbrake_shared::model::{Channel, Drawing, Scope, Slot, Wheel};
use trailbrake_shared::plot::lane_table::{self, DefaultLane};
use trailbrake_shared::plot::{Domain, Extent, Polyline, Series, Tint, View, tint, trace, value_at};
use trailbrake_shared::units::{Unit, Units};

use super::layout::Strip;
use crate::analyse::{Axis, Delta, LoadedLap, ShownLap, ShownLaps, Values};
use crate::painter::{Ink, LaneSource, LaneSpec, LineSpec, Paint, Readout, Says};

/// A lap's colour, by its place among those that are shown: the main lap, the reference, the others.
pub(crate) const INKS: [Ink; 6] = [Ink::Main, Ink::Reference, Ink::Lap3, Ink::Lap4, Ink::Lap5, Ink::Lap6];
/// The maximum number of compared laps: more colours could not be distinguished.
pub(crate) const MOST: usize = INKS.len();
/// Rows further apart than this are not joined: metres, and seconds.
const BRIDGE_M: f64 = 60.0;
const BRIDGE_S: f64 = 0.6;

/// A lane that has a name of its own, by what it shows.
struct Lane {
    /// What an address and the browser's memory call it.
    id: &'static str,
    name: &'static str,
    share: f32,
    guides: &'static [f32],
    /// Its channels, each with a colour of its own where the lane has several. Of alternatives the first that is sent.
    channels: &'static [(&'static [Channel], Option<Ink>)],
}

/// The lane of the delta, which belongs to two laps and is in no packet.
pub(crate) const DELTA: &str = "delta";

/// The lanes that are shown at first, in their order. Every other lane is one of a single channel.
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

/// The height of every other lane.
const SHARE: f32 = 1.0;

/// The default lanes.
pub(crate) fn usual() -> Vec<Strip> {
    LANES.iter().map(|lane| Strip::usual(lane.id)).collect()
}

/// A lane that can be shown, or a channel that was not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LaneChoice {
    /// What addresses call it.
    pub(crate) id: String,
    pub(crate) name: String,
    /// Its height, per cent of its usual one, while it is shown.
    pub(crate) percent: Option<u16>,
    /// Whether anything was sent for it.
    pub(crate) sent: bool,
}

/// The lanes that can be shown of some laps: those that are, from the top, then the others in the order of the channel
/// table, and in the end the channels that were not sent.
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

/// The channels of the lanes that are shown, from the top, with what they are called.
pub(crate) fn slots(shown: &ShownLaps, chosen: &[Strip]) -> Vec<(Slot, String)> {
    let Some(main) = shown.laps.first() else { return Vec::new() };
    let lanes = chosen.iter().filter_map(|strip| Wanted::of(&strip.id, &main.loaded));
    lanes.flat_map(|lane| lane.slots).map(|(slot, _)| (slot, title(slot))).collect()
}

/// What a channel, or one of its numbers, is called.
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
    /// What addresses call them.
    pub(crate) ids: Vec<String>,
    pub(crate) lines: Lines,
    /// The lanes with braking marks, counted from the top, each with the main lap's colour in it.
    pub(crate) marked: Vec<(usize, Ink)>,
    /// The lanes of pedals.
    pub(crate) pedals: Vec<usize>,
    /// The lanes that are missing since their game does not send what they show.
    pub(crate) missing: Vec<String>,
}

/// A lane before its lines are known.
struct Wanted {
    name: Cow<'static, str>,
    share: f32,
    guides: &'static [f32],
    /// The channels that are sent for it.
    slots: Vec<(Slot, Option<Ink>)>,
}

impl Wanted {
    /// The lane that an id means; its channels are those that the main lap has.
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
                slots: slots.collect(),
            });
        }
        let slot = (0..Slot::COUNT).filter_map(Slot::from_index).find(|slot| slot.id() == id)?;
        let slots = Some((slot, None)).filter(|(slot, _)| sent(slot)).into_iter().collect();
        Some(Self { name: title(slot).into(), share: SHARE, guides: &[], slots })
    }
}

/// Rows further apart than this are not joined.
pub(crate) const fn bridge(axis: Axis) -> f64 {
    match axis {
        Axis::Distance => BRIDGE_M,
        Axis::Time => BRIDGE_S,
    }
}

/// The lanes of some laps.
///
/// With `fit` the scales of all lanes but those of pedals follow the part that is shown; the delta's always does.
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
            // Without a reference nothing is ahead or behind.
            Some(_) if strip.id == DELTA && !shown.compared => {}
            Some(_) if strip.id == DELTA => built.delta(shown, axis),
            Some(lane) if lane.slots.is_empty() => built.missing.push(lane.name.into_owned()),
            Some(lane) => {
                // Where a lane has lines of several channels, the brake's has a colour of its own.
                let ink = |channel: Channel| {
                    let mut slots = lane.slots.iter();
                    slots.find(|(slot, _)| *slot == channel.slot()).map(|(_, ink)| ink.unwrap_or(Ink::Main))
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
        let Some(first) = lane.slots.first().map(|(slot, _)| slot.channel()) else { return };
        // Shares of a whole are read against the whole.
        let follows = fit && (first.unit() != Unit::Ratio || first.drawing() == Drawing::Centred);
        let (mut lines, mut readouts) = (Vec::new(), Vec::new());
        for (place, lap) in shown.laps.iter().enumerate().rev() {
            let ink = INKS.get(place).copied().unwrap_or(Ink::Soft);
            let mut own = Vec::new();
            for (slot, apart) in &lane.slots {
                let Some(values) = lap.values(*slot) else { continue };
                own.push(lines.len());
                let column = self.lines.add(lap.along(axis), &values);
                let spec = LineSpec::of(slot.channel(), column, ink);
                let spec = LineSpec { domain: domain(*slot, shown), follows, ..spec };
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
            unit: units.shown(first.unit()),
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
fn domain(slot: Slot, shown: &ShownLaps) -> Domain {
    let channel = slot.channel();
    let values = shown.laps.iter().filter_map(|lap| lap.values(slot));
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

impl ShownLap {
    pub(crate) fn along(&self, axis: Axis) -> &Rc<Vec<f64>> {
        match axis {
            Axis::Distance => &self.distance_m,
            Axis::Time => &self.clock_s,
        }
    }
}

impl Delta {
    pub(crate) fn along(&self, axis: Axis) -> &Rc<Vec<f64>> {
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
            // A scale that follows what is shown may have no zero.
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
        // Lines go on to the next sample on either side.
        let first = x.partition_point(|x| *x < part.low()).saturating_sub(1);
        let end = (x.partition_point(|x| *x <= part.high()) + 1).min(x.len());
        values.extents.extent(values.values.as_slice(), first..end)
    }

    fn value(&self, column: usize, at: Option<f64>, drawing: Drawing) -> Option<f64> {
        value_at(&self.series(column)?, at?, self.bridge, drawing)
    }
}
