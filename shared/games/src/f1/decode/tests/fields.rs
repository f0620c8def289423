//! Checks that every field reaches its channel with the value that was sent.

use std::collections::BTreeMap;

use proptest::prelude::*;
use trailbrake_model::{DriverStatus, Flag, PitStatus, ResultStatus, SafetyCar, Track, Weather};

use super::*;
use crate::f1::layout::{CarSetup, MarshalZone, Participant, YEAR_2018};
use crate::f1::{describe, names};
use crate::{Text, Value};

/// The expected conversion of a field of the fast packets: field, channel, factor. Written from the protocol's tables.
struct FieldMapping {
    kind: Kind,
    field: &'static str,
    channel: &'static str,
    scale: f32,
}

macro_rules! becomes {
    ($($kind:ident $field:literal $channel:literal $scale:expr;)*) => {
        &[$(FieldMapping { kind: Kind::$kind, field: $field, channel: $channel, scale: $scale },)*]
    };
}

const PSI: f32 = 6_894.757;
const UNIT_VECTOR: f32 = 1.0 / 32_767.0;

/// Fields of every car. `_*` in a channel means all four wheels, `_xyz` all three axes.
const CAR_FIELDS: &[FieldMapping] = becomes! {
    Motion "world_position" "position_xyz" 1.0;
    Motion "world_velocity" "velocity_xyz" 1.0;
    Motion "world_forward_dir" "forward_xyz" UNIT_VECTOR;
    Motion "world_right_dir" "right_xyz" UNIT_VECTOR;
    Motion "g_force_lateral" "g_lateral" 1.0;
    Motion "g_force_longitudinal" "g_longitudinal" 1.0;
    Motion "g_force_vertical" "g_vertical" 1.0;
    Motion "yaw" "yaw" 1.0;
    Motion "pitch" "pitch" 1.0;
    Motion "roll" "roll" 1.0;
    LapData "current_lap_time" "lap_clock" 1.0;
    LapData "lap_distance" "lap_distance" 1.0;
    LapData "total_distance" "total_distance" 1.0;
    LapData "safety_car_delta" "safety_car_delta" 1.0;
    LapData "car_position" "race_position" 1.0;
    CarTelemetry "speed" "speed" 1.0 / 3.6;
    CarTelemetry "throttle" "throttle" 0.01;
    CarTelemetry "steer" "steering" 0.01;
    CarTelemetry "brake" "brake" 0.01;
    CarTelemetry "clutch" "clutch" 0.01;
    CarTelemetry "gear" "gear" 1.0;
    CarTelemetry "engine_rpm" "rpm" 1.0;
    CarTelemetry "drs" "drs" 1.0;
    CarTelemetry "rev_lights_percent" "rev_lights" 0.01;
    CarTelemetry "brakes_temperature" "brake_temperature_*" 1.0;
    CarTelemetry "tyres_surface_temperature" "tyre_surface_temperature_*" 1.0;
    CarTelemetry "tyres_inner_temperature" "tyre_inner_temperature_*" 1.0;
    CarTelemetry "engine_temperature" "engine_temperature" 1.0;
    CarTelemetry "tyres_pressure" "tyre_pressure_*" PSI;
    CarStatus "traction_control" "traction_control" 1.0;
    CarStatus "anti_lock_brakes" "abs" 1.0;
    CarStatus "fuel_mix" "fuel_mix" 1.0;
    CarStatus "front_brake_bias" "brake_bias" 0.01;
    CarStatus "pit_limiter_status" "pit_limiter" 1.0;
    CarStatus "fuel_in_tank" "fuel" 1.0;
    CarStatus "fuel_capacity" "fuel_capacity" 1.0;
    CarStatus "max_rpm" "max_rpm" 1.0;
    CarStatus "idle_rpm" "idle_rpm" 1.0;
    CarStatus "max_gears" "max_gears" 1.0;
    CarStatus "tyres_wear" "tyre_wear_*" 0.01;
    CarStatus "tyre_compound" "tyre_compound" 1.0;
    CarStatus "tyres_damage" "tyre_damage_*" 0.01;
    CarStatus "front_left_wing_damage" "damage_front_left_wing" 0.01;
    CarStatus "front_right_wing_damage" "damage_front_right_wing" 0.01;
    CarStatus "rear_wing_damage" "damage_rear_wing" 0.01;
    CarStatus "engine_damage" "damage_engine" 0.01;
    CarStatus "gear_box_damage" "damage_gearbox" 0.01;
    CarStatus "exhaust_damage" "damage_exhaust" 0.01;
    CarStatus "vehicle_fia_flags" "flag" 1.0;
    CarStatus "ers_store_energy" "ers_store" 1.0;
    CarStatus "ers_deploy_mode" "ers_mode" 1.0;
    CarStatus "ers_harvested_this_lap_mguk" "ers_harvested_mguk" 1.0;
    CarStatus "ers_harvested_this_lap_mguh" "ers_harvested_mguh" 1.0;
    CarStatus "ers_deployed_this_lap" "ers_deployed" 1.0;
};

/// Fields that a packet contains once, for the player's car.
const PLAYER_FIELDS: &[FieldMapping] = becomes! {
    Motion "suspension_position" "suspension_position_*" 1e-3;
    Motion "suspension_velocity" "suspension_velocity_*" 1e-3;
    Motion "suspension_acceleration" "suspension_acceleration_*" 1e-3;
    Motion "wheel_speed" "wheel_speed_*" 1.0;
    Motion "wheel_slip" "wheel_slip_*" 1.0;
    Motion "local_velocity" "local_velocity_xyz" 1.0;
    Motion "angular_velocity" "angular_velocity_xyz" 1.0;
    Motion "angular_acceleration" "angular_acceleration_xyz" 1.0;
    Motion "front_wheels_angle" "front_wheels_angle" 1.0;
    CarTelemetry "button_status" "buttons" 1.0;
};

/// The expected values of a field, by channel id. NaN gives no value.
fn expected(fields: &Value, prefix: &str, row: &FieldMapping) -> Vec<(String, f32)> {
    let numbers: Vec<(String, String)> = if let Some(channel) = row.channel.strip_suffix("_*") {
        ["rl", "rr", "fl", "fr"]
            .iter()
            .enumerate()
            .map(|(place, wheel)| (format!(".{place}"), format!("{channel}_{wheel}")))
            .collect()
    } else if let Some(channel) = row.channel.strip_suffix("_xyz") {
        ["x", "y", "z"].iter().map(|axis| (format!(".{axis}"), format!("{channel}_{axis}"))).collect()
    } else {
        vec![(String::new(), row.channel.to_owned())]
    };
    let sent = |path: &str| match fields.at(path) {
        Some(Value::Unsigned(number)) => *number as f32,
        Some(Value::Signed(number)) => *number as f32,
        Some(Value::Float(number)) => *number,
        other => panic!("{path}: {other:?}"),
    };
    numbers
        .into_iter()
        .map(|(part, channel)| (channel, sent(&format!("{prefix}{}{part}", row.field)) * row.scale))
        .filter(|(_, value)| value.is_finite())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_number_reaches_its_channel(
        kind in prop::sample::select(&[Kind::Motion, Kind::LapData, Kind::CarTelemetry, Kind::CarStatus][..]),
        player in 0_u8..30,
        body in prop::collection::vec(any::<u8>(), 1341),
    ) {
        let mut datagram = packet(kind, 0);
        datagram[20] = player;
        let size = datagram.len();
        datagram[21..].copy_from_slice(&body[21..size]);
        let fields = describe(&datagram).expect("a packet").fields;
        let mut seen = Recorder::default();
        let outcome = receive(&mut Decoder::default(), &datagram, &mut seen);
        let mut missing = 0;
        let mut want = BTreeMap::new();
        let mut add = |car: u8, prefix: &str, rows: &[FieldMapping]| {
            for row in rows.iter().filter(|row| row.kind == kind) {
                let width = match row.channel {
                    channel if channel.ends_with("_*") => 4,
                    channel if channel.ends_with("_xyz") => 3,
                    _ => 1,
                };
                let values = expected(&fields, prefix, row);
                missing += width - values.len();
                want.extend(values.into_iter().map(|(id, value)| ((Car(car), id), value)));
            }
        };
        (0..20).for_each(|car| add(car, &format!("car.{car}."), CAR_FIELDS));
        if player < 20 {
            add(player, "", PLAYER_FIELDS);
        }
        // The only field that is reinterpreted: 255 is "unknown".
        if kind == Kind::CarStatus {
            for car in 0..20 {
                let Some(Value::Unsigned(sent)) = fields.at(&format!("car.{car}.drs_allowed")) else { panic!() };
                want.insert((Car(car), "drs_allowed".into()), f32::from((*sent as u8).cast_signed()));
            }
        }
        prop_assert_eq!(seen.values.keys().collect::<Vec<_>>(), want.keys().collect::<Vec<_>>());
        prop_assert_eq!(seen.given, want.len());
        for (key, value) in &want {
            let got = seen.values[key];
            prop_assert!((got - value).abs() <= value.abs() * 1e-6, "{key:?}: {got} is not {value}");
        }
        if missing > 0 || kind == Kind::LapData {
            // Lap data also contains times, which may not be finite either.
            prop_assert!(missing == 0 || outcome.is_err());
        } else {
            prop_assert_eq!(outcome, Ok(()));
        }
        prop_assert_eq!(seen.player(), (player < 20).then_some(Car(player)));
    }

    #[test]
    fn lap_data_comes_back_as_it_was_sent(
        times in prop::collection::vec(0_u32..900_000, 5),
        distances in (-900.0_f32..7000.0, -900.0_f32..400_000.0),
        bytes in prop::collection::vec(prop_oneof![0_u8..8, any::<u8>()], 9),
        car in 0_u8..20,
    ) {
        let seconds = |millis: u32| (f64::from(millis) / 1e3) as f32;
        let lap = CarLap {
            last_lap_time: seconds(times[0]),
            current_lap_time: seconds(times[1]),
            best_lap_time: Some(seconds(times[2])),
            sector1_time: seconds(times[3]),
            sector2_time: seconds(times[4]),
            lap_distance: distances.0,
            total_distance: distances.1,
            safety_car_delta: 1.5,
            car_position: bytes[0],
            current_lap_num: bytes[1],
            pit_status: bytes[2],
            sector: bytes[3],
            current_lap_invalid: bytes[4],
            penalties: bytes[5],
            grid_position: bytes[6],
            driver_status: bytes[7],
            result_status: bytes[8],
            ..CarLap::default()
        };
        let packet = LapData {
            header: header_of(Kind::LapData),
            car: only(usize::from(car), lap),
            ..LapData::default()
        };
        let seen = Recorder::of(&packet.bytes(YEAR_2018));
        let [got] = seen.progress[..] else { panic!("{} cars", seen.progress.len()) };
        let time = |millis: u32| (millis > 0).then_some(LapTime(millis));
        prop_assert_eq!(got.car, Car(car));
        prop_assert_eq!((got.last_lap, got.best_lap), (time(times[0]), time(times[2])));
        prop_assert_eq!((got.sectors[0], got.sectors[1]), (time(times[3]), time(times[4])));
        prop_assert_eq!(got.clock.map(|clock| (clock * 1e3).round() as u32), Some(times[1]));
        prop_assert_eq!((got.distance, got.total_distance), (Some(distances.0), Some(distances.1)));
        prop_assert_eq!((got.position, got.lap, got.sector), (bytes[0], u16::from(bytes[1]), bytes[3]));
        prop_assert_eq!((got.invalid, got.penalties), (bytes[4] != 0, bytes[5]));
        // Counted from 0; there is no grid if all positions are zero.
        let grid = if bytes[6] > 0 { bytes[6].saturating_add(1) } else { 0 };
        prop_assert_eq!(got.grid, grid);
        let pit = [PitStatus::OnTrack, PitStatus::Pitting, PitStatus::InPitArea];
        prop_assert_eq!(got.pit, pit.get(usize::from(bytes[2])).copied().unwrap_or(PitStatus::Other(bytes[2])));
        let driver = [
            DriverStatus::Garage,
            DriverStatus::FlyingLap,
            DriverStatus::InLap,
            DriverStatus::OutLap,
            DriverStatus::OnTrack,
        ];
        let other = DriverStatus::Other(bytes[7]);
        prop_assert_eq!(got.driver, driver.get(usize::from(bytes[7])).copied().unwrap_or(other));
        let result = [
            ResultStatus::Invalid,
            ResultStatus::Inactive,
            ResultStatus::Active,
            ResultStatus::Finished,
            ResultStatus::Disqualified,
            ResultStatus::NotClassified,
            ResultStatus::Retired,
        ];
        let other = ResultStatus::Other(bytes[8]);
        prop_assert_eq!(got.result, result.get(usize::from(bytes[8])).copied().unwrap_or(other));
    }

    #[test]
    fn a_session_comes_back_as_it_was_sent(
        bytes in any::<[u8; 17]>(),
        halves in any::<[u16; 3]>(),
        zones in prop::collection::vec((0.0_f32..1.0, -2_i8..6), 21),
    ) {
        let plausible = |byte: u8, most: u8| if byte < 200 { byte % (most + 2) } else { byte };
        let marshal_zones: Vec<_> =
            zones.iter().map(|&(start, zone_flag)| MarshalZone { zone_start: start, zone_flag }).collect();
        let packet = Session {
            header: header_of(Kind::Session),
            weather: plausible(bytes[0], 5),
            track_temperature: bytes[1].cast_signed(),
            air_temperature: bytes[2].cast_signed(),
            total_laps: bytes[3],
            track_length: halves[0],
            session_type: plausible(bytes[4], 12),
            track_id: plausible(bytes[5], 24).cast_signed().wrapping_sub(1),
            formula: bytes[6] % 2,
            session_time_left: halves[1],
            session_duration: halves[2],
            pit_speed_limit: bytes[7],
            game_paused: bytes[8] % 2,
            is_spectating: bytes[9] % 2,
            spectator_car_index: plausible(bytes[10], 20),
            sli_pro_native_support: bytes[11] % 2,
            num_marshal_zones: plausible(bytes[12], 21),
            marshal_zones: marshal_zones.try_into().expect("as many zones"),
            safety_car_status: plausible(bytes[13], 2),
            network_game: bytes[14] % 2,
            ..Session::default()
        };
        let seen = Recorder::of(&packet.bytes(YEAR_2018));
        let weathers = [
            Weather::Clear,
            Weather::LightCloud,
            Weather::Overcast,
            Weather::LightRain,
            Weather::HeavyRain,
            Weather::Storm,
        ];
        let kinds = [
            SessionKind::Unknown,
            SessionKind::Practice(1),
            SessionKind::Practice(2),
            SessionKind::Practice(3),
            SessionKind::ShortPractice,
            SessionKind::Qualifying(1),
            SessionKind::Qualifying(2),
            SessionKind::Qualifying(3),
            SessionKind::ShortQualifying,
            SessionKind::OneShotQualifying,
            SessionKind::Race(1),
            SessionKind::Race(2),
            SessionKind::TimeTrial,
        ];
        let cars = [SafetyCar::None, SafetyCar::Full, SafetyCar::Virtual];
        let flags = [Flag::Unknown, Flag::None, Flag::Green, Flag::Blue, Flag::Yellow, Flag::Red];
        let flag = |number: i8| {
            usize::try_from(number + 1).ok().and_then(|place| flags.get(place)).copied().unwrap_or(Flag::Other(number))
        };
        let number = |byte: u8| usize::from(byte);
        let track = packet.track_id;
        let watched = packet.spectator_car_index;
        let info = SessionInfo {
            uid: Some(77),
            kind: kinds.get(number(packet.session_type)).copied().unwrap_or(SessionKind::Other(packet.session_type)),
            track: (track != -1).then(|| Track {
                id: track.to_string(),
                name: u16::try_from(track)
                    .ok()
                    .and_then(|track| names::of_year(names::TRACKS, track, 2018))
                    .map(str::to_owned),
                recognised: None,
            }),
            track_length_m: Some(f32::from(halves[0])),
            total_laps: Some(u16::from(bytes[3])),
            weather: weathers.get(number(packet.weather)).copied().or(Some(Weather::Other(packet.weather))),
            track_celsius: Some(i16::from(packet.track_temperature)),
            air_celsius: Some(i16::from(packet.air_temperature)),
            seconds_left: Some(u32::from(halves[1])),
            duration_s: Some(u32::from(halves[2])),
            pit_limit_mps: seen.session().pit_limit_mps,
            classic: Some(packet.formula == 1),
            paused: Some(packet.game_paused == 1),
            spectating: Some(packet.is_spectating == 1),
            watching: (packet.is_spectating == 1 && watched < 20).then_some(Car(watched)),
            online: Some(packet.network_game == 1),
            sli_pro: Some(packet.sli_pro_native_support == 1),
            safety_car: cars
                .get(number(packet.safety_car_status))
                .copied()
                .or(Some(SafetyCar::Other(packet.safety_car_status))),
            marshal_zones: zones
                .iter()
                .take(number(packet.num_marshal_zones))
                .map(|&(start, number)| trailbrake_model::MarshalZone { start, flag: flag(number) })
                .collect(),
            ..SessionInfo::default()
        };
        prop_assert_eq!(seen.session(), &info);
        let limit = seen.session().pit_limit_mps.expect("a limit");
        prop_assert!((limit * 3.6 - f32::from(bytes[7])).abs() < 1e-3);
        prop_assert_eq!(seen.kinds().contains(&EventKind::Paused), packet.game_paused == 1);
    }

    #[test]
    fn setups_come_back_as_they_were_sent(
        bytes in any::<[u8; 13]>(),
        floats in prop::array::uniform7(-50.0_f32..150.0),
        car in 0_u8..20,
    ) {
        let setup = CarSetup {
            front_wing: bytes[0],
            rear_wing: bytes[1],
            on_throttle: bytes[2],
            off_throttle: bytes[3],
            front_camber: floats[0],
            rear_camber: floats[1],
            front_toe: floats[2],
            rear_toe: floats[3],
            front_suspension: bytes[4],
            rear_suspension: bytes[5],
            front_anti_roll_bar: bytes[6],
            rear_anti_roll_bar: bytes[7],
            front_suspension_height: bytes[8],
            rear_suspension_height: bytes[9],
            brake_pressure: bytes[10],
            brake_bias: bytes[11],
            front_tyre_pressure: Some(floats[4]),
            rear_tyre_pressure: Some(floats[5]),
            ballast: bytes[12],
            fuel_load: floats[6],
            ..CarSetup::default()
        };
        let packet = CarSetups {
            header: header_of(Kind::CarSetups),
            car: only(usize::from(car), setup),
            ..CarSetups::default()
        };
        let setups = Recorder::of(&packet.bytes(YEAR_2018)).setups();
        let expected = Setup {
            front_wing: bytes[0],
            rear_wing: bytes[1],
            differential_on_throttle_percent: bytes[2],
            differential_off_throttle_percent: bytes[3],
            front_camber_deg: floats[0],
            rear_camber_deg: floats[1],
            front_toe_deg: floats[2],
            rear_toe_deg: floats[3],
            front_suspension: bytes[4],
            rear_suspension: bytes[5],
            front_anti_roll_bar: bytes[6],
            rear_anti_roll_bar: bytes[7],
            front_ride_height: bytes[8],
            rear_ride_height: bytes[9],
            brake_pressure_percent: bytes[10],
            brake_bias_percent: bytes[11],
            front_tyre_psi: Some(floats[4]),
            rear_tyre_psi: Some(floats[5]),
            ballast: bytes[12],
            fuel_load_kg: floats[6],
            ..Setup::default()
        };
        for (other, setup) in setups {
            prop_assert_eq!(setup, (other == car).then_some(expected));
        }
    }

    #[test]
    fn headers_and_events_come_back_as_they_were_sent(
        uid in any::<u64>(),
        seconds in 0.0_f32..20_000.0,
        frame in any::<u32>(),
        player in any::<u8>(),
        code in "[A-Z]{4}",
    ) {
        let mut header = header_of(Kind::Event);
        (header.session_uid, header.session_time) = (uid, seconds);
        (header.frame_identifier, header.player_car_index) = (frame, player);
        let mut bytes = [0; 4];
        bytes.copy_from_slice(code.as_bytes());
        let seen = Recorder::of(&Event { header, code: Text(bytes), ..Event::default() }.bytes(YEAR_2018));
        let event_kind = match code.as_str() {
            // The session's first packet has already started it; a later one is a restart.
            "SSTA" => (seconds > 3.0).then_some(EventKind::Restarted),
            "SEND" => Some(EventKind::SessionEnded),
            other => Some(EventKind::Other(other.to_owned())),
        };
        let kinds: Vec<EventKind> = [EventKind::SessionStarted].into_iter().chain(event_kind).collect();
        prop_assert_eq!(seen.kinds(), kinds);
        let moment = seen.events[0].moment;
        prop_assert_eq!((moment.session_time, moment.frame), (Some(f64::from(seconds)), Some(frame)));
        prop_assert_eq!(seen.player(), (player < 20).then_some(Car(player)));
        // A menu's session id is `None`.
        let header = Header { packet_id: Kind::Session.id(), ..header };
        let seen = Recorder::of(&Session { header, ..Session::default() }.bytes(YEAR_2018));
        prop_assert_eq!(seen.session().uid, Some(uid).filter(|uid| *uid != 0));
    }

    #[test]
    fn participants_come_back_as_they_were_sent(
        count in any::<u8>(),
        drivers in prop::collection::vec((any::<[u8; 5]>(), "[A-Z]\\. [A-ZÄÖÜ]{1,30}…?"), 20),
    ) {
        let slots = drivers.iter().map(|(numbers, name)| {
            let [ai_controlled, driver_id, team_id, race_number, nationality] = *numbers;
            let name = Text::write(name);
            let (driver_id, team_id) = (driver_id.into(), team_id.into());
            Participant { ai_controlled, driver_id, team_id, race_number, nationality, name, ..Participant::default() }
        });
        let car = Entries::Made(slots.collect());
        let packet = Participants { header: header_of(Kind::Participants), num_cars: count, car };
        let seen = Recorder::of(&packet.bytes(YEAR_2018));
        let all = seen.participants();
        prop_assert_eq!(all.len(), usize::from(count.min(20)));
        for (index, (got, (numbers, name))) in all.iter().zip(&drivers).enumerate() {
            prop_assert_eq!(usize::from(got.car.0), index);
            prop_assert_eq!(&got.name, &Text::<48>::write(name).read());
            let [ai, sent @ ..] = *numbers;
            let got_numbers = [got.driver.number, got.team.number, got.race_number, got.nationality.number];
            prop_assert_eq!(got_numbers, sent.map(|number| Some(number.into())));
            prop_assert_eq!((got.ai, &got.guid, got.presence), (Some(ai != 0), &None, None));
        }
    }

    #[test]
    fn any_bytes_are_decoded_or_rejected(
        id in 0_u8..9,
        bytes in prop::collection::vec(any::<u8>(), 0..1400),
        exact in any::<bool>(),
    ) {
        let mut decoder = Decoder::default();
        let mut seen = Throw;
        let _ = receive(&mut decoder, &bytes, &mut seen);
        let mut headed = bytes;
        if let (true, Some(kind)) = (exact, Kind::from_id(id)) {
            headed.resize(kind.size(YEAR_2018).unwrap_or(600), 0xff);
        }
        for (to, from) in headed.iter_mut().zip([0xe2, 0x07, 0x01, id]) {
            *to = from;
        }
        let _ = receive(&mut decoder, &headed, &mut seen);
        let _ = receive(&mut decoder, &headed, &mut seen);
    }
}
