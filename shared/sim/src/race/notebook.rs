//! Ground truth about a lap's corners: where the driver braked, hit the apex and accelerated.

use serde::{Deserialize, Serialize};

use super::super::car::Car;
use super::super::circuit::{Circuit, Corner};
use super::super::driver::PEDAL_ON;
use super::timing::Stride;

/// Shorter throttle applications are ignored, in seconds.
const TOUCH_S: f64 = 0.15;

/// One corner of one lap. Distances are from the line, along the centre line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CornerNote {
    /// The corner's number.
    pub corner: u8,
    /// The braking for it: the hardest, if there was more than one.
    pub braking: Option<BrakingNote>,
    /// Other brake applications for the corner.
    pub other_brakings: u8,
    /// The throttle point after the braking, in metres. Brief touches of the pedal are ignored.
    pub throttle_on_m: Option<f64>,
    /// Where the car was closest to the inner edge, in metres.
    pub apex_m: f64,
    /// Distance from the car's middle to that edge at the apex, in metres.
    pub apex_to_edge_m: f64,
    /// Minimum speed between the corner's entry and exit, in m/s.
    pub min_speed_ms: f64,
    /// Where the minimum speed was, in metres.
    pub min_speed_m: f64,
    /// Exit speed, in m/s.
    pub exit_speed_ms: f64,
}

/// One brake application, from 10 % pedal travel on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BrakingNote {
    /// The brake point, where the pedal passes 10 %, in metres.
    pub on_m: f64,
    /// Speed at the brake point, in m/s.
    pub on_speed_ms: f64,
    /// Peak brake, 0–1.
    pub peak: f64,
    /// Where the peak was, in metres.
    pub peak_m: f64,
    /// The release, where the pedal falls below 10 %, in metres.
    pub release_m: f64,
    /// Where the throttle fell below 10 % before the brake point; otherwise the brake point, in metres.
    pub lift_m: f64,
}

/// An excursion: all wheels off the track, or the car facing backwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ExcursionNote {
    /// Where it began, in metres along the centre line.
    pub from_m: f64,
    /// Where it ended, in metres along the centre line.
    pub to_m: f64,
    /// How much shorter than the centre line the path was, in metres; negative if longer.
    pub left_out_m: f64,
    /// The largest distance from the racing line, in metres.
    pub furthest_m: f64,
    /// Whether the car faced backwards.
    pub spun: bool,
}

/// The notes on the current lap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notebook {
    notes: Vec<CornerNote>,
    excursions: Vec<ExcursionNote>,
    excursion: Option<ExcursionNote>,
    braking: Option<BrakingNote>,
    /// Index of the corner whose throttle point is still missing.
    awaits_throttle: Option<usize>,
    /// Where the throttle was applied, and for how many seconds so far.
    pressed: Option<(f64, f64)>,
    pedals: [f64; 2],
    lift_m: f64,
}

impl Notebook {
    /// Returns the notes of the completed lap and starts new ones.
    pub(crate) fn turn_page(&mut self, circuit: &Circuit) -> (Vec<CornerNote>, Vec<ExcursionNote>) {
        let blank = |corner: &Corner| CornerNote {
            corner: corner.number,
            min_speed_ms: f64::MAX,
            apex_to_edge_m: f64::MAX,
            ..CornerNote::default()
        };
        let notes = std::mem::replace(&mut self.notes, circuit.corners.iter().map(blank).collect());
        (notes, std::mem::take(&mut self.excursions))
    }

    /// Records one step.
    pub(crate) fn note(&mut self, circuit: &Circuit, car: &Car, stride: &Stride, in_pit_lane: bool) {
        self.watch_way(circuit, car, stride, in_pit_lane);
        let lap_m = car.lap_m(circuit);
        let [throttle, brake] = [car.throttle, car.brake];
        let [throttle_before, brake_before] = std::mem::replace(&mut self.pedals, [throttle, brake]);
        let passed = |before: f64, after: f64| {
            let part = (PEDAL_ON - before) / (after - before);
            (stride.from_m + part * (stride.to_m - stride.from_m)).rem_euclid(circuit.length_m)
        };
        if throttle_before >= PEDAL_ON && throttle < PEDAL_ON {
            self.lift_m = passed(throttle_before, throttle);
        }
        if brake_before < PEDAL_ON && brake >= PEDAL_ON {
            let on_m = passed(brake_before, brake);
            self.braking = Some(BrakingNote {
                on_m,
                on_speed_ms: car.speed_ms,
                lift_m: if throttle < PEDAL_ON { self.lift_m } else { on_m },
                ..BrakingNote::default()
            });
            self.awaits_throttle = None;
        }
        if let Some(mut braking) = self.braking {
            if brake > braking.peak {
                braking.peak = brake;
                braking.peak_m = lap_m;
            }
            self.braking = Some(braking);
            if brake < PEDAL_ON && brake_before >= PEDAL_ON {
                self.braking = None;
                self.file(circuit, BrakingNote { release_m: passed(brake_before, brake), ..braking });
            }
        }
        if throttle < PEDAL_ON / 2.0 || self.awaits_throttle.is_none() {
            self.pressed = None;
        } else if throttle_before < PEDAL_ON && throttle >= PEDAL_ON && self.pressed.is_none() {
            self.pressed = Some((passed(throttle_before, throttle), 0.0));
        }
        if let Some((on_m, seconds)) = &mut self.pressed {
            *seconds += stride.dt;
            let on_m = *on_m;
            if *seconds >= TOUCH_S
                && let Some(note) = self.awaits_throttle.take().and_then(|index| self.notes.get_mut(index))
            {
                note.throttle_on_m = Some(on_m);
            }
        }
        self.watch_corner(circuit, car, lap_m);
    }

    /// Assigns a completed brake application to its corner: the first one whose apex lay ahead of the brake point.
    fn file(&mut self, circuit: &Circuit, braking: BrakingNote) {
        let corner = circuit.corners.iter().position(|corner| corner.apex_m > braking.on_m);
        let Some((index, note)) = corner.and_then(|index| Some((index, self.notes.get_mut(index)?))) else {
            return;
        };
        match note.braking {
            Some(before) if before.peak >= braking.peak => {
                note.other_brakings += 1;
                if note.throttle_on_m.is_none() {
                    self.awaits_throttle = Some(index);
                }
            }
            before => {
                note.other_brakings += u8::from(before.is_some());
                note.braking = Some(braking);
                note.throttle_on_m = None;
                self.awaits_throttle = Some(index);
            }
        }
    }

    fn watch_way(&mut self, circuit: &Circuit, car: &Car, stride: &Stride, in_pit_lane: bool) {
        let spun = car.points_back();
        if in_pit_lane || !(spun || car.off_track(circuit)) {
            self.excursions.extend(self.excursion.take());
            return;
        }
        let [from_m, to_m] = [stride.from_m, stride.to_m].map(|metres| metres.rem_euclid(circuit.length_m));
        let excursion = self.excursion.get_or_insert(ExcursionNote { from_m, ..ExcursionNote::default() });
        excursion.to_m = to_m;
        excursion.left_out_m += stride.to_m - stride.from_m - car.speed_ms * stride.dt;
        let line_m = circuit.racing_line_m(to_m);
        excursion.furthest_m = excursion.furthest_m.max((car.offset_m - line_m).abs());
        excursion.spun |= spun;
    }

    fn watch_corner(&mut self, circuit: &Circuit, car: &Car, lap_m: f64) {
        for (corner, note) in circuit.corners.iter().zip(&mut self.notes) {
            if lap_m < corner.entry_m || lap_m > corner.exit_m {
                continue;
            }
            let inward = if corner.left { car.offset_m } else { -car.offset_m };
            let to_edge_m = circuit.half_width_m - inward;
            if to_edge_m < note.apex_to_edge_m {
                note.apex_to_edge_m = to_edge_m;
                note.apex_m = lap_m;
            }
            if car.speed_ms < note.min_speed_ms {
                note.min_speed_ms = car.speed_ms;
                note.min_speed_m = lap_m;
            }
            note.exit_speed_ms = car.speed_ms;
        }
    }
}
