//! Converts the slow packets: session, participants and setups, with names for their numbers.

use trailbrake_model::units::MPS_PER_KMH;
use trailbrake_model::{
    Car, CarSetup, DriverStatus, Flag, Forecast, MarshalZone, NamedId, Participant, PitStatus, PitWindow,
    ResultStatus, SafetyCar, SessionInfo, SessionKind, Track, TrackZone, Weather, ZoneUse,
};

use super::layout;
use super::names::{self, name, nationality, of_year};
use crate::table::Version;

pub(super) fn session(packet: &layout::Session<'_>, version: Version, ghosts: &[Car]) -> SessionInfo {
    let zones = usize::from(packet.num_marshal_zones);
    let kind = kind(packet, version);
    SessionInfo {
        uid: Some(packet.header.session_uid).filter(|&uid| uid != 0),
        kind,
        track: (packet.track_id != -1).then(|| Track {
            id: packet.track_id.to_string(),
            name: u16::try_from(packet.track_id)
                .ok()
                .and_then(|id| of_year(names::TRACKS, id, season(&packet.header, version)))
                .map(str::to_owned),
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
        classic: Some(is_classic(packet.formula, version)),
        paused: Some(packet.game_paused != 0),
        spectating: Some(packet.is_spectating != 0),
        watching: watching(packet, version),
        online: Some(packet.network_game != 0),
        sli_pro: Some(packet.sli_pro_native_support != 0),
        safety_car: Some(match packet.safety_car_status {
            0 => SafetyCar::None,
            1 => SafetyCar::Full,
            2 => SafetyCar::Virtual,
            3 if version.number() >= 2021 => SafetyCar::FormationLap,
            other => SafetyCar::Other(other),
        }),
        marshal_zones: packet
            .marshal_zones
            .iter()
            .take(zones)
            .filter(|zone| zone.zone_start.is_finite())
            .map(|zone| MarshalZone { start: zone.zone_start, flag: Flag::from_number(zone.zone_flag) })
            .collect(),
        forecast: forecast(packet),
        sectors_from_m: packet.sector2_start.zip(packet.sector3_start).and_then(|(second, third)| {
            let is_sent = second.is_finite() && third.is_finite() && second > 0.0;
            is_sent.then_some([second, third])
        }),
        pit_window: pit_window(packet),
        zones: track_zones(packet),
        ghosts: ghosts.to_vec(),
        ..SessionInfo::default()
    }
}

/// The weather that is expected in the running session: the packet has that of the whole weekend.
fn forecast(packet: &layout::Session<'_>) -> Vec<Forecast> {
    let count = usize::from(packet.num_weather_forecast_samples.unwrap_or_default());
    let expected = packet.weather_forecast_samples.all().take(count).map(|entry| entry.read());
    let expected = expected.filter(|expected| expected.session_type == packet.session_type);
    let forecast = expected.map(|expected| Forecast {
        minutes: expected.time_offset,
        weather: weather(expected.weather),
        track_celsius: expected.track_temperature,
        air_celsius: expected.air_temperature,
        rain_percent: expected.rain_percentage,
    });
    forecast.collect()
}

/// When the game advises to stop; `None` if it does not advise.
fn pit_window(packet: &layout::Session<'_>) -> Option<PitWindow> {
    let window = PitWindow {
        ideal_lap: packet.pit_stop_window_ideal_lap?,
        latest_lap: packet.pit_stop_window_latest_lap?,
        rejoin_position: packet.pit_stop_rejoin_position?,
    };
    (window.ideal_lap > 0).then_some(window)
}

/// Where DRS may be opened and wings may be set.
fn track_zones(packet: &layout::Session<'_>) -> Vec<TrackZone> {
    let zones = |usage, count: Option<u8>, spans: Option<&[layout::Span]>| {
        let spans = spans.unwrap_or_default().iter().take(usize::from(count.unwrap_or_default()));
        let spans = spans.filter(|span| span.start.is_finite() && span.end.is_finite());
        spans.map(move |span| TrackZone { usage, start: span.start, end: span.end }).collect::<Vec<_>>()
    };
    let full = zones(
        ZoneUse::ActiveAero,
        packet.num_active_aero_full,
        packet.active_aero_full.as_ref().map(|spans| &spans[..]),
    );
    let partial = zones(
        ZoneUse::ActiveAeroInRain,
        packet.num_active_aero_partial,
        packet.active_aero_partial.as_ref().map(|spans| &spans[..]),
    );
    let drs = zones(ZoneUse::Drs, packet.num_drs_zones, packet.drs_zones.as_ref().map(|spans| &spans[..]));
    [full, partial, drs].concat()
}

/// Whether classic cars are driven. Format 2018 knows only these and modern ones.
fn is_classic(formula: u8, version: Version) -> bool {
    if version.number() == 2018 { formula != 0 } else { formula == 1 }
}

/// The sessions of the weekend; `None` in a session's first packet, which does not know them.
pub(super) fn weekend(packet: &layout::Session<'_>, version: Version) -> Option<String> {
    let count = usize::from(packet.num_sessions_in_weekend?);
    let kinds = packet.weekend_structure?;
    let words: Vec<String> = kinds
        .iter()
        .take(count)
        .map(|kind| kind_of(*kind, version).words())
        .filter(|word| !word.is_empty())
        .collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// The spectated car. `None` for 255 (nobody) and for a car beyond the arrays, which has no data.
pub(super) fn watching(packet: &layout::Session<'_>, version: Version) -> Option<Car> {
    let watched =
        packet.is_spectating != 0 && usize::from(packet.spectator_car_index) < layout::cars(version);
    watched.then_some(Car(packet.spectator_car_index))
}

pub(super) fn participants(
    packet: &layout::Participants<'_>,
    used: u8,
    version: Version,
) -> Vec<Participant> {
    let year = season(&packet.header, version);
    (0..used)
        .zip(packet.car.used())
        .filter_map(|(index, driver)| Some((index, driver?.read())))
        .map(|(index, driver)| Participant {
            car: Car(index),
            name: driver.name.read(),
            ai: Some(driver.ai_controlled != 0),
            driver: NamedId::numbered(driver.driver_id, of_year(names::DRIVERS, driver.driver_id, year)),
            team: NamedId::numbered(driver.team_id, of_year(names::TEAMS, driver.team_id, year)),
            race_number: Some(driver.race_number.into()),
            nationality: NamedId::numbered(
                driver.nationality,
                nationality(driver.nationality, version.number()),
            ),
            platform: driver.platform.map(platform).unwrap_or_default(),
            own_team: driver.my_team.map(|own| own != 0),
            shows_telemetry: driver.your_telemetry.map(|shows| shows != 0),
            shows_name: driver.show_online_names.map(|shows| shows != 0),
            colours: colours(&driver),
            ..Participant::default()
        })
        .collect()
}

/// The colours of a car.
fn colours(driver: &layout::Participant) -> Vec<[u8; 3]> {
    let colours = driver.livery_colours.as_ref().map(|colours| colours.as_chunks().0).unwrap_or_default();
    colours.iter().take(usize::from(driver.num_colours.unwrap_or_default())).copied().collect()
}

/// What somebody plays on.
pub(super) fn platform(number: u8) -> NamedId {
    NamedId::numbered(number, name(names::PLATFORMS, number))
}

/// The season whose numbers a packet has: newer games send their own ones in older formats.
pub(super) fn season(header: &layout::Header, version: Version) -> u16 {
    let game = header.game_year.filter(|year| *year > 0).map(|year| 2000 + u16::from(year));
    game.unwrap_or(0).max(version.number())
}

/// A setup, or the number of its values that are not finite: such a setup is not used at all.
pub(super) fn setup(setup: &layout::CarSetup) -> Result<CarSetup, usize> {
    let floats = [setup.front_camber, setup.rear_camber, setup.front_toe, setup.rear_toe, setup.fuel_load];
    let optional = [setup.front_tyre_pressure, setup.rear_tyre_pressure];
    let corners = setup.tyre_pressures.iter().flat_map(|pressures| pressures.0);
    let floats = floats.into_iter().chain(optional.into_iter().flatten()).chain(corners);
    let not_numbers = floats.filter(|float| !float.is_finite()).count();
    if not_numbers > 0 {
        return Err(not_numbers);
    }
    let corner = |place: usize| setup.tyre_pressures.and_then(|pressures| pressures.0.get(place).copied());
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
        front_left_tyre_psi: corner(2),
        front_right_tyre_psi: corner(3),
        rear_left_tyre_psi: corner(0),
        rear_right_tyre_psi: corner(1),
        engine_braking_percent: setup.engine_braking,
        next_front_wing: None,
        ballast: setup.ballast,
        fuel_load_kg: setup.fuel_load,
    })
}

/// The kind of session. A newer game sends its own numbers in an older format, and says by its rules what it means.
fn kind(packet: &layout::Session<'_>, version: Version) -> SessionKind {
    const QUALIFYING: u8 = 0;
    const RACE: u8 = 1;
    const TIME_TRIAL: u8 = 2;
    let is_of_newer_game = season(&packet.header, version) > version.number();
    let own = kind_of(packet.session_type, version);
    let newest = kind_of(packet.session_type, layout::YEARS.at(layout::YEARS.len() - 1));
    let may_be_newer = version.number() >= 2021 && (is_of_newer_game || matches!(own, SessionKind::Other(_)));
    let kind = if may_be_newer { newest } else { own };
    match (packet.rule_set, kind) {
        (Some(TIME_TRIAL), _) => SessionKind::TimeTrial,
        (Some(QUALIFYING), SessionKind::Race(_) | SessionKind::TimeTrial) => newest,
        (Some(RACE), SessionKind::Race(_)) => kind,
        (Some(RACE), _) => SessionKind::Race(1),
        _ => kind,
    }
}

/// The kind of session for a number of a format.
pub(super) fn kind_of(number: u8, version: Version) -> SessionKind {
    match (version.number(), number) {
        (2021..=2023, 10..=12) => return SessionKind::Race(number - 9),
        (2021..=2023, 13) => return SessionKind::TimeTrial,
        (2021..=2023, 14..) => return SessionKind::Other(number),
        (2024.., 10..=12) => return SessionKind::SprintQualifying(number - 9),
        (2024.., 13) => return SessionKind::ShortSprintQualifying,
        (2024.., 14) => return SessionKind::OneShotSprintQualifying,
        (2024.., 15..=17) => return SessionKind::Race(number - 14),
        (2024.., 18) => return SessionKind::TimeTrial,
        _ => {}
    }
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

pub(super) fn result(number: u8, version: Version) -> ResultStatus {
    // A number for cars that did not finish came in between.
    const DID_NOT_FINISH: u8 = 4;
    let number = match number {
        DID_NOT_FINISH if version.number() >= 2021 => 6,
        5..=7 if version.number() >= 2021 => number - 1,
        number => number,
    };
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
