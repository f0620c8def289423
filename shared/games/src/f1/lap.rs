//! A car's lap: its channels and its progress.

use trailbrake_model::time::LapTime;
use trailbrake_model::{Car, Channel, LapProgress, Moment, PastLaps, SectorTimes};

use super::facts;
use super::layout::CarLap;
use crate::table::{Becomes, Kmh, Record, Same, Values, Version};

/// No lap is longer than a day, in seconds.
const LONGEST_LAP_S: f32 = 86_400.0;
/// The first format that counts grid positions from 1.
const GRID_FROM_1: u16 = 2020;
/// Seconds in a minute.
const MINUTE_S: f32 = 60.0;

/// A car's lap with what is sent in several fields.
pub(super) struct WholeLap<'a>(pub(super) &'a CarLap);

impl Record for WholeLap<'_> {
    #[inline(always)]
    fn channels<const ALL: bool>(&self, values: &mut Values) {
        let Self(lap) = self;
        lap.channels::<ALL>(values);
        let gap = |rest: Option<f32>, minutes: Option<u8>| {
            rest.map(|rest| rest + MINUTE_S * f32::from(minutes.unwrap_or_default()))
        };
        let (ahead, leader) = (lap.delta_to_car_in_front_minutes, lap.delta_to_leader_minutes);
        gap(lap.delta_to_car_in_front, ahead).put::<Same, ALL>(Channel::GapAhead, values);
        gap(lap.delta_to_leader, leader).put::<Same, ALL>(Channel::GapToLeader, values);
        let trap_lap = lap.speed_trap_fastest_lap.filter(|lap| *lap != u8::MAX);
        let trap = lap.speed_trap_fastest.filter(|_| trap_lap.is_some());
        trap.put::<Kmh, ALL>(Channel::SpeedTrap, values);
        trap_lap.put::<Same, ALL>(Channel::SpeedTrapLap, values);
    }
}

/// The best lap that a packet names.
#[inline(always)]
pub(super) fn best_lap(lap: &CarLap) -> f32 {
    lap.best_lap_time.or(lap.best_lap_time_of_2020).unwrap_or_default()
}

/// The time of the best lap of those that a game lists.
pub(super) fn best_of(past: &PastLaps) -> Option<LapTime> {
    let place = usize::from(past.best_lap?).checked_sub(1)?;
    past.laps.get(place)?.time
}

/// A car's progress. A packet without a grid has all grid positions 0.
#[inline(always)]
pub(super) fn progress(car: Car, moment: Moment, lap: &CarLap, grid: bool, version: Version) -> LapProgress {
    let number = |value: f32| Some(value).filter(|number| number.is_finite());
    LapProgress {
        car,
        moment,
        lap: u16::from(lap.current_lap_num),
        clock: number(lap.current_lap_time).filter(|clock| clock.abs() < LONGEST_LAP_S),
        distance: number(lap.lap_distance),
        total_distance: number(lap.total_distance),
        last_lap: LapTime::from_seconds(lap.last_lap_time),
        best_lap: LapTime::from_seconds(best_lap(lap)),
        sector: lap.sector,
        sectors: SectorTimes::from([
            LapTime::from_seconds(lap.sector1_time),
            LapTime::from_seconds(lap.sector2_time),
            None,
        ]),
        inferred: false,
        invalid: lap.current_lap_invalid != 0,
        pit: facts::pit(lap.pit_status),
        driver: facts::driver(lap.driver_status),
        result: facts::result(lap.result_status, version),
        position: lap.car_position,
        grid: match lap.grid_position {
            position if grid && version.number() < GRID_FROM_1 => position.saturating_add(1),
            position => position,
        },
        penalties: lap.penalties,
        ..LapProgress::default()
    }
}
