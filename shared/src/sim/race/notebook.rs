//! What a driver would write down about a lap's corners: where he braked, turned and accelerated.

use serde::{Deserialize, Serialize};

use super::super::car::Car;
use super::super::circuit::{Circuit, Corner};
use super::super::driver::PEDAL_ON;
use super::timing::Stride;

/// A throttle that is pressed for less than this is only touched, seconds.
const TOUCH_S: f64 = 0.15;

/// One corner of one lap. Distances are from the line, along the centre line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CornerNote {
    /// The corner's number.
    pub corner: u8,
    /// The braking for it: the hardest, if there was more than one.
    pub braking: Option<BrakingNote>,
    /// How many other times the brake was touched for it.
    pub other_brakings: u8,
    /// Where the throttle came on again after the braking, for longer than a touch.
    pub throttle_on_m: Option<f64>,
    /// Where the car was closest to the inner edge.
    pub apex_m: f64,
    /// How far its middle was from that edge then.
    pub apex_to_edge_m: f64,
    /// The lowest speed between the corner's entry and exit, m/s.
    pub min_speed_ms: f64,
    /// Where that was.
    pub min_speed_m: f64,
    /// The speed at the corner's exit, m/s.
    pub exit_speed_ms: f64,
}

/// One use of the brake, from a tenth of the pedal's travel on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BrakingNote {
    /// Where the pedal passed a tenth of its travel on its way down.
    pub on_m: f64,
    /// Speed there, m/s.
    pub on_speed_ms: f64,
    /// The furthest the pedal went, 0–1.
    pub peak: f64,
    /// Where that was.
    pub peak_m: f64,
    /// Where the pedal passed a tenth of its travel on its way up.
    pub release_m: f64,
    /// Where the throttle had passed a tenth of its travel on its way up before that, or with it.
    pub lift_m: f64,
}

/// A stretch in which the car was beside the track with all wheels, or its nose pointed back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ExcursionNote {
    /// Where it began, metres along the centre line.
    pub from_m: f64,
    /// Where it ended.
    pub to_m: f64,
    /// How much shorter the way was than the centre line, metres; negative where it was longer.
    pub left_out_m: f64,
    /// How far it was from the racing line at most, metres.
    pub furthest_m: f64,
    /// Whether the nose pointed back meanwhile.
    pub spun: bool,
}

/// The notes on the lap that is being driven.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notebook {
    notes: Vec<CornerNote>,
    excursions: Vec<ExcursionNote>,
    excursion: Option<ExcursionNote>,
    braking: Option<BrakingNote>,
    /// The corner whose throttle point is still to come, by its place in the list.
    awaits_throttle: Option<usize>,
    /// Where the throttle was pressed, and for how many seconds it has been.
    pressed: Option<(f64, f64)>,
    pedals: [f64; 2],
    lift_m: f64,
}

impl Notebook {
    /// Hands over the finished lap's notes and begins the next one's.
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

    /// Notes what happened in one step.
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

    /// Files a finished braking under the corner it was for: the next one whose apex was ahead when it began.
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
