//! Converts the slow packets of format 2018: session, participants and setups, with names for their numbers.

use trailbrake_model::units::MPS_PER_KMH;
use trailbrake_model::{
    Car, CarSetup, DriverStatus, Flag, MarshalZone, NamedId, Participant, PitStatus, ResultStatus, SafetyCar,
    SessionInfo, SessionKind, Track, Weather,
};

use super::layout;
use super::names::{self, name};

pub(super) fn session(packet: &layout::Session) -> SessionInfo {
    let zones = usize::from(packet.num_marshal_zones);
    SessionInfo {
        uid: Some(packet.header.session_uid).filter(|&uid| uid != 0),
        kind: kind(packet.session_type),
        track: (packet.track_id != -1).then(|| Track {
            id: packet.track_id.to_string(),
            name: name(names::TRACKS, packet.track_id).map(str::to_owned),
            recognised: None,
        }),
        track_length_m: Some(f32::from(packet.track_length)),
        total_laps: Some(u16::from(packet.total_laps)),
        weather: Some(weather(packet.weather)),
        track_celsius: Some(i16::from(packet.track_temperature)),
        air_celsius: Some(i16::from(packet.air_temperature)),
        seconds_left: Some(u32::from(packet.session_time_left)),
        duration_s: Some(u32::from(packet.session_duration)),
        pit_limit_mps: Some(f32::from(packet.pit_speed_limit) * MPS_PER_KMH),
        classic: Some(packet.era != 0),
        paused: Some(packet.game_paused != 0),
        spectating: Some(packet.is_spectating != 0),
        watching: watching(packet),
        online: Some(packet.network_game != 0),
        sli_pro: Some(packet.sli_pro_native_support != 0),
        safety_car: Some(match packet.safety_car_status {
            0 => SafetyCar::None,
            1 => SafetyCar::Full,
            2 => SafetyCar::Virtual,
            other => SafetyCar::Other(other),
        }),
        marshal_zones: packet
            .marshal_zones
            .iter()
            .take(zones)
            .filter(|zone| zone.zone_start.is_finite())
            .map(|zone| MarshalZone { start: zone.zone_start, flag: Flag::from_number(zone.zone_flag) })
            .collect(),
        ..SessionInfo::default()
    }
}

/// The spectated car. `None` for 255 (nobody) and for a car beyond the arrays, which has no data.
pub(super) fn watching(packet: &layout::Session) -> Option<Car> {
    let watched = packet.is_spectating != 0 && usize::from(packet.spectator_car_index) < layout::CARS;
    watched.then_some(Car(packet.spectator_car_index))
}

pub(super) fn participants(packet: &layout::Participants<'_>, used: u8) -> Vec<Participant> {
    (0..used)
        .zip(packet.car.used())
        .filter_map(|(index, driver)| Some((index, driver?.read())))
        .map(|(index, driver)| Participant {
            car: Car(index),
            name: driver.name.read(),
            ai: Some(driver.ai_controlled != 0),
            driver: NamedId::numbered(driver.driver_id, name(names::DRIVERS, driver.driver_id)),
            team: NamedId::numbered(driver.team_id, name(names::TEAMS, driver.team_id)),
            race_number: Some(driver.race_number.into()),
            nationality: NamedId::numbered(
                driver.nationality,
                name(names::NATIONALITIES, driver.nationality),
            ),
            ..Participant::default()
        })
        .collect()
}

/// A setup, or the number of its values that are not finite: such a setup is not used at all.
pub(super) fn setup(setup: &layout::CarSetup) -> Result<CarSetup, usize> {
    let floats = [
        setup.front_camber,
        setup.rear_camber,
        setup.front_toe,
        setup.rear_toe,
        setup.front_tyre_pressure,
        setup.rear_tyre_pressure,
        setup.fuel_load,
    ];
    let not_numbers = floats.iter().filter(|float| !float.is_finite()).count();
    if not_numbers > 0 {
        return Err(not_numbers);
    }
    Ok(CarSetup {
        front_wing: setup.front_wing,
        rear_wing: setup.rear_wing,
        differential_on_throttle_percent: setup.on_throttle,
        differential_off_throttle_percent: setup.off_throttle,
        front_camber_deg: setup.front_camber,
        rear_camber_deg: setup.rear_camber,
        front_toe_deg: setup.front_toe,
        rear_toe_deg: setup.rear_toe,
        front_suspension: setup.front_suspension,
        rear_suspension: setup.rear_suspension,
        front_anti_roll_bar: setup.front_anti_roll_bar,
        rear_anti_roll_bar: setup.rear_anti_roll_bar,
        front_ride_height: setup.front_suspension_height,
        rear_ride_height: setup.rear_suspension_height,
        brake_pressure_percent: setup.brake_pressure,
        brake_bias_percent: setup.brake_bias,
        front_tyre_psi: setup.front_tyre_pressure,
        rear_tyre_psi: setup.rear_tyre_pressure,
        ballast: setup.ballast,
        fuel_load_kg: setup.fuel_load,
    })
}

fn kind(number: u8) -> SessionKind {
    match number {
        0 => SessionKind::Unknown,
        1..=3 => SessionKind::Practice(number),
        4 => SessionKind::ShortPractice,
        5..=7 => SessionKind::Qualifying(number - 4),
        8 => SessionKind::ShortQualifying,
        9 => SessionKind::OneShotQualifying,
        10 | 11 => SessionKind::Race(number - 9),
        12 => SessionKind::TimeTrial,
        other => SessionKind::Other(other),
    }
}

fn weather(number: u8) -> Weather {
    match number {
        0 => Weather::Clear,
        1 => Weather::LightCloud,
        2 => Weather::Overcast,
        3 => Weather::LightRain,
        4 => Weather::HeavyRain,
        5 => Weather::Storm,
        other => Weather::Other(other),
    }
}

pub(super) fn pit(number: u8) -> PitStatus {
    match number {
        0 => PitStatus::OnTrack,
        1 => PitStatus::Pitting,
        2 => PitStatus::InPitArea,
        other => PitStatus::Other(other),
    }
}

pub(super) fn driver(number: u8) -> DriverStatus {
    match number {
        0 => DriverStatus::Garage,
        1 => DriverStatus::FlyingLap,
        2 => DriverStatus::InLap,
        3 => DriverStatus::OutLap,
        4 => DriverStatus::OnTrack,
        other => DriverStatus::Other(other),
    }
}

pub(super) fn result(number: u8) -> ResultStatus {
    match number {
        0 => ResultStatus::Invalid,
        1 => ResultStatus::Inactive,
        2 => ResultStatus::Active,
        3 => ResultStatus::Finished,
        4 => ResultStatus::Disqualified,
        5 => ResultStatus::NotClassified,
        6 => ResultStatus::Retired,
        other => ResultStatus::Other(other),
    }
}
