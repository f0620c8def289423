//! What is printed of a comparison: one object, or a table for people.

use std::fmt;

use serde::Serialize;
use trailbrake_shared::analysis::{
    Answer, Aside, AsideKind, BrakeSource, Cause, Combo, Corner, CornerRow, LapComparison, Method,
    MiniSector, StraightLoss, Thing, Turned, Unheard, complexes,
};
use trailbrake_shared::laps::LapFlags;
use trailbrake_shared::time::LapTime;

use super::area::AreaReport;
use super::table::Table;
use crate::commands::pair::ComparedPair;
use crate::files::OpenedLap;

const KMH: f64 = 3.6;

/// A comparison as it is printed.
#[derive(Serialize)]
pub(super) struct Report {
    lap: LapLine,
    reference: LapLine,
    /// What has to be said before anything else: other cars, other tracks.
    warnings: Vec<String>,
    /// Milliseconds that the lap was slower; negative when it was quicker.
    pub(super) behind_ms: Option<i64>,
    method: Method,
    residual_m: Option<f64>,
    length_m: Option<f64>,
    /// Whether both are of one track, by the shapes of both.
    sameness: Option<Answer>,
    /// How the lap was told from the reference's line on, where its own is elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    turned: Option<Turned>,
    pub(super) brakes_by: Option<BrakeSource>,
    delta: Vec<[f64; 2]>,
    mini_sectors: Vec<MiniSector>,
    pub(super) corners: Vec<CornerLine>,
    /// Corners that are driven as one, by the numbers of the first and the last.
    complexes: Vec<[u16; 2]>,
    pub(super) straights: Vec<StraightLoss>,
    asides: Vec<Aside>,
    /// The same of the reference.
    reference_asides: Vec<Aside>,
    things: Vec<ThingLine>,
    /// What was between two places, where somebody asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    between: Option<AreaReport>,
}

#[derive(Serialize)]
struct LapLine {
    driver: String,
    lap: u16,
    /// Of which run of its session, counted from 1, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<u32>,
    time_ms: Option<LapTime>,
    flags: LapFlags,
    game: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    track: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    car: Option<String>,
    /// Which lap it is, where nobody has named it.
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<&'static str>,
    /// Where its clock begins, metres from the line, where that is on the grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    began_m: Option<f64>,
    /// Where it was not heard.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unheard: Vec<Unheard>,
}

/// One corner of the lap, and how it differs from the reference.
#[derive(Serialize)]
pub(super) struct CornerLine {
    pub(super) name: String,
    left: Option<bool>,
    entry_m: f64,
    pub(super) apex_m: f64,
    exit_m: f64,
    degrees: Option<f64>,
    radius_m: Option<f64>,
    lift_m: Option<f64>,
    pub(super) brake_on_m: Option<f64>,
    /// Metres that the brake came on later; negative when earlier.
    pub(super) brake_diff_m: Option<f64>,
    /// Spread of the places where it came on over the laps of the stint.
    brake_spread_m: Option<f64>,
    before_apex_m: Option<f64>,
    pub(super) peak: Option<f64>,
    release_m: Option<f64>,
    pub(super) trail_m: Option<f64>,
    pub(super) min_kmh: Option<f64>,
    pub(super) min_diff_kmh: Option<f64>,
    min_m: Option<f64>,
    pub(super) gear: Option<i32>,
    pub(super) throttle_on_m: Option<f64>,
    throttle_diff_m: Option<f64>,
    full_throttle_m: Option<f64>,
    coasting_s: Option<f64>,
    pub(super) exit_kmh: Option<f64>,
    exit_diff_kmh: Option<f64>,
    seconds: Option<f64>,
    pub(super) loss_s: Option<f64>,
    loss_entry_s: Option<f64>,
    loss_middle_s: Option<f64>,
    loss_exit_s: Option<f64>,
}

#[derive(Serialize)]
struct ThingLine {
    corner: String,
    place_m: f64,
    loss_s: f64,
    /// What the corner itself cost, as the corners' list has it: the straight behind it is no part of that.
    corner_loss_s: Option<f64>,
    /// That and what was lost behind it, where both are worth a word.
    #[serde(skip)]
    split_s: Option<(f64, f64)>,
    cause: Cause,
    laps: usize,
    of: usize,
    text: String,
}

impl Report {
    pub(super) fn new(pair: &ComparedPair, between: Option<AreaReport>) -> Self {
        let ComparedPair { lap, reference, chosen, compared } = pair;
        let comparison = &compared.comparison;
        let [own, _] = &comparison.tables;
        let [placed, beside] = &comparison.placed;
        let began_m = |which: usize| comparison.began_m.get(which).copied().filter(|metres| *metres != 0.0);
        let behind_ms = lap.lap.time.zip(reference.lap.time).map(|(time, best)| time.minus(best));
        let corners = (0..comparison.corners.len()).filter_map(|index| CornerLine::new(compared, index));
        let thing = |thing: &Thing| {
            let corner = comparison.corners.iter().find(|corner| corner.number == thing.corner);
            let name = corner.map(Corner::title).unwrap_or_default();
            let loss = comparison.losses.iter().find(|loss| loss.number == thing.corner);
            ThingLine {
                corner_loss_s: loss.and_then(|loss| loss.loss_s()),
                split_s: thing.split_s(),
                place_m: rounded(thing.place_m),
                loss_s: thing.loss_s,
                cause: thing.cause,
                laps: thing.laps,
                of: thing.of,
                text: thing.sentence(&name),
                corner: name,
            }
        };
        Self {
            lap: LapLine { began_m: began_m(0), unheard: placed.unheard(), ..LapLine::new(lap) },
            reference: LapLine {
                chosen: *chosen,
                began_m: began_m(1),
                unheard: beside.unheard(),
                ..LapLine::new(reference)
            },
            warnings: compared.warnings.clone(),
            behind_ms,
            method: comparison.method,
            residual_m: comparison.residual_m,
            length_m: comparison.told_m(),
            sameness: comparison.sameness,
            turned: comparison.turned,
            brakes_by: own.brake_source,
            delta: comparison.delta.iter().map(|(place, delta)| [*place, *delta]).collect(),
            mini_sectors: comparison.minis.clone(),
            corners: corners.collect(),
            complexes: complexes(&comparison.corners),
            straights: comparison.straights.clone(),
            asides: placed.asides.clone(),
            reference_asides: beside.asides.clone(),
            things: compared.stint.things.iter().map(thing).collect(),
            between,
        }
    }
}

impl LapLine {
    fn new(opened: &OpenedLap) -> Self {
        let lap = &opened.lap;
        let Combo { game, track, car } = opened.combo.clone();
        Self {
            driver: opened.entry.driver_words(),
            lap: lap.number,
            run: opened.run,
            time_ms: lap.time,
            flags: lap.flags,
            game,
            track,
            car,
            chosen: None,
            began_m: None,
            unheard: Vec::new(),
        }
    }
}

impl CornerLine {
    fn new(compared: &LapComparison, index: usize) -> Option<Self> {
        let LapComparison { comparison, stint, .. } = compared;
        let corner = comparison.corners.get(index)?;
        let Corner { left, entry_m, apex_m, exit_m, degrees, radius_m, .. } = *corner;
        let [lap, reference] = &comparison.tables;
        let (own, best, loss) =
            (lap.rows.get(index)?, reference.rows.get(index)?, comparison.losses.get(index)?);
        let less = |of: fn(&CornerRow) -> Option<f64>| Some(of(own)? - of(best)?);
        let kmh = |of: fn(&CornerRow) -> Option<f64>| of(own).map(|speed| speed * KMH);
        Some(Self {
            name: corner.title(),
            left,
            entry_m,
            apex_m,
            exit_m,
            degrees,
            radius_m,
            lift_m: own.lift_m,
            brake_on_m: own.brake_on_m,
            brake_diff_m: less(|row| row.brake_on_m),
            brake_spread_m: stint.brake_spread_m.get(index).copied().flatten(),
            before_apex_m: own.before_apex_m,
            peak: own.peak,
            release_m: own.release_m,
            trail_m: own.trail_m,
            min_kmh: kmh(|row| row.min_ms),
            min_diff_kmh: less(|row| row.min_ms).map(|speed| speed * KMH),
            min_m: own.min_m,
            gear: own.gear,
            throttle_on_m: own.throttle_on_m,
            throttle_diff_m: less(|row| row.throttle_on_m),
            full_throttle_m: own.full_throttle_m,
            coasting_s: own.coasting_s,
            exit_kmh: kmh(|row| row.exit_ms),
            exit_diff_kmh: less(|row| row.exit_ms).map(|speed| speed * KMH),
            seconds: own.seconds,
            loss_s: loss.loss_s(),
            loss_entry_s: loss.entry_s,
            loss_middle_s: loss.middle_s,
            loss_exit_s: loss.exit_s,
        })
    }
}

fn rounded(metres: f64) -> f64 {
    (metres * 10.0).round() / 10.0
}

/// Prints for people: who against whom, a row a corner, and what to fix.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "       {}", self.lap)?;
        writeln!(f, "beside {}", self.reference)?;
        for warning in &self.warnings {
            writeln!(f, "\n{warning}\n")?;
        }
        if let Some(behind) = self.behind_ms {
            let over = self.length_m.map_or_else(String::new, |length_m| format!(" over {length_m:.0} m"));
            writeln!(f, "{} s{over}", signed(behind as f64 / 1e3, 3))?;
        }
        let within = match (self.residual_m, self.length_m) {
            (Some(residual_m), _) => format!(", within {residual_m:.2} m"),
            (None, Some(_)) => ": nothing tells how far that is off".to_owned(),
            (None, None) => ": no metres are told, and places are thousandths of the lap".to_owned(),
        };
        writeln!(f, "aligned by {}{within}", self.method)?;
        if let Some(Answer::Same { alike, .. }) = self.sameness {
            writeln!(f, "of one track by its shape, {:.0} % alike", alike * 100.0)?;
        }
        if let Some(turned) = self.turned {
            writeln!(f, "{}", turned)?;
        }
        for line in [&self.lap, &self.reference] {
            for Unheard { from_m, to_m } in &line.unheard {
                writeln!(f, "lap {} was not heard from {from_m:.0} to {to_m:.0} m", line.lap)?;
            }
            if let Some(began_m) = line.began_m {
                let side = if began_m < 0.0 { "before" } else { "behind" };
                let lap = line.lap;
                writeln!(
                    f,
                    "lap {lap} begins on the grid, {:.0} m {side} the line: the way from there has no counterpart",
                    began_m.abs()
                )?;
            }
        }
        for (whose, asides) in [("the lap", &self.asides), ("the reference", &self.reference_asides)] {
            for Aside { kind, from_m, to_m } in asides {
                let what = match kind {
                    AsideKind::Stop => "stood",
                    AsideKind::Detour => "was off the track",
                    AsideKind::Cut => "cut the track",
                    AsideKind::Spin => "spun",
                    AsideKind::Pits => "was in the pit lane",
                };
                writeln!(f, "{whose} {what} from {from_m:.0} to {to_m:.0} m")?;
            }
        }
        if !self.corners.is_empty() {
            match self.brakes_by {
                Some(BrakeSource::Pedal) => {}
                Some(BrakeSource::Slowing) => {
                    writeln!(
                        f,
                        "no brake pedal is told: where the brake came on is told by how the car slows"
                    )?;
                }
                None => writeln!(
                    f,
                    "no brake points: the game sends no brake pedal, and speeds too seldom or not at all"
                )?,
            }
            write!(f, "\n{}", Table::of(self))?;
        }
        if !self.things.is_empty() {
            writeln!(f, "\nTo fix:")?;
        }
        for (place, thing) in self.things.iter().enumerate() {
            write!(f, "{}. {}", place + 1, thing.text)?;
            if let Some((own, behind)) = thing.split_s {
                write!(f, " In the corner: {} s, behind it: {} s.", signed(own, 3), signed(behind, 3))?;
            }
            writeln!(f)?;
        }
        self.between.as_ref().map_or(Ok(()), |area| write!(f, "\n{area}"))
    }
}

impl fmt::Display for LapLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time_ms.map_or_else(|| "-".to_owned(), |time| time.to_string());
        let track = self.track.as_deref().unwrap_or_default();
        let run = self.run.map_or_else(String::new, |run| format!("run {run}  "));
        write!(f, "{}  {run}lap {}  {time}  {}  {track}", self.driver, self.lap, self.flags)?;
        self.chosen.map_or(Ok(()), |chosen| write!(f, "  ({chosen})"))
    }
}

/// A number with its sign; what rounds to nothing has none.
pub(super) fn signed(value: f64, digits: usize) -> String {
    let text = format!("{value:+.digits$}");
    if text.chars().any(|digit| ('1'..='9').contains(&digit)) { text } else { format!("{:.digits$}", 0.0) }
}
