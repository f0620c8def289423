//! What one lap tells.

use serde_json::{Map, Value, json};
use trailbrake_shared::analysis::balance::{Balance, Feet, balance};
use trailbrake_shared::analysis::dampers::dampers;
use trailbrake_shared::analysis::happenings::{Kind, happenings};
use trailbrake_shared::analysis::{
    Between, CornerBalance, LapColumns, NoLine, Placed, ReferenceLine, find_corners, grip, rally, stretch,
    tyres,
};
use trailbrake_shared::export::DrivenLap;
use trailbrake_shared::model::EventKind;
use trailbrake_shared::session::{ArchivedSession, LogKind};

use super::over::{columns, curve};
use super::told;
use crate::options::Metres;

/// A split every tenth of the way.
pub(super) const SPLITS: usize = 10;

pub(super) fn report(
    driven: &DrivenLap<'_>,
    archived: &ArchivedSession,
    between: Option<&Metres>,
) -> anyhow::Result<Value> {
    let lap = columns(driven);
    let told_by_game = told_by_game(driven, archived);
    let happened = happenings(&lap, &told_by_game);
    let splits = curve(driven.lap, &lap).map(|curve| rally::even_splits(&curve, SPLITS));
    let mut report = json!({
        "lap": driven.lap.number,
        "time_ms": driven.lap.time,
        "flags": driven.lap.flags,
        "splits": splits,
        "grip": told(grip(&lap)),
        "balance": told(balance(&lap).map(|balance| phases(&lap, &balance))),
        "happenings": happened.found,
        "not_told": Value::Object(happened.untold.iter().map(|(kind, why)| (kind.id().to_owned(), json!(why))).collect()),
        "airtime": rally::times(&happened, Kind::Jump),
        "handbrake": rally::times(&happened, Kind::Handbrake),
        "surfaces": told(rally::surfaces(&lap)),
        "dampers": told(dampers(&lap)),
        "wheels": told(tyres::wheel_states(&lap)),
    });
    if let (Some(metres), Some(report)) = (between, report.as_object_mut()) {
        report.insert("between".to_owned(), stretches(&lap, driven, metres));
    }
    Ok(report)
}

/// What the game's decoder said of the car, each with its time on the lap's clock.
fn told_by_game<'a>(driven: &DrivenLap<'_>, archived: &'a ArchivedSession) -> Vec<(f64, &'a EventKind)> {
    let of_car = archived.session.log().filter(|entry| entry.car == Some(driven.car));
    let said = of_car.filter_map(|entry| match &entry.kind {
        LogKind::Game(kind) => Some((entry.seconds - driven.lap.began_s, kind)),
        _ => None,
    });
    said.collect()
}

/// The balance over the lap, in each part of each corner, and by what the driver's feet do, which stands for a corner's parts where
/// no positions tell where corners are.
fn phases(lap: &LapColumns<'_>, balance: &Balance) -> Value {
    let [braking, rolling, driving] = Feet::ALL.map(|feet| balance.during(feet));
    let mut report = json!({
        "told_by": balance.told_by.id(),
        "unit": balance.told_by.unit().symbol(),
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
        Err(why) => json!({ "corners": { "untold": why.to_string() } }),
    };
    if let (Some(report), Value::Object(of_corners)) = (report.as_object_mut(), of_corners) {
        report.extend(of_corners);
    }
    report
}

/// The balance in each part of each corner, where positions tell where corners are.
pub(super) fn of_corners(lap: &LapColumns<'_>, balance: &Balance) -> Result<Vec<CornerBalance>, NoLine> {
    let line = ReferenceLine::learn(lap)?;
    let placed = Placed::on_line(lap, &line, None);
    Ok(placed.map(|placed| CornerBalance::of(balance, &placed, &find_corners(&line))).unwrap_or_default())
}

/// What every channel did between two places.
fn stretches(lap: &LapColumns<'_>, driven: &DrivenLap<'_>, metres: &Metres) -> Value {
    let between = Between::Metres(metres.0.clone());
    let mut slots: Vec<_> = driven.columns.slots().collect();
    slots.sort_unstable();
    let each = slots.iter().filter_map(|slot| Some((slot.id(), json!(stretch(lap, *slot, &between).ok()?))));
    Value::Object(each.collect::<Map<String, Value>>())
}
