//! What newer games report besides what they measure: results, laps of all cars, tyres, damage, more of the motion.

use trailbrake_games::f1::layout;
use trailbrake_games::table::{Entries, RearFirst, Version};

use super::numbers::{compounds, float, floats};
use crate::car::{FULL_LOCK_RAD, WheelState};
use crate::state::{CarState, LapState, Outcome};

/// Stands for the stint under way, and for "none".
const NONE: u8 = 255;
/// Laps that a set of tyres lasts.
const TYRE_LAPS: u8 = 20;
/// Points by position.
const POINTS: [u8; 10] = [25, 18, 15, 12, 10, 8, 6, 4, 2, 1];
/// Milliseconds in a minute.
const MINUTE_MS: u32 = 60_000;

/// A lap that was driven to its end.
#[derive(Clone, Copy, Debug)]
struct DrivenLap {
    time_ms: u32,
    sectors_ms: [u32; 3],
    invalid: bool,
    /// The car's position at its end.
    position: u8,
}

/// The laps of each car, as a game notes them.
#[derive(Debug, Default)]
pub(super) struct LapBook(Vec<Pages>);

#[derive(Clone, Debug, Default)]
struct Pages {
    laps: Vec<DrivenLap>,
    before: LapState,
}

impl LapBook {
    /// Notes the laps that have ended since the last frame, and forgets those that a rewind undid.
    pub(super) fn note(&mut self, cars: &[CarState]) {
        self.0.resize_with(cars.len(), Pages::default);
        for (pages, car) in self.0.iter_mut().zip(cars) {
            let now = car.lap;
            let before = std::mem::replace(&mut pages.before, now);
            // The lap number does not rise at the flag.
            let driven = now.number.saturating_sub(u32::from(now.outcome != Outcome::Finished)) as usize;
            pages.laps.truncate(driven);
            let Some(time_ms) = now.last_ms.filter(|_| pages.laps.len() < driven) else { continue };
            let [first, second] = before.sectors_ms;
            let third = time_ms.saturating_sub(first + second);
            let lap = DrivenLap {
                time_ms,
                sectors_ms: [first, second, third],
                invalid: before.invalid,
                position: now.position,
            };
            // A car that has been driving for some laps has those before, too, which nobody saw.
            pages.laps.resize(driven, DrivenLap { time_ms: 0, sectors_ms: [0; 3], ..lap });
            pages.laps.pop();
            pages.laps.push(lap);
        }
    }

    /// Forgets everything: another session has begun.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    fn of(&self, car: usize) -> &[DrivenLap] {
        self.0.get(car).map(|pages| pages.laps.as_slice()).unwrap_or_default()
    }

    /// The laps of one car.
    pub(super) fn history(
        &self,
        car: usize,
        state: &CarState,
        header: layout::Header,
    ) -> layout::SessionHistory<'static> {
        let driven = self.of(car);
        let number = |found: Option<(usize, &DrivenLap)>| found.map_or(0, |(place, _)| place as u8 + 1);
        let counted = || driven.iter().enumerate().filter(|(_, lap)| lap.time_ms > 0 && !lap.invalid);
        let best_sector = |place: usize| {
            let sector = |lap: &DrivenLap| lap.sectors_ms.get(place).copied().unwrap_or(u32::MAX);
            number(counted().min_by_key(|(_, lap)| sector(lap)))
        };
        let valid_bits = if state.lap.invalid { 0 } else { 15 };
        let under_way = layout::PastLap { valid_bits, ..layout::PastLap::default() };
        let laps: Vec<layout::PastLap> = driven.iter().map(past_lap).chain([under_way]).collect();
        let (actual, visual) = compounds(state.compound);
        let mut stints = [layout::Stint::default(); 8];
        stints[0] = layout::Stint { end_lap: NONE, actual, visual };
        layout::SessionHistory {
            header,
            car_index: car as u8,
            num_laps: laps.len() as u8,
            num_tyre_stints: 1,
            best_lap: number(counted().min_by_key(|(_, lap)| lap.time_ms)),
            best_s1: best_sector(0),
            best_s2: best_sector(1),
            best_s3: best_sector(2),
            laps: Entries::Made(laps),
            stints,
        }
    }

    /// The results, as they stand.
    pub(super) fn results(
        &self,
        cars: &[CarState],
        version: Version,
        header: layout::Header,
    ) -> layout::FinalClassification<'static> {
        let results = cars.iter().enumerate().map(|(car, state)| {
            let driven = self.of(car);
            let total_ms: u64 = driven.iter().map(|lap| u64::from(lap.time_ms)).sum();
            let (actual, visual) = compounds(state.compound);
            let place = usize::from(state.lap.position.saturating_sub(1));
            let mut result = layout::CarResult {
                position: state.lap.position,
                num_laps: driven.len() as u8,
                grid_position: state.lap.grid_position,
                points: POINTS.get(place).copied().unwrap_or(0),
                result_status: result_status(state, version),
                result_reason: Some(if state.lap.outcome == Outcome::Retired { 3 } else { 2 }),
                best_lap_time: float(f64::from(state.lap.best_ms.unwrap_or_default()) / 1e3),
                total_race_time: total_ms as f64 / 1e3,
                penalties_time: state.lap.penalty_s,
                num_penalties: u8::from(state.lap.penalty_s > 0),
                num_tyre_stints: 1,
                tyre_stints_end_laps: Some([NONE; 8]),
                ..layout::CarResult::default()
            };
            (result.tyre_stints_actual[0], result.tyre_stints_visual[0]) = (actual, visual);
            result
        });
        layout::FinalClassification {
            header,
            num_cars: cars.len() as u8,
            car: Entries::Made(results.collect()),
        }
    }

    /// The positions at the end of each lap.
    pub(super) fn positions(
        &self,
        version: Version,
        header: layout::Header,
    ) -> layout::LapPositions<'static> {
        let laps = self.0.iter().map(|pages| pages.laps.len()).max().unwrap_or_default().min(50);
        let position = |lap: usize, car| self.of(car).get(lap).map_or(0, |lap| lap.position);
        let places = (0..laps).flat_map(|lap| {
            (0..layout::cars(version)).map(move |car| layout::Place { position: position(lap, car) })
        });
        layout::LapPositions {
            header,
            num_laps: laps as u8,
            lap_start: 0,
            position: Entries::Made(places.collect()),
        }
    }
}

fn past_lap(lap: &DrivenLap) -> layout::PastLap {
    let [first, second, third] = lap.sectors_ms;
    let (rest, minutes) = (|ms: u32| (ms % MINUTE_MS) as u16, |ms: u32| Some((ms / MINUTE_MS) as u8));
    layout::PastLap {
        lap_time: lap.time_ms,
        sector1: rest(first),
        sector1_minutes: minutes(first),
        sector2: rest(second),
        sector2_minutes: minutes(second),
        sector3: rest(third),
        sector3_minutes: minutes(third),
        valid_bits: if lap.invalid { 0 } else { 15 },
    }
}

/// The sets of tyres of one car: the fitted one and four others.
pub(super) fn tyre_sets(
    car: usize,
    state: &CarState,
    race: bool,
    header: layout::Header,
) -> layout::TyreSets<'static> {
    let (actual, visual) = compounds(state.compound);
    let worn = state.wheels.iter().map(|wheel| wheel.wear).fold(0.0, f64::max) as u8;
    let fitted = layout::TyreSet {
        actual,
        visual,
        wear: worn,
        available: 1,
        recommended_session: if race { 15 } else { 1 },
        life_span: TYRE_LAPS.saturating_sub(worn / 5),
        usable_life: TYRE_LAPS,
        fitted: 1,
        ..layout::TyreSet::default()
    };
    let other = |(actual, visual, lap_delta)| {
        let mut set = fitted;
        (set.actual, set.visual, set.lap_delta, set.wear, set.fitted) = (actual, visual, lap_delta, 0, 0);
        set
    };
    let others = [(16, 16, -400), (17, 17, 0), (18, 18, 300), (7, 7, 9000)].map(other);
    let sets = [fitted].into_iter().chain(others).collect();
    layout::TyreSets { header, car_index: car as u8, sets: Entries::Made(sets), fitted_index: 0 }
}

/// A car's state in the classification: a number for cars that did not finish came in between.
pub(super) fn result_status(car: &CarState, version: Version) -> u8 {
    match car.lap.outcome {
        Outcome::Active => 2,
        Outcome::Finished => 3,
        Outcome::Retired if version.number() >= 2021 => 7,
        Outcome::Retired => 6,
    }
}

/// Every car's damage.
pub(super) fn damage(cars: &[CarState], header: layout::Header) -> layout::Damage<'static> {
    let damage = cars.iter().map(|car| {
        let worn = car.wheels.each_ref().map(|wheel| wheel.wear.clamp(0.0, 100.0));
        let wing = car.wing_damage.clamp(0.0, 100.0) as u8;
        layout::CarDamage {
            tyres_wear: RearFirst(worn.map(float)),
            tyres_damage: RearFirst(worn.map(|wear| (wear as u8).saturating_sub(70))),
            front_left_wing: wing,
            front_right_wing: wing,
            ..layout::CarDamage::default()
        }
    });
    layout::Damage { header, car: Entries::Made(damage.collect()) }
}

/// More about the motion of the player's car.
pub(super) fn more_motion(car: &CarState, header: layout::Header) -> layout::MotionEx {
    let wheels =
        |value: fn(&WheelState) -> f64| RearFirst(car.wheels.each_ref().map(|wheel| float(value(wheel))));
    layout::MotionEx {
        header,
        suspension_position: wheels(|wheel| wheel.suspension_mm),
        suspension_velocity: wheels(|wheel| wheel.suspension_mm_s),
        suspension_acceleration: wheels(|wheel| wheel.suspension_mm_s2),
        wheel_speed: wheels(|wheel| wheel.speed_ms),
        wheel_slip_ratio: wheels(|wheel| wheel.slip),
        height_of_cog: 0.3,
        local_velocity: floats(car.motion.local_velocity),
        angular_velocity: floats([0.0, car.motion.yaw_rate, 0.0]),
        angular_acceleration: floats([0.0, car.motion.yaw_ms2, 0.0]),
        front_wheels_angle: float(car.wheel_angle.clamp(-FULL_LOCK_RAD, FULL_LOCK_RAD)),
        front_aero_height: Some(0.03 - 1e-4 * float(car.motion.speed_ms)),
        rear_aero_height: Some(0.05 - 2e-4 * float(car.motion.speed_ms)),
        ..layout::MotionEx::default()
    }
}
