use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::games::f1_2018::describe;
use crate::games::{Decode, Text, Value};
use crate::model::{
    CarSetup as Setup, DriverStatus, Event as Happening, Participant, PitStatus, ResultStatus, Sample,
    SessionInfo, Wheel,
};

#[path = "capture_tests.rs"]
mod captures;

/// Keeps everything that it is given.
#[derive(Default)]
struct Recorder {
    values: BTreeMap<(Car, String), f32>,
    /// How many values were given, those of one channel of one car each by itself.
    given: usize,
    moments: Vec<Moment>,
    progress: Vec<LapProgress>,
    events: Vec<Happening>,
    facts: Vec<Fact>,
}

impl Sink for Recorder {
    fn sample(&mut self, sample: &Sample<'_>) {
        self.moments.push(sample.moment);
        for &(slot, value) in sample.values {
            self.values.insert((sample.car, slot.id()), value);
            self.given += 1;
        }
    }

    fn progress(&mut self, progress: &LapProgress) {
        self.progress.push(*progress);
    }

    fn event(&mut self, event: Happening) {
        self.events.push(event);
    }

    fn fact(&mut self, moment: Moment, fact: Fact) {
        self.moments.push(moment);
        self.facts.push(fact);
    }
}

impl Recorder {
    fn of(datagram: &[u8]) -> Self {
        let mut recorder = Self::default();
        receive(&mut Decoder::default(), datagram, &mut recorder).expect("a whole packet");
        recorder
    }

    fn value(&self, car: u8, id: &str) -> f32 {
        *self.values.get(&(Car(car), id.to_owned())).unwrap_or_else(|| panic!("no {id} of car {car}"))
    }

    fn kinds(&self) -> Vec<EventKind> {
        self.events.iter().map(|event| event.kind.clone()).collect()
    }

    fn player(&self) -> Option<Car> {
        self.fact(|fact| if let Fact::Player(car) = fact { Some(*car) } else { None })
    }

    fn session(&self) -> &SessionInfo {
        self.fact(|fact| if let Fact::Session(info) = fact { Some(&**info) } else { None })
    }

    fn participants(&self) -> &[Participant] {
        self.fact(|fact| if let Fact::Participants(all) = fact { Some(all.as_slice()) } else { None })
    }

    /// The first fact of a kind.
    fn fact<'a, T>(&'a self, which: impl FnMut(&'a Fact) -> Option<T>) -> T {
        self.facts.iter().find_map(which).expect("such a fact")
    }

    fn setups(&self) -> BTreeMap<u8, Option<Setup>> {
        let setup = |fact: &Fact| match fact {
            Fact::Setup(car, setup) => Some((car.0, setup.as_deref().copied())),
            _ => None,
        };
        self.facts.iter().filter_map(setup).collect()
    }
}

fn receive(decoder: &mut Decoder, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected> {
    decoder.receive(Micros(7_000_000), datagram, sink)
}

/// A datagram of a kind with a header of its own and every other byte the same.
fn packet(kind: Kind, fill: u8) -> Vec<u8> {
    let mut header = Header::new_zeroed();
    header.packet_format = 2018.into();
    header.packet_version = 1;
    header.packet_id = kind.id();
    header.session_uid = 77.into();
    header.session_time = 10.0.into();
    header.frame_identifier = 600.into();
    let mut bytes = header.as_bytes().to_vec();
    bytes.resize(kind.size(), fill);
    bytes
}

/// A lap data packet of a session at a session time.
fn at(uid: u64, seconds: f32) -> Vec<u8> {
    let mut bytes = packet(Kind::LapData, 0);
    bytes[4..12].copy_from_slice(&uid.to_le_bytes());
    bytes[12..16].copy_from_slice(&seconds.to_le_bytes());
    bytes
}

/// What every field of the fast packets becomes: the field, the channel, what it is multiplied by. Written from the
/// protocol's tables.
struct Becomes {
    kind: Kind,
    field: &'static str,
    channel: &'static str,
    scale: f32,
}

macro_rules! becomes {
    ($($kind:ident $field:literal $channel:literal $scale:expr;)*) => {
        &[$(Becomes { kind: Kind::$kind, field: $field, channel: $channel, scale: $scale },)*]
    };
}

const PSI: f32 = 6_894.757;
const UNIT_VECTOR: f32 = 1.0 / 32_767.0;

/// Fields of every car. A channel with `_*` stands for all four wheels, with `_xyz` for all three axes.
const CAR_FIELDS: &[Becomes] = becomes! {
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

/// Fields that stand in a packet once and belong to the player's car.
const PLAYER_FIELDS: &[Becomes] = becomes! {
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

/// What a field's numbers are expected to become, by channel id. Not a number becomes nothing.
fn expected(fields: &Value, prefix: &str, row: &Becomes) -> Vec<(String, f32)> {
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
        let mut add = |car: u8, prefix: &str, rows: &[Becomes]| {
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
        // The one field whose number is read as another: 255 is "unknown".
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
            // Lap data has times besides, which may be no numbers either.
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
        let seconds = |millis: u32| zerocopy::F32::new((f64::from(millis) / 1e3) as f32);
        let mut packet = LapData::new_zeroed();
        packet.header = header_of(Kind::LapData);
        packet.car[usize::from(car)] = CarLap {
            last_lap_time: seconds(times[0]),
            current_lap_time: seconds(times[1]),
            best_lap_time: seconds(times[2]),
            sector1_time: seconds(times[3]),
            sector2_time: seconds(times[4]),
            lap_distance: distances.0.into(),
            total_distance: distances.1.into(),
            safety_car_delta: 1.5.into(),
            car_position: bytes[0],
            current_lap_num: bytes[1],
            pit_status: bytes[2],
            sector: bytes[3],
            current_lap_invalid: bytes[4],
            penalties: bytes[5],
            grid_position: bytes[6],
            driver_status: bytes[7],
            result_status: bytes[8],
        };
        let seen = Recorder::of(packet.as_bytes());
        let got = seen.progress[usize::from(car)];
        let time = |millis: u32| (millis > 0).then_some(LapTime(millis));
        prop_assert_eq!(got.car, Car(car));
        prop_assert_eq!((got.last_lap, got.best_lap), (time(times[0]), time(times[2])));
        prop_assert_eq!((got.sectors.first, got.sectors.second), (time(times[3]), time(times[4])));
        prop_assert_eq!(got.clock.map(|clock| (clock * 1e3).round() as u32), Some(times[1]));
        prop_assert_eq!((got.distance, got.total_distance), (Some(distances.0), Some(distances.1)));
        prop_assert_eq!((got.position, got.lap, got.sector), (bytes[0], u16::from(bytes[1]), bytes[3]));
        prop_assert_eq!((got.invalid, got.penalties, got.grid), (bytes[4] != 0, bytes[5], bytes[6]));
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
    fn participants_come_back_as_they_were_sent(
        count in any::<u8>(),
        drivers in prop::collection::vec((any::<[u8; 5]>(), "[A-Z]\\. [A-ZÄÖÜ]{1,30}…?"), 20),
    ) {
        let mut packet = Participants::new_zeroed();
        packet.header = header_of(Kind::Participants);
        packet.num_cars = count;
        for (slot, (numbers, name)) in packet.car.iter_mut().zip(&drivers) {
            [slot.ai_controlled, slot.driver_id, slot.team_id, slot.race_number, slot.nationality] = *numbers;
            slot.name = Text::write(name);
        }
        let seen = Recorder::of(packet.as_bytes());
        let all = seen.participants();
        prop_assert_eq!(all.len(), usize::from(count.min(20)));
        for (index, (got, (numbers, name))) in all.iter().zip(&drivers).enumerate() {
            prop_assert_eq!(usize::from(got.car.0), index);
            prop_assert_eq!(&got.name, &Text::<48>::write(name).read());
            let sent = [u8::from(got.ai), got.driver_id, got.team.0, got.race_number, got.nationality.0];
            prop_assert_eq!(&sent[1..], &numbers[1..]);
            prop_assert_eq!(got.ai, numbers[0] != 0);
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
            headed.resize(kind.size(), 0xff);
        }
        for (to, from) in headed.iter_mut().zip([0xe2, 0x07, 0x01, id]) {
            *to = from;
        }
        let _ = receive(&mut decoder, &headed, &mut seen);
        let _ = receive(&mut decoder, &headed, &mut seen);
    }
}

/// Keeps nothing.
struct Throw;

impl Sink for Throw {
    fn sample(&mut self, _: &Sample<'_>) {}
    fn progress(&mut self, _: &LapProgress) {}
    fn event(&mut self, _: Happening) {}
    fn fact(&mut self, _: Moment, _: Fact) {}
}

fn header_of(kind: Kind) -> Header {
    <Header as zerocopy::FromBytes>::read_from_prefix(&packet(kind, 0)).expect("a header").0
}

/// Fields that reach the sink as neither channel, fact nor event. Each has its reason.
const NEITHER: &[&str] = &[];

#[test]
fn every_field_is_a_channel_a_fact_or_an_event() {
    // 0x3f in every byte makes every number something plain; the changes make it zero, larger and a little other.
    let saying = |datagram: &[u8]| {
        let mut decoder = Decoder::default();
        let mut seen = Recorder::default();
        receive(&mut decoder, &packet(Kind::Event, 0x3f), &mut seen).expect("a packet");
        let outcome = receive(&mut decoder, datagram, &mut seen);
        let Recorder { values, given: _, moments, progress, events, facts } = seen;
        format!("{values:?} {moments:?} {progress:?} {events:?} {facts:?} {outcome:?}")
    };
    let mut fields = BTreeSet::new();
    let mut heard = BTreeSet::new();
    for &kind in Kind::ALL {
        let plain = packet(kind, 0x3f);
        let (was, said) = (describe(&plain).expect("a packet").fields, saying(&plain));
        for place in 4..plain.len() {
            for change in [0x3f, 0x40, 0x01] {
                let mut other = plain.clone();
                other[place] ^= change;
                let Ok(now) = describe(&other) else { continue };
                let field = changed(&was, &now.fields).expect("each byte is part of a field");
                let field = format!("{}: {field}", kind.name());
                if !heard.contains(&field) && saying(&other) != said {
                    heard.insert(field.clone());
                }
                fields.insert(field);
            }
        }
    }
    let deaf: Vec<&String> = fields.difference(&heard).collect();
    assert_eq!(deaf, NEITHER.iter().collect::<Vec<_>>());
    // All the tables' fields, headers in each of the eight packets (version and id make it another packet).
    assert_eq!(
        fields.len(),
        8 * 4 + (10 + 9) + (18 + 2) + 17 + 1 + (1 + 6) + 20 + (14 + 1) + 26,
        "{fields:#?}"
    );
}

/// The path of the field that differs, without the numbers of cars, wheels and zones.
fn changed(was: &Value, now: &Value) -> Option<String> {
    match (was, now) {
        (Value::Record(was), Value::Record(now)) => {
            was.iter().zip(now).find_map(|((name, was), (_, now))| {
                let below = changed(was, now)?;
                let axis = ["x", "y", "z"].contains(name);
                Some(if below.is_empty() || axis {
                    format!("{}{below}", if axis { "" } else { name })
                } else {
                    format!("{name}.{below}")
                })
            })
        }
        (Value::List(was), Value::List(now)) => was.iter().zip(now).find_map(|(was, now)| changed(was, now)),
        _ => (was != now).then(String::new),
    }
}

#[test]
fn a_player_outside_the_arrays_is_none() {
    for (index, player) in [(19, Some(Car(19))), (20, None), (255, None)] {
        for &kind in Kind::ALL {
            let mut datagram = packet(kind, 0);
            datagram[20] = index;
            let seen = Recorder::of(&datagram);
            assert_eq!(seen.player(), player);
            let alone = ["buttons", "wheel_speed_fl"];
            let has = seen.values.keys().any(|(_, id)| alone.contains(&id.as_str()));
            assert!(!has || player.is_some());
        }
    }
}

#[test]
fn only_cars_that_take_part_are_heard() {
    let mut decoder = Decoder::default();
    let mut participants = packet(Kind::Participants, 0);
    participants[21] = 3;
    receive(&mut decoder, &participants, &mut Throw).expect("a packet");
    let mut seen = Recorder::default();
    for kind in [Kind::Motion, Kind::LapData, Kind::CarTelemetry, Kind::CarStatus, Kind::CarSetups] {
        receive(&mut decoder, &packet(kind, 0), &mut seen).expect("a packet");
    }
    let cars: BTreeSet<u8> = seen.values.keys().map(|(car, _)| car.0).collect();
    assert_eq!(cars, BTreeSet::from([0, 1, 2]));
    assert_eq!(seen.progress.len(), 3);
    assert_eq!(seen.setups().len(), 3);
}

#[test]
fn a_setup_of_zeros_is_kept_secret() {
    let mut datagram = packet(Kind::CarSetups, 0);
    datagram[21 + 41 * 4] = 6;
    let setups = Recorder::of(&datagram).setups();
    assert_eq!(setups[&4].map(|setup| setup.front_wing), Some(6));
    assert_eq!(setups.values().filter(|setup| setup.is_none()).count(), 19);
}

#[test]
fn what_is_no_number_is_counted_and_the_rest_is_used() {
    let nan = f32::NAN.to_le_bytes();
    let check = |kind: Kind, fill: u8, offsets: &[usize]| {
        let mut datagram = packet(kind, fill);
        for &offset in offsets {
            datagram[offset..offset + 4].copy_from_slice(&nan);
        }
        let mut seen = Recorder::default();
        let reason =
            receive(&mut Decoder::default(), &datagram, &mut seen).expect_err("a reason").to_string();
        assert!(reason.contains(&format!("{} values are no numbers", offsets.len())), "{reason}");
        seen
    };
    // The second car's height and its lateral g.
    let seen = check(Kind::Motion, 0, &[21 + 60 + 4, 21 + 60 + 36]);
    assert!(!seen.values.contains_key(&(Car(1), "position_y".into())));
    assert_eq!(
        (seen.value(1, "position_x"), seen.value(0, "position_y"), seen.value(1, "yaw")),
        (0.0, 0.0, 0.0)
    );
    // The first car's last lap, clock, second sector and distance.
    let seen = check(Kind::LapData, 0x3f, &[21, 25, 37, 41]);
    let progress = seen.progress[0];
    assert_eq!((progress.last_lap, progress.clock, progress.distance), (None, None, None));
    assert_eq!((progress.sectors.second, progress.best_lap.is_some()), (None, true));
    assert_eq!(progress.lap, 63);
    // The second marshal zone, and the first car's front camber.
    let seen = check(Kind::Session, 3, &[45]);
    assert_eq!((seen.session().marshal_zones.len(), seen.session().track_celsius), (2, Some(3)));
    let setups = check(Kind::CarSetups, 7, &[25]).setups();
    assert_eq!((setups.len(), setups.contains_key(&0)), (19, false));
}

#[test]
fn pause_and_resume_are_said_once() {
    let mut decoder = Decoder::default();
    let mut seen = Recorder::default();
    // The fourth is late and tells of the time before the pause.
    for (paused, seconds) in [(0, 10.0_f32), (1, 10.2), (1, 10.2), (0, 10.0), (0, 10.3), (0, 10.4)] {
        let mut datagram = packet(Kind::Session, 0);
        datagram[12..16].copy_from_slice(&seconds.to_le_bytes());
        datagram[35] = paused;
        receive(&mut decoder, &datagram, &mut seen).expect("a packet");
    }
    assert_eq!(seen.kinds(), [EventKind::SessionStarted, EventKind::Paused, EventKind::Resumed]);
}

#[test]
fn going_back_is_a_rewind_and_going_to_the_start_a_restart() {
    let check = |seconds: &[f32], expected: &[EventKind], used: usize| {
        let mut decoder = Decoder::default();
        let mut seen = Recorder::default();
        for &seconds in seconds {
            receive(&mut decoder, &at(1, seconds), &mut seen).expect("a packet");
        }
        assert_eq!(seen.kinds(), [&[EventKind::SessionStarted], expected].concat());
        assert_eq!(seen.progress.len(), used * 20);
    };
    check(&[10.0, 20.0, 12.5, 12.516], &[EventKind::Rewound { millis: 7500 }], 3);
    check(&[10.0, 95.0, 0.0, 0.016], &[EventKind::Restarted], 3);
    // One packet from far back is late and tells nothing of now.
    check(&[10.0, 20.0, 12.5, 20.016], &[], 3);
}

#[test]
fn the_game_says_itself_that_a_session_starts_and_ends() {
    let event = |seconds: f32, code: &[u8; 4]| {
        let mut datagram = packet(Kind::Event, 0);
        datagram[12..16].copy_from_slice(&seconds.to_le_bytes());
        datagram[21..].copy_from_slice(code);
        datagram
    };
    let mut decoder = Decoder::default();
    let mut seen = Recorder::default();
    for datagram in [event(0.0, b"SSTA"), event(50.0, b"SEND"), event(51.0, b"FLBK"), event(51.0, b"SSTA")] {
        receive(&mut decoder, &datagram, &mut seen).expect("a packet");
    }
    assert_eq!(
        seen.kinds(),
        [
            EventKind::SessionStarted,
            EventKind::SessionEnded,
            EventKind::Other("FLBK".into()),
            EventKind::Restarted,
        ]
    );
}

#[test]
fn another_session_is_another_session() {
    let mut decoder = Decoder::default();
    let mut seen = Recorder::default();
    for datagram in [at(1, 95.0), at(2, 0.0), at(2, 0.016)] {
        receive(&mut decoder, &datagram, &mut seen).expect("a packet");
    }
    assert_eq!(seen.kinds(), [EventKind::SessionStarted, EventKind::SessionStarted]);
    assert_eq!(seen.facts.iter().filter(|fact| matches!(fact, Fact::Player(_))).count(), 2);
}

#[test]
fn wheels_are_sent_rear_first() {
    assert_eq!(WHEELS, [Wheel::RearLeft, Wheel::RearRight, Wheel::FrontLeft, Wheel::FrontRight]);
}
