use trailbrake_analysis::Reference;
use trailbrake_analysis::laps::LapFlag;
use trailbrake_model::time::LapTime;
use zerocopy::{FromBytes, IntoBytes};

use super::layout::{
    CHANNELS_AT, Channel, EVENT_AT, Event, Header, Text, VEHICLE_AT, VENUE_AT, Vehicle, Venue,
};
use super::*;
use crate::export::ImportedLap;

/// A channel of a file: name, unit, rate, family, width, raw bytes.
type Raw<'a> = (&'a str, &'a str, u16, u16, u16, Vec<u8>);

fn file(channels: &[Raw<'_>]) -> Vec<u8> {
    let mut file = vec![0; CHANNELS_AT];
    let header = Header {
        mark: 0x40.into(),
        channels_at: (CHANNELS_AT as u32).into(),
        event_at: (EVENT_AT as u32).into(),
        driver: Text::of("A. Driver"),
        ..Header::default()
    };
    file[..EVENT_AT].copy_from_slice(header.as_bytes());
    let event = Event {
        name: Text::of("Cup"),
        session: Text::of("Race"),
        venue_at: (VENUE_AT as u16).into(),
        ..Event::default()
    };
    file[EVENT_AT..EVENT_AT + size_of::<Event>()].copy_from_slice(event.as_bytes());
    let venue = Venue { name: Text::of("Spa"), vehicle_at: (VEHICLE_AT as u16).into(), ..Venue::default() };
    file[VENUE_AT..VENUE_AT + size_of::<Venue>()].copy_from_slice(venue.as_bytes());
    let vehicle = Vehicle { id: Text::of("GT3"), ..Vehicle::default() };
    file[VEHICLE_AT..VEHICLE_AT + size_of::<Vehicle>()].copy_from_slice(vehicle.as_bytes());
    let mut samples_at = CHANNELS_AT + channels.len() * size_of::<Channel>();
    for (nth, (name, unit, rate_hz, family, width, raw)) in channels.iter().enumerate() {
        let next = if nth + 1 < channels.len() { CHANNELS_AT + (nth + 1) * size_of::<Channel>() } else { 0 };
        let channel = Channel {
            next_at: (next as u32).into(),
            samples_at: (samples_at as u32).into(),
            sample_count: (raw.len() as u32 / u32::from(*width)).into(),
            family: (*family).into(),
            width: (*width).into(),
            rate_hz: (*rate_hz).into(),
            multiplier: 1.into(),
            scale: 1.into(),
            name: Text::of(name),
            unit: Text::of(unit),
            ..Channel::default()
        };
        file.extend(channel.as_bytes());
        samples_at += raw.len();
    }
    channels.iter().for_each(|(.., raw)| file.extend(raw));
    file
}

fn floats(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}

#[test]
fn every_part_stands_where_the_description_has_it() {
    macro_rules! at {
        ($part:ident, $($field:ident $at:literal)*) => {$(
            assert_eq!(std::mem::offset_of!($part, $field), $at, stringify!($field));
        )*};
    }
    at!(Header, mark 0 channels_at 8 samples_at 0x0c event_at 0x24 device_serial 0x46 device_type 0x4a device_version 0x52
        channel_count 0x56 date 0x5e time 0x7e driver 0x9e vehicle 0xde venue 0x15e pro_logging 0x5de short_comment 0x624);
    at!(Event, session 0x40 comment 0x80 venue_at 0x480);
    at!(Venue, vehicle_at 0x44a);
    at!(Vehicle, weight 0xc0 kind 0xc4 comment 0xe4);
    at!(Channel, samples_at 8 sample_count 0xc family 0x12 width 0x14 rate_hz 0x16 shift 0x18 multiplier 0x1a scale 0x1c
        decimals 0x1e name 0x20 short_name 0x40 unit 0x48);
}

#[test]
fn descriptions_and_all_kinds_of_number_are_read() {
    let halves: Vec<u8> =
        [0x3c00_u16, 0xc000, 0x0001, 0x7c00].into_iter().flat_map(u16::to_le_bytes).collect();
    let log = read_ld(&file(&[
        ("F4", "m", 10, 7, 4, floats([1.5, -2.0])),
        ("F2", "", 10, 7, 2, halves),
        ("I2", "", 10, 3, 2, vec![0xfe, 0xff]),
        ("I4", "", 10, 5, 4, vec![1, 0, 1, 0]),
    ]))
    .expect("a log");
    assert_eq!((&log.driver[..], &log.event[..], &log.session[..]), ("A. Driver", "Cup", "Race"));
    assert_eq!((&log.venue[..], &log.vehicle[..]), ("Spa", "GT3"));
    let samples = |name: &str| log.channel(name).expect("a channel").samples.clone();
    assert_eq!(samples("F4"), [1.5, -2.0]);
    assert_eq!(samples("F2"), [1.0, -2.0, 5.960_464_5e-8, f32::INFINITY]);
    assert_eq!((samples("I2"), samples("I4")), (vec![-2.0], vec![65_537.0]));
}

#[test]
fn raw_numbers_become_values_by_scale_decimals_shift_and_multiplier() {
    let mut bytes = file(&[("T", "C", 1, 3, 2, 250_i16.to_le_bytes().to_vec())]);
    let place = CHANNELS_AT..CHANNELS_AT + size_of::<Channel>();
    let mut channel = Channel::read_from_bytes(&bytes[place.clone()]).expect("a channel");
    (channel.scale, channel.decimals, channel.shift, channel.multiplier) =
        (2.into(), 1.into(), 3.into(), 4.into());
    bytes[place].copy_from_slice(channel.as_bytes());
    // 250 / 2 · 10⁻¹ + 3 = 15.5, times four.
    assert_eq!(read_ld(&bytes).expect("a log").channels[0].samples, [62.0]);
}

#[test]
fn what_is_no_log_is_refused_with_the_reason() {
    let good = file(&[("Speed", "m", 10, 7, 4, floats([1.0; 8]))]);
    assert!(matches!(read_ld(&[0; 4000]), Err(NotLd::Mark { found: 0 })));
    assert!(matches!(read_ld(&good[..100]), Err(NotLd::Cut { part: "its header", at: 0 })));
    assert!(matches!(read_ld(&good[..CHANNELS_AT + 50]), Err(NotLd::Cut { part: "a channel", .. })));
    let cut = read_ld(&good[..good.len() - 1]).expect_err("a reason").to_string();
    assert!(cut.starts_with("the .ld file ends before a channel's samples"), "{cut}");
    let with = |at: usize, value: u32| {
        let mut file = good.clone();
        file[CHANNELS_AT + at..CHANNELS_AT + at + 4].copy_from_slice(&value.to_le_bytes());
        read_ld(&file)
    };
    assert_eq!(with(4, CHANNELS_AT as u32), Err(NotLd::Shared), "a channel that follows itself");
    assert!(matches!(with(12, u32::MAX), Err(NotLd::Cut { .. })));
    assert!(matches!(with(18, 0x0003_0007), Err(NotLd::Kind { family: 7, width: 3, .. })));
    let empty = file(&[("Speed", "m", 10, 7, 4, vec![])]);
    let mut endless = empty.clone();
    endless[CHANNELS_AT + 4..CHANNELS_AT + 8].copy_from_slice(&(CHANNELS_AT as u32).to_le_bytes());
    assert_eq!(read_ld(&endless), Err(NotLd::Endless { most: 4096 }));
}

#[test]
fn beacons_are_read_in_any_spelling() {
    let text = "<LDXFile><MarkerGroup Name=\"Beacons\"><Marker Version=\"100\" ClassName=\"BCN\" Time=\"6.5e+07\"/>\
        <Marker Time='1000000' ClassName='BCN'></Marker><Marker ClassName=\"NOTE\" Time=\"5\"/><Marker Time=\"x\"/>\
        <Marker Time=\"-1\"/><Marker LapTime=\"7\"/></MarkerGroup>";
    let seconds = |text: &str| Ldx::read(text).seconds;
    assert_eq!(seconds(text), [1.0, 65.0]);
    assert!(seconds("").is_empty() && seconds("<Marker Time=\"").is_empty());
    let detail = |number, flags: &[LapFlag]| LapDetail {
        number,
        time: Some(LapTime(90_125)),
        sectors: [Some(LapTime(30_000)), None, Some(LapTime(31_000))].into(),
        flags: flags.iter().copied().collect(),
    };
    let open = LapDetail { time: None, ..detail(9, &[LapFlag::Incomplete, LapFlag::Pit]) };
    let written = Ldx {
        seconds: vec![0.0, 90.125, 180.25],
        laps: 2,
        fastest: Some((2, LapTime(90_125))),
        details: vec![detail(7, &[LapFlag::Valid]), open],
    };
    let text = written.to_string();
    assert_eq!(Ldx::read(&text), Ldx { fastest: None, ..written });
    assert!(
        text.contains("Id=\"Fastest Time\" Value=\"1:30.125\"")
            && text.contains("Id=\"Fastest Lap\" Value=\"2\"")
    );
}

/// The lap as a reference.
fn reference(lap: &ImportedLap) -> Reference {
    let (distance, clock) =
        (trailbrake_model::Channel::LapDistance.slot(), trailbrake_model::Channel::LapClock.slot());
    let value = |slot, row| lap.columns.value(slot, row);
    let points = (0..lap.columns.len()).filter_map(|row| Some((value(distance, row)?, value(clock, row)?)));
    Reference::new(points, lap.time.expect("a time")).expect("a reference")
}

/// 20 s of a log with 20 samples per second, at 36 km/h.
fn at_ten_metres_a_second(extra: &[Raw<'_>]) -> LdFile {
    let speed = ("SPEED", "km/h", 20, 7, 4, floats([36.0; 400]));
    read_ld(&file(&[&[speed], extra].concat())).expect("a log")
}

#[test]
fn laps_of_another_program_s_log_are_in_our_units() {
    let throttle = ("THROTTLE", "%", 10, 7, 4, floats([50.0; 200]));
    let pressure = ("Tyre Pressure RL", "psi", 10, 7, 4, floats([20.0; 200]));
    let odd = ("BRAKE", "furlongs", 10, 7, 4, floats([1.0; 200]));
    let laps =
        laps_of(&at_ten_metres_a_second(&[throttle, pressure, odd]), &[1.0, 11.0, 12.0, 19.0]).expect("laps");
    let numbers: Vec<_> = laps.iter().map(|lap| (lap.number, lap.time.map(|time| time.0))).collect();
    assert_eq!(numbers, [(1, Some(10_000)), (3, Some(7_000))], "a second is no lap");
    let lap = &laps[0];
    assert!(lap.distance_from_speed);
    let value =
        |channel: trailbrake_model::Channel, row| lap.columns.value(channel.slot(), row).expect("a value");
    assert!((value(trailbrake_model::Channel::Speed, 5) - 10.0).abs() < 1e-5);
    assert_eq!(value(trailbrake_model::Channel::Throttle, 5), 0.5);
    assert!((value(trailbrake_model::Channel::LapDistance, 100) - 50.0).abs() < 1e-3);
    let tyre = trailbrake_model::Channel::TyrePressure.of(trailbrake_model::Wheel::RearLeft);
    assert!((lap.columns.value(tyre, 9).expect("a pressure") - 137_895.14).abs() < 0.1);
    assert!(
        lap.columns.line(trailbrake_model::Channel::Brake.slot()).is_none(),
        "nobody knows what that unit is"
    );
    let reference = reference(lap);
    assert!((reference.clock_at(42.0).expect("a clock") - 4.2).abs() < 1e-3);
    assert!((reference.length_m() - 100.0).abs() < 0.5);
}

#[test]
fn a_logged_distance_goes_before_the_speed_and_begins_at_the_line() {
    let counting_on: Vec<f32> = (0..400).map(|nth| 5000.0 + nth as f32).collect();
    let log = at_ten_metres_a_second(&[("Distance", "m", 20, 7, 4, floats(counting_on))]);
    let lap = laps_of(&log, &[1.0, 11.0]).expect("laps").remove(0);
    assert!(!lap.distance_from_speed);
    let distance = |row| lap.columns.value(trailbrake_model::Channel::LapDistance.slot(), row);
    assert_eq!((distance(0), distance(100)), (Some(0.0), Some(100.0)));
}

#[test]
fn a_log_without_place_or_beacons_has_no_laps() {
    let rpm = read_ld(&file(&[("RPMS", "rpm", 10, 7, 4, floats([5000.0; 100]))])).expect("a log");
    assert_eq!(laps_of(&rpm, &[0.0, 9.0]).err(), Some(NoLap::NoPlace));
    for beacons in [&[][..], &[1.0], &[1.0, 2.0], &[f64::MAX / 2.0, f64::MAX]] {
        assert_eq!(
            laps_of(&at_ten_metres_a_second(&[]), beacons).err(),
            Some(NoLap::NoBeacons),
            "{beacons:?}"
        );
    }
}

#[test]
fn what_a_log_claims_does_not_make_its_laps_large() {
    // One sample of a channel that claims the highest rate, next to ten hours at 1 Hz.
    let slow = ("SPEED", "km/h", 1, 7, 4, floats([36.0; 36_000]));
    let fast = ("RPMS", "rpm", u16::MAX, 7, 4, floats([5000.0]));
    let log = read_ld(&file(&[slow, fast])).expect("a log");
    let beacons: Vec<f64> = (0..20).map(|nth| f64::from(nth) * 5.0).collect();
    let laps = laps_of(&log, &beacons).expect("laps");
    assert!(laps.iter().all(|lap| lap.columns.len() == 5000), "no more than a thousand rows a second");
    // A lap that alone exceeds the limit is dropped, not cut.
    assert_eq!(laps_of(&log, &[0.0, 30_000.0]).err(), Some(NoLap::NoBeacons));
}
