//! The report of one lap.

use serde_json::{Map, Value, json};
use trailbrake_shared::analysis::balance::{Balance, Feet, balance};
use trailbrake_shared::analysis::dampers::dampers;
use trailbrake_shared::analysis::lap_events::{Kind, LapEvent, LapEvents, lap_events};
use trailbrake_shared::analysis::{
    CornerBalance, LapColumns, NoLine, PlacedLap, Reference, ReferenceLine, SectionBounds, find_corners,
    grip, rally, section_statistics, tyres,
};
use trailbrake_shared::model::EventKind;
use trailbrake_shared::units::Unit;

use super::value::{value_or_reason, with_units};
use crate::commands::lap_arguments::Metres;
use crate::files::OpenedLap;

/// A split every tenth of the lap.
pub(super) const SPLITS: usize = 10;

pub(super) fn report(driven: &OpenedLap, between: Option<&Metres>) -> anyhow::Result<Value> {
    let lap = driven.lap_columns();
    let events: Vec<(f64, &EventKind)> =
        driven.context.events.iter().map(|(clock_s, event)| (*clock_s, event)).collect();
    let events = lap_events(&lap, &events);
    let splits = Reference::of_lap(&lap).map(|curve| rally::even_splits(&curve, SPLITS));
    let mut report = json!({
        "lap": driven.lap.number,
        "time_ms": driven.lap.time,
        "flags": driven.lap.flags,
        "splits": splits,
        "grip": value_or_reason(grip(&lap)),
        "balance": value_or_reason(balance(&lap).map(|balance| phases(&lap, &balance))),
        "events": events.found.iter().map(event).collect::<Vec<_>>(),
        "unavailable_events": Value::Object(events.unavailable.iter().map(|(kind, why)| (kind.id().to_owned(), json!(why))).collect()),
        "airtime": times(&events, Kind::Jump),
        "handbrake": times(&events, Kind::Handbrake),
        "surfaces": value_or_reason(rally::surfaces(&lap)),
        "dampers": value_or_reason(dampers(&lap)),
        "wheels": with_units(value_or_reason(tyres::wheel_states(&lap))),
    });
    if let (Some(metres), Some(report)) = (between, report.as_object_mut()) {
        report.insert("between".to_owned(), stretches(&lap, driven, metres));
    }
    Ok(report)
}

/// A lap event, with the unit of its size in the field name.
fn event(one: &LapEvent) -> Value {
    let mut report = serde_json::to_value(one).unwrap_or_default();
    if let Some(size) = report.as_object_mut().and_then(|fields| fields.remove("size"))
        && let (Some(fields), Some(unit)) = (report.as_object_mut(), unit_of(one.kind))
    {
        fields.insert(format!("size_{unit}"), size);
    }
    report
}

fn unit_of(kind: Kind) -> Option<&'static str> {
    match kind.unit() {
        Unit::Ratio => Some("share"),
        unit => unit.symbol(),
    }
}

/// How often an event happened and its total duration, or why that is unavailable.
fn times(events: &LapEvents, kind: Kind) -> Value {
    let why = || {
        events
            .unavailable
            .iter()
            .find(|(unavailable, _)| *unavailable == kind)
            .map(|(_, why)| json!({ "unavailable": why }))
    };
    rally::times(events, kind).map_or_else(|| why().unwrap_or_default(), |times| json!(times))
}

/// The balance over the lap, in each part of each corner, and by pedal phase. The pedal phases stand in for the corner
/// parts where positions do not show the corners.
fn phases(lap: &LapColumns<'_>, balance: &Balance) -> Value {
    let [braking, rolling, driving] = Feet::ALL.map(|feet| balance.during(feet));
    let mut report = json!({
        "measured_by": balance.measured_by.id(),
        "unit": balance.measured_by.unit().symbol(),
        "lap": balance.over_lap(),
        "on_the_brakes": braking,
        "on_neither_pedal": rolling,
        "on_the_throttle": driving,
    });
    let of_corners = match of_corners(lap, balance) {
        Ok(corners) => {
            let [entry, middle, exit] = CornerBalance::together(&corners);
            json!({ "entry": entry, "middle": middle, "exit": exit, "corners": corners })
        }
        Err(why) => json!({ "corners": { "unavailable": why.to_string() } }),
    };
    if let (Some(report), Value::Object(of_corners)) = (report.as_object_mut(), of_corners) {
        report.extend(of_corners);
    }
    report
}

/// The balance in each part of each corner, where positions show the corners.
pub(super) fn of_corners(lap: &LapColumns<'_>, balance: &Balance) -> Result<Vec<CornerBalance>, NoLine> {
    let line = ReferenceLine::learn(lap)?;
    let placed = PlacedLap::on_line(lap, &line, None);
    Ok(placed.map(|placed| CornerBalance::of(balance, &placed, &find_corners(&line))).unwrap_or_default())
}

/// Statistics of every channel between two lap distances.
fn stretches(lap: &LapColumns<'_>, driven: &OpenedLap, metres: &Metres) -> Value {
    let between = SectionBounds::Metres(metres.0.clone());
    let mut slots: Vec<_> = driven.columns.slots().collect();
    slots.sort_unstable();
    let each = slots.iter().filter_map(|slot| {
        let mut statistics = json!(section_statistics(lap, *slot, &between).ok()?);
        statistics.as_object_mut()?.insert("unit".to_owned(), json!(slot.channel().unit().symbol()));
        Some((slot.id(), statistics))
    });
    Value::Object(each.collect::<Map<String, Value>>())
}
