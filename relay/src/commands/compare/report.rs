//! The report of a comparison.

use serde::Serialize;
use trailbrake_shared::analysis::ledger::{Cause, Ledger};
use trailbrake_shared::analysis::{
    Advice, Answer, BrakeSource, Combo, Corner, CornerRow, Excursion, LapComparison, Method, MiniSector,
    MissingRange, StartLineShift, Technique, Usual, complexes,
};
use trailbrake_shared::laps::LapFlags;
use trailbrake_shared::time::LapTime;
use trailbrake_shared::units::Units;

use super::area::AreaReport;
use crate::commands::pair::ComparedPair;
use crate::files::OpenedLap;

const KMH: f64 = 3.6;

/// A comparison as it is printed.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) lap: LapLine,
    pub(super) reference: LapLine,
    /// Warnings to print first: other cars, other tracks.
    pub(super) warnings: Vec<String>,
    /// Milliseconds that the lap was slower; negative when it was faster.
    pub(super) behind_ms: Option<i64>,
    pub(super) method: Method,
    pub(super) residual_m: Option<f64>,
    pub(super) length_m: Option<f64>,
    /// Whether both laps were driven on the same track, by its shape.
    pub(super) sameness: Option<Answer>,
    /// A lap shifted to the reference's start line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start_line_shift: Option<StartLineShift>,
    pub(super) brakes_by: Option<BrakeSource>,
    pub(super) delta: Vec<[f64; 2]>,
    pub(super) mini_sectors: Vec<MiniSector>,
    pub(super) corners: Vec<CornerLine>,
    /// Corners driven as one, by the numbers of the first and the last.
    pub(super) complexes: Vec<[u16; 2]>,
    pub(super) excursions: Vec<Excursion>,
    /// Excursions of the reference.
    pub(super) reference_excursions: Vec<Excursion>,
    pub(super) advice: Vec<AdviceLine>,
    /// The largest loss by something that happened in this lap alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) incident: Option<AdviceLine>,
    /// Seconds lost by what is not the driver's doing: battery, DRS, less acceleration at full throttle,
    /// and traffic.
    pub(super) not_driving_s: f64,
    /// What was lost because of each corner and straight, and by what.
    pub(super) ledger: Ledger,
    /// The names of its rows.
    #[serde(skip)]
    pub(super) titles: Vec<String>,
    /// The section named on the command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) between: Option<AreaReport>,
}

#[derive(Serialize)]
pub(super) struct LapLine {
    pub(super) driver: String,
    pub(super) lap: u16,
    /// The run of the session, counted from 1, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) run: Option<u32>,
    pub(super) time_ms: Option<LapTime>,
    pub(super) flags: LapFlags,
    pub(super) game: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) track: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) car: Option<String>,
    /// Why this lap was chosen, where the user did not name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) chosen: Option<&'static str>,
    /// Where its clock begins, metres from the line, for a standing start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) began_m: Option<f64>,
    /// Where data is missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) missing: Vec<MissingRange>,
}

/// One corner of the lap, and how it differs from the reference.
#[derive(Serialize)]
pub(super) struct CornerLine {
    pub(super) name: String,
    pub(super) number: u16,
    left: Option<bool>,
    entry_m: f64,
    pub(super) apex_m: f64,
    exit_m: f64,
    degrees: Option<f64>,
    radius_m: Option<f64>,
    lift_m: Option<f64>,
    pub(super) brake_on_m: Option<f64>,
    /// Difference of the brake points in metres: positive is later.
    pub(super) brake_diff_m: Option<f64>,
    /// Spread of the brake points over the laps of the stint.
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
    #[serde(flatten)]
    technique: Technique,
    pub(super) loss_s: Option<f64>,
}

#[derive(Serialize)]
pub(super) struct AdviceLine {
    /// The name of the corner or the straight.
    pub(super) title: String,
    /// The corner's number. `None` for a straight.
    pub(super) corner: Option<u16>,
    pub(super) place_m: f64,
    /// Seconds lost because of it, as in the ledger.
    pub(super) loss_s: f64,
    pub(super) cause: Cause,
    /// What it costs over the stint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) usual: Option<Usual>,
    pub(super) text: String,
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
        let name = |number: u16| {
            let corner = comparison.corners.iter().find(|corner| corner.number == number);
            corner.map(Corner::title).unwrap_or_default()
        };
        let advice = |advice: &Advice| AdviceLine {
            title: advice.title(&comparison.corners, &name),
            corner: advice.row.corner,
            place_m: rounded(advice.place_m),
            loss_s: advice.loss_s,
            cause: advice.cause,
            usual: advice.usual,
            text: advice.sentence(&advice.title(&comparison.corners, &name), &Units::default()),
        };
        let rows = comparison.ledger.rows.iter();
        let titles = rows.map(|row| comparison.title_of(row, &name)).collect();
        let to_fix = &compared.stint.to_fix;
        Self {
            lap: LapLine { began_m: began_m(0), missing: placed.missing(), ..LapLine::new(lap) },
            reference: LapLine {
                chosen: *chosen,
                began_m: began_m(1),
                missing: beside.missing(),
                ..LapLine::new(reference)
            },
            warnings: compared.warnings.clone(),
            behind_ms,
            method: comparison.method,
            residual_m: comparison.residual_m,
            length_m: comparison.known_length_m(),
            sameness: comparison.sameness,
            start_line_shift: comparison.start_line_shift,
            brakes_by: own.brake_source,
            delta: comparison.delta.iter().map(|(place, delta)| [*place, *delta]).collect(),
            mini_sectors: comparison.minis.clone(),
            corners: corners.collect(),
            complexes: complexes(&comparison.corners),
            excursions: placed.excursions.clone(),
            reference_excursions: beside.excursions.clone(),
            advice: to_fix.advice.iter().map(advice).collect(),
            incident: to_fix.incident.as_ref().map(advice),
            not_driving_s: comparison.ledger.not_driving_s(),
            ledger: comparison.ledger.clone(),
            titles,
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
            missing: Vec::new(),
        }
    }
}

impl CornerLine {
    fn new(compared: &LapComparison, index: usize) -> Option<Self> {
        let LapComparison { comparison, stint, .. } = compared;
        let corner = comparison.corners.get(index)?;
        let Corner { left, entry_m, apex_m, exit_m, degrees, radius_m, .. } = *corner;
        let [lap, reference] = &comparison.tables;
        let (own, best) = (lap.rows.get(index)?, reference.rows.get(index)?);
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
            technique: own.technique,
            number: corner.number,
            loss_s: comparison.loss_of(index),
        })
    }
}

fn rounded(metres: f64) -> f64 {
    (metres * 10.0).round() / 10.0
}
