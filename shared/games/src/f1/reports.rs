//! Converts what the games report besides what they measure: results, laps of all drivers, tyres, the lobby, rivals.

use trailbrake_model::time::LapTime;
use trailbrake_model::{
    Car, CarResult, LobbyPlayer, NamedId, PastLap, PastLaps, Rival, RivalLap, TyreSet, TyreStint,
};

use super::facts;
use super::layout;
use super::names::{self, name, nationality, of_year};
use crate::table::Version;

/// Stands for the stint under way.
const LASTS: u8 = 255;
/// Milliseconds in a minute.
const MINUTE_MS: u32 = 60_000;
/// No race is longer than a day, in seconds.
const LONGEST_RACE_S: f64 = 86_400.0;

/// The results, in the order of the cars.
pub(super) fn results(packet: &layout::FinalClassification<'_>, version: Version) -> Vec<CarResult> {
    let cars = (0..).map(Car).zip(packet.car.used()).take(usize::from(packet.num_cars));
    let cars = cars.filter_map(|(car, sent)| Some((car, sent?.read())));
    let results = cars.map(|(car, sent)| CarResult {
        car,
        position: sent.position,
        grid: sent.grid_position,
        laps: u16::from(sent.num_laps),
        points: sent.points,
        pit_stops: sent.num_pit_stops,
        result: facts::result(sent.result_status, version),
        reason: sent.result_reason.and_then(|reason| name(names::END_REASONS, reason)).map(str::to_owned),
        best_lap: LapTime::from_seconds(sent.best_lap_time),
        race_ms: Some(sent.total_race_time)
            .filter(|seconds| *seconds > 0.0 && *seconds < LONGEST_RACE_S)
            .map(|seconds| (seconds * 1e3).round() as u64),
        penalty_s: sent.penalties_time,
        penalties: sent.num_penalties,
        stints: stints_of(&sent),
    });
    results.collect()
}

fn stints_of(sent: &layout::CarResult) -> Vec<TyreStint> {
    let ends = sent.tyre_stints_end_laps.unwrap_or([LASTS; 8]);
    let stints = sent.tyre_stints_visual.iter().zip(sent.tyre_stints_actual).zip(ends);
    let stints = stints.take(usize::from(sent.num_tyre_stints));
    stints.map(|((visual, actual), end)| stint(end, *visual, actual)).collect()
}

fn stint(end_lap: u8, visual: u8, actual: u8) -> TyreStint {
    TyreStint {
        last_lap: (end_lap != LASTS).then_some(u16::from(end_lap)),
        compound: visual,
        compound_of_season: actual,
    }
}

/// The laps of a car.
pub(super) fn past_laps(packet: &layout::SessionHistory<'_>) -> PastLaps {
    let number = |number: u8| (number > 0).then_some(u16::from(number));
    let laps = packet.laps.all().take(usize::from(packet.num_laps)).map(|lap| past_lap(&lap.read()));
    let stints = packet.stints.iter().take(usize::from(packet.num_tyre_stints));
    PastLaps {
        laps: laps.collect(),
        best_lap: number(packet.best_lap),
        best_sectors: [packet.best_s1, packet.best_s2, packet.best_s3].map(number),
        stints: stints.map(|sent| stint(sent.end_lap, sent.visual, sent.actual)).collect(),
    }
}

fn past_lap(sent: &layout::PastLap) -> PastLap {
    let time = millis(sent.lap_time);
    let parts = [
        (sent.sector1, sent.sector1_minutes),
        (sent.sector2, sent.sector2_minutes),
        (sent.sector3, sent.sector3_minutes),
    ];
    let sectors = parts
        .map(|(part, minutes)| millis(u32::from(part) + MINUTE_MS * u32::from(minutes.unwrap_or_default())));
    let has = |bit: u8| sent.valid_bits & bit != 0;
    PastLap {
        time,
        sectors: whole_sectors(time, sectors),
        valid: has(1),
        valid_sectors: [has(2), has(4), has(8)],
    }
}

/// The sectors of a lap, of which one may be short of the 65.536 s that two bytes have no room for.
fn whole_sectors(lap: Option<LapTime>, sectors: [Option<LapTime>; 3]) -> [Option<LapTime>; 3] {
    const ROOM_MS: u32 = 65_536;
    let total: u32 = sectors.iter().flatten().map(|time| time.0).sum();
    let is_short = lap.is_some_and(|lap| lap.0 == total + ROOM_MS) && sectors.iter().all(Option::is_some);
    let shortest = sectors.iter().flatten().min().copied();
    sectors.map(|time| match time {
        Some(time) if is_short && Some(time) == shortest => Some(LapTime(time.0 + ROOM_MS)),
        time => time,
    })
}

fn millis(millis: u32) -> Option<LapTime> {
    (millis > 0).then_some(LapTime(millis))
}

/// The sets of tyres that the game lists; none of a car that keeps them secret.
pub(super) fn tyre_sets(packet: &layout::TyreSets<'_>, version: Version) -> Vec<TyreSet> {
    // A newer game numbers sessions its own way.
    let season = layout::YEARS.find(facts::season(&packet.header, version)).unwrap_or(version);
    let sets = packet.sets.used().flatten().map(|set| set.read());
    let sets = sets.map(|sent| TyreSet {
        compound: sent.visual,
        compound_of_season: sent.actual,
        wear: f32::from(sent.wear) / 100.0,
        available: sent.available != 0,
        fitted: sent.fitted != 0,
        recommended_for: facts::kind_of(sent.recommended_session, season),
        laps_left: sent.life_span,
        usable_laps: sent.usable_life,
        slower_ms: sent.lap_delta,
    });
    sets.collect()
}

/// Who waits in the lobby.
pub(super) fn lobby(packet: &layout::LobbyInfo<'_>, version: Version) -> Vec<LobbyPlayer> {
    let year = facts::season(&packet.header, version);
    let players = packet.car.all().take(usize::from(packet.num_players)).map(|player| player.read());
    let players = players.map(|sent| LobbyPlayer {
        name: sent.name.read(),
        ai: sent.ai_controlled != 0,
        team: NamedId::numbered(sent.team_id, of_year(names::TEAMS, sent.team_id, year)),
        nationality: NamedId::numbered(sent.nationality, nationality(sent.nationality, version.number())),
        platform: sent.platform.map(facts::platform).unwrap_or_default(),
        race_number: sent.car_number,
        shows_telemetry: sent.your_telemetry.map(|shows| shows != 0),
        shows_name: sent.show_online_names.map(|shows| shows != 0),
        tech_level: sent.tech_level,
        ready: match sent.ready_status {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        },
    });
    players.collect()
}

/// The laps that a time trial is driven against.
pub(super) fn rivals(packet: &layout::TimeTrial, version: Version) -> Vec<RivalLap> {
    let year = facts::season(&packet.header, version);
    let laps = [
        (Rival::SessionBest, &packet.session_best),
        (Rival::PersonalBest, &packet.personal_best),
        (Rival::Other, &packet.rival),
    ];
    let laps = laps.into_iter().filter(|(_, sent)| **sent != layout::TimeTrialLap::default());
    let laps = laps.map(|(whose, sent)| RivalLap {
        whose,
        car: Car(sent.car_index),
        team: NamedId::numbered(sent.team_id, of_year(names::TEAMS, sent.team_id, year)),
        time: millis(sent.lap_time),
        sectors: [sent.sector1, sent.sector2, sent.sector3].map(millis),
        valid: sent.valid != 0,
        aids: [
            sent.traction_control,
            sent.gearbox_assist,
            sent.anti_lock_brakes,
            sent.equal_performance,
            sent.custom_setup,
        ]
        .map(|aid| aid != 0),
    });
    laps.collect()
}

/// The positions of the cars in each lap.
pub(super) fn positions(packet: &layout::LapPositions<'_>, version: Version) -> Vec<Vec<u8>> {
    let places: Vec<u8> = packet.position.all().map(|place| place.read().position).collect();
    let laps = places.chunks(layout::cars(version).max(1)).take(usize::from(packet.num_laps));
    laps.map(<[u8]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sector_of_more_than_a_minute_is_whole_again() {
        let times = |times: [u32; 3]| times.map(millis);
        let check = |lap, sent, expected| {
            assert_eq!(whole_sectors(millis(lap), times(sent)), times(expected));
        };
        check(140_000, [30_000, 4_464, 40_000], [30_000, 70_000, 40_000]);
        check(100_000, [30_000, 30_000, 40_000], [30_000, 30_000, 40_000]);
        check(0, [30_000, 4_464, 0], [30_000, 4_464, 0]);
    }
}
