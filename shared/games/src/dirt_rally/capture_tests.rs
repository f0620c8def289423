//! Checks the decoder against real packets whose values an independent decoder has read.

use std::f32::consts::PI;

use trailbrake_model::time::LapTime;
use trailbrake_model::{Axis, Channel as C, EventKind, LapProgress, Slot, Wheel};
use trailbrake_sink::Recorder;

use super::describe;
use super::listener::Listener;
use crate::Value;

/// The packet of a car waiting at the start of a stage, non-zero channels only: the capture `single-prestart-264.bin`,
/// from soong-construction/dirt-rally-time-recorder at commit 12dc7e25 (MIT).
const WAITING: [u32; 66] = {
    let mut words = [0; 66];
    let channels = [
        (0, 0x41b9_7de9),
        (2, 0xc020_f100),
        (4, 0x4528_db4c),
        (5, 0x4407_decc),
        (6, 0xc587_46d1),
        (7, 0x3c03_70ee),
        (8, 0xbaf9_e811),
        (9, 0xbad7_9473),
        (10, 0x3bf9_990c),
        (11, 0xbe46_e0eb),
        (12, 0x3c46_0ac8),
        (13, 0xbf7b_1b3a),
        (14, 0xbf7a_d47a),
        (15, 0xbd50_6664),
        (16, 0x3e46_0488),
        (17, 0x4019_dd99),
        (18, 0x3f21_686c),
        (19, 0x4066_17e9),
        (20, 0x4056_9855),
        (21, 0xc20f_f7da),
        (22, 0xc207_893d),
        (23, 0xc215_e686),
        (24, 0xc20c_7b44),
        (27, 0x3bb5_b433),
        (28, 0x3bdd_8a0c),
        (34, 0x3c31_874d),
        (35, 0x3a60_d32c),
        (37, 0x42e6_622b),
        (38, 0x3f80_0000),
        (39, 0x3f80_0000),
        (51, 0xc2ed_f8c4),
        (52, 0xc2ed_f8c4),
        (53, 0xc2ed_f8c4),
        (54, 0xc2ed_f8c4),
        (60, 0x3f80_0000),
        (61, 0x45a4_02e1),
        (63, 0x4469_0060),
        (64, 0x42e6_622b),
        (65, 0x40c0_0000),
    ];
    let mut next = 0;
    while next < channels.len() {
        words[channels[next].0] = channels[next].1;
        next += 1;
    }
    words
};

fn capture(file: &str) -> Vec<Vec<u8>> {
    let bytes = trailbrake_captures::read(&format!("dirt-rally-2/{file}"));
    assert_eq!(bytes.len() % 264, 0);
    bytes.chunks(264).map(<[u8]>::to_vec).collect()
}

/// The expected values have four decimals.
fn near(value: f32, expected: f32) {
    assert!((value - expected).abs() <= expected.abs() * 1e-7 + 5.1e-5, "{value} is not {expected}");
}

/// A field as sent.
fn sent(datagram: &[u8], field: &str) -> f32 {
    match describe(datagram).expect("a packet").fields.at(field) {
        Some(Value::Float(value)) => *value,
        other => panic!("{field} is {other:?}"),
    }
}

/// The expected values of sent fields have seven digits, temperatures three decimals.
fn near_sent(value: f32, expected: f32) {
    assert!((value - expected).abs() <= expected.abs() * 5e-6, "{value} is not {expected}");
}

/// The values of a channel, sample by sample.
fn column(recorder: &Recorder, slot: Slot) -> Vec<f32> {
    recorder.all(&slot.id())
}

fn vectors(recorder: &Recorder, channel: C) -> Vec<[f32; 3]> {
    let [x, y, z] = Axis::ALL.map(|axis| recorder.all(&channel.along(axis).id()));
    x.iter().zip(y).zip(z).map(|((x, y), z)| [*x, y, z]).collect()
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The correlation of two series, -1 to 1.
fn correlation(a: &[f32], b: &[f32]) -> f32 {
    let mean = |row: &[f32]| row.iter().sum::<f32>() / row.len() as f32;
    let (of_a, of_b) = (mean(a), mean(b));
    let product = |x: &[f32], of_x: f32, y: &[f32], of_y: f32| -> f32 {
        x.iter().zip(y).map(|(x, y)| (x - of_x) * (y - of_y)).sum()
    };
    product(a, of_a, b, of_b) / (product(a, of_a, a, of_a) * product(b, of_b, b, of_b)).sqrt()
}

fn highest(values: &[f32]) -> f32 {
    values.iter().copied().fold(f32::MIN, f32::max)
}

fn lowest(values: &[f32]) -> f32 {
    values.iter().copied().fold(f32::MAX, f32::min)
}

fn clocks(progress: &[LapProgress]) -> Vec<f32> {
    progress.iter().filter_map(|progress| progress.clock).collect()
}

fn check_waiting(datagram: &[u8]) {
    let recorder = Listener::of([datagram]);
    for (id, expected) in [
        ("lap_clock", 0.0),
        ("lap_distance", -2.51471),
        ("stage_progress", 0.0),
        ("position_x", 2701.706),
        ("position_y", 543.4812),
        ("position_z", -4328.852),
        ("gear", 0.0),
        ("rpm", 1100.0),
        ("idle_rpm", 1100.0),
        ("max_rpm", 8900.0),
        ("max_gears", 6.0),
        ("race_position", 1.0),
    ] {
        near(recorder.value(id), expected);
    }
    for absent in ["brake_temperature_fl", "brake_temperature_rr", "tyre_pressure_fl", "fuel", "kers_level"] {
        assert_eq!(recorder.newest(absent), None, "{absent}");
    }
    assert_eq!(recorder.samples[0].0.session_time.map(|seconds| seconds as f32), Some(23.18648));
    let session = recorder.session();
    near(session.track_length_m.expect("a length"), 5248.36);
    assert_eq!((session.total_laps, session.sli_pro), (Some(1), Some(true)));
    let track = session.track.as_ref().expect("a track");
    assert_eq!((track.id.as_str(), track.name.as_deref()), ("5248.36@-4329", Some("Älgsjön Sprint")));
    // The raw values: rad/s, and brakes that are not warm yet.
    for (field, expected) in [
        ("engine_rate", 115.191_73),
        ("max_rpm", 932.005_86),
        ("track_length", 5_248.36),
        ("brake_temp.0", -118.986),
        ("brake_temp.3", -118.986),
        ("laps_completed", 0.0),
    ] {
        near_sent(sent(datagram, field), expected);
    }
    let vehicle = recorder.newest_vehicle().expect("a car");
    assert_eq!(vehicle.id.as_deref(), Some("8900/1100/6"));
    assert_eq!(vehicle.name.as_deref(), Some("BMW E30 Evo Rally"));
    assert_eq!(recorder.kinds(), [EventKind::SessionStarted]);
    assert_eq!(recorder.progress.len(), 0, "the lap begins with the start");
}

#[test]
fn a_waiting_car_waits_at_its_start() {
    check_waiting(&WAITING.map(u32::to_le_bytes).concat());
}

#[test]
#[ignore = "needs captures"]
fn the_captured_waiting_car_is_these_bytes() {
    let datagrams = capture("single-prestart-264.bin");
    assert_eq!(datagrams.len(), 1);
    assert_eq!(datagrams[0], WAITING.map(u32::to_le_bytes).concat());
    check_waiting(&datagrams[0]);
}

#[test]
#[ignore = "needs captures"]
fn the_captured_start_is_as_the_driver_drove_it() {
    let datagrams = capture("stage-first600.264xN.bin");
    let recorder = Listener::of(&datagrams);
    assert_eq!(recorder.samples.len(), 600);
    let last = recorder.progress.last().expect("progress");
    near(last.clock.expect("a clock"), 10.0163);
    near(last.distance.expect("a distance"), 166.0765);
    assert_eq!((last.lap, last.sector, last.last_lap), (1, 0, None));
    near(highest(&column(&recorder, C::Speed.slot())), 27.2458);
    let clocks = clocks(&recorder.progress);
    near((clocks[0] * 1e4).round() / 1e4, 0.0333);
    assert!(clocks.windows(2).all(|pair| (pair[1] - pair[0] - 1.0 / 60.0).abs() < 1e-5));
    for (id, expected) in [("max_rpm", 8000.0), ("idle_rpm", 1450.0), ("max_gears", 5.0)] {
        assert!((recorder.value(id) - expected).abs() < 2e-4, "{id}");
    }
    let track = recorder.session().track.clone().expect("a track");
    assert_eq!((track.id.as_str(), track.name.as_deref()), ("5236.91@-565", Some("Noorinbee Ridge Descent")));
    assert_eq!(
        recorder.newest_vehicle().and_then(|car| car.name.clone()).as_deref(),
        Some("Renault 5 Turbo")
    );
    // The recording begins after the start, so it has no start event.
    assert_eq!(recorder.kinds(), [EventKind::SessionStarted]);
}

#[test]
#[ignore = "needs captures"]
fn the_captured_end_is_the_finish_once_the_car_is_taken_away() {
    let mut datagrams = capture("stage-last600.264xN.bin");
    let recorder = Listener::of(&datagrams);
    let (first, last) = (&recorder.progress[0], &recorder.progress[599]);
    near(first.clock.expect("a clock"), 189.5924);
    near(first.distance.expect("a distance"), 5028.742);
    near(last.clock.expect("a clock"), 199.5753);
    near(last.distance.expect("a distance"), 5236.6816);
    assert!((recorder.value("stage_progress") - 0.99996).abs() < 1e-5);
    near(recorder.session().track_length_m.expect("a length"), 5236.91);
    assert_eq!((last.sectors[0], last.sectors[1]), (Some(LapTime(52_595)), Some(LapTime(53_014))));
    for datagram in &datagrams {
        near_sent(sent(datagram, "sector_1_time"), 52.594_59);
        near_sent(sent(datagram, "sector_2_time"), 53.013_82);
        near_sent(sent(datagram, "track_length"), 5_236.91);
        assert_eq!((sent(datagram, "laps_completed"), sent(datagram, "last_lap_time")), (0.0, 0.0));
    }
    // The game does not report the finish (laps completed and last lap time stay 0): it sends zeros.
    assert!(recorder.progress.iter().all(|progress| progress.last_lap.is_none()));
    datagrams.push(vec![0; 264]);
    let recorder = Listener::of(&datagrams);
    let time = Some(LapTime(199_575));
    assert_eq!(recorder.kinds(), [EventKind::SessionStarted, EventKind::Finished { time }]);
    assert_eq!(recorder.progress.last().expect("progress").last_lap, time);
}

#[test]
#[ignore = "needs captures"]
fn a_captured_reset_to_the_track_has_its_penalty() {
    let bytes = trailbrake_captures::read("next/dirt-rally-1/hillclimb-packets-0-1399.264xN.bin.gz");
    let datagrams: Vec<&[u8]> = bytes.chunks(264).collect();
    assert_eq!(datagrams.len(), 1400);
    let kinds = Listener::of(&datagrams).kinds();
    // The clock jumps from 25.649 to 40.666 s, while the car is set 14 m aside and stands.
    let [EventKind::SessionStarted, EventKind::Go, rest @ ..] = kinds.as_slice() else { panic!("{kinds:?}") };
    let resets: Vec<&EventKind> =
        rest.iter().filter(|kind| !matches!(kind, EventKind::Landed { .. })).collect();
    assert_eq!(resets, [&EventKind::Recovered, &EventKind::Penalty { millis: 15_000 }]);
    let before = Listener::of(&datagrams[..1190]);
    assert!(!before.kinds().contains(&EventKind::Recovered));
}

#[test]
#[ignore = "needs captures"]
fn the_captured_stage_has_its_splits_where_the_game_splits_it() {
    let datagrams = capture("stage-every5th.264xN.bin");
    let recorder = Listener::of(&datagrams);
    assert_eq!(datagrams.len(), 2395);
    assert_eq!(recorder.samples.len(), 2395);
    let sectors: Vec<u8> = recorder.progress.iter().map(|progress| progress.sector).collect();
    let clocks = clocks(&recorder.progress);
    for (sector, record, clock) in [(1, 631, 52.6312), (2, 1267, 105.6291), (3, 1781, 148.4607)] {
        assert_eq!((sectors[record - 1], sectors[record]), (sector - 1, sector));
        assert!((clocks[record] - clock).abs() < 1e-4);
    }
    let splits: Vec<(u8, u32)> = recorder
        .events
        .iter()
        .filter_map(|event| match event.kind {
            EventKind::Split { number, time } => Some((number, time.0)),
            _ => None,
        })
        .collect();
    // The first two are the game's times. The third is the packet in which the sector changed; the capture holds every
    // fifth packet.
    assert_eq!(splits, [(1, 52_595), (2, 105_609), (3, 148_461)]);
    near(*clocks.last().expect("a clock"), 199.542);
    near(recorder.progress.last().and_then(|last| last.distance).expect("a distance"), 5236.076);
    let rpm = column(&recorder, C::Rpm.slot());
    assert!((highest(&rpm) - 8243.6).abs() < 0.05, "863.266 rad/s");
    let gears = column(&recorder, C::Gear.slot());
    assert_eq!((lowest(&gears), highest(&gears)), (1.0, 5.0));
    // With every fifth packet, the extremes are close to those of the full recording and never beyond.
    for (channel, low, high) in
        [(C::Speed, 0.0, 43.2785), (C::GLateral, -2.477, 2.676_5), (C::GLongitudinal, -2.436, 2.084)]
    {
        let values = column(&recorder, channel.slot());
        assert!((low..=high).contains(&lowest(&values)) && highest(&values) <= high, "{channel:?}");
    }
    near(highest(&column(&recorder, C::Speed.slot())), 43.277);
    let engine = |name: &str| datagrams.iter().map(|datagram| sent(datagram, name)).fold(f32::MIN, f32::max);
    near_sent(engine("engine_rate"), 863.266);
    near_sent(engine("max_rpm"), 837.758);
    near_sent(engine("idle_rpm"), 151.844);
    assert!(datagrams.iter().all(|datagram| sent(datagram, "laps_completed") == 0.0));
}

#[test]
#[ignore = "needs captures"]
fn a_captured_clutch_is_pressed_while_the_gear_changes_and_let_go_otherwise() {
    let datagrams = capture("stage-every5th.264xN.bin");
    let recorder = Listener::of(&datagrams);
    let (clutch, gears) = (column(&recorder, C::Clutch.slot()), column(&recorder, C::Gear.slot()));
    let pressed = |values: &[f32]| values.iter().any(|&value| value > 0.5);
    let changes: Vec<usize> = (3..gears.len() - 3).filter(|&at| gears[at] != gears[at - 1]).collect();
    let seen = changes.iter().filter(|&&at| pressed(&clutch[at - 3..at + 3])).count();
    assert!(changes.len() > 40 && seen * 10 > changes.len() * 9, "{seen} of {}", changes.len());
    assert!(clutch.iter().filter(|&&value| value == 0.0).count() * 10 > clutch.len() * 8);
}

#[test]
#[ignore = "needs captures"]
fn a_captured_car_turns_to_where_it_was_steered() {
    let datagrams = capture("stage-every5th.264xN.bin");
    let recorder = Listener::of(&datagrams);
    // From z towards x is left; steering is positive to the right. A rally car responds within half a second.
    let heading: Vec<f32> = vectors(&recorder, C::Forward).iter().map(|[x, _, z]| x.atan2(*z)).collect();
    let turned = |at: usize| (heading[at + 6] - heading[at] + 9.0 * PI).rem_euclid(2.0 * PI) - PI;
    let to_the_left: Vec<f32> = (0..heading.len() - 6).map(turned).collect();
    let steering = column(&recorder, C::Steering.slot());
    let together = correlation(&steering[..to_the_left.len()], &to_the_left);
    assert!(together < -0.35, "{together}");
}

#[test]
#[ignore = "needs captures"]
fn captured_flights_have_time_and_distance() {
    let flights = |file: &str| -> Vec<(u32, u32)> {
        let recorder = Listener::of(capture(file));
        assert!(!recorder.events.iter().any(|event| matches!(event.kind, EventKind::Hit { .. })), "{file}");
        let landed = recorder.events.iter().filter_map(|event| match event.kind {
            EventKind::Landed { millis, centimetres } => Some((millis, centimetres)),
            _ => None,
        });
        landed.collect()
    };
    let all = flights("stage-every5th.264xN.bin");
    // Flights last from the first packet in free fall with all springs extended to the first packet without.
    assert!((12..=18).contains(&all.len()), "{all:?}");
    let longest = all.iter().max().expect("a flight");
    assert!((800..=950).contains(&longest.0) && (2_800..=3_300).contains(&longest.1), "{longest:?}");
    assert_eq!(flights("stage-first600.264xN.bin"), []);
    assert_eq!(flights("stage-last600.264xN.bin"), []);
}

#[test]
#[ignore = "needs captures"]
fn captured_forces_have_the_signs_of_what_the_car_did() {
    let datagrams = capture("stage-first600.264xN.bin");
    let recorder = Listener::of(&datagrams);
    let velocity = vectors(&recorder, C::Velocity);
    let (right, forward) = (vectors(&recorder, C::Right), vectors(&recorder, C::Forward));
    let speed = column(&recorder, C::Speed.slot());
    // A rally car slides but mostly moves forward.
    let ahead: Vec<f32> = velocity.iter().zip(&forward).map(|(v, f)| dot(*v, *f)).collect();
    assert!(correlation(&ahead, &speed) > 0.98);
    // Up is right × forward, and the car stands on its wheels.
    for (r, f) in right.iter().zip(&forward) {
        assert!(r[2] * f[0] - r[0] * f[2] > 0.8);
        assert!(dot(*r, *f).abs() < 1e-4);
    }
    let clock = column(&recorder, C::LapClock.slot());
    let along = |axis: &[[f32; 3]]| -> Vec<f32> {
        (5..velocity.len() - 5)
            .map(|place| {
                let change = [0, 1, 2].map(|part| velocity[place + 5][part] - velocity[place - 5][part]);
                dot(change, axis[place]) / (clock[place + 5] - clock[place - 5])
            })
            .collect()
    };
    // Averaged over ten packets, like the change above.
    let smooth = |values: Vec<f32>| -> Vec<f32> {
        (5..values.len() - 5).map(|place| values[place - 5..=place + 5].iter().sum::<f32>() / 11.0).collect()
    };
    let (lateral, longitudinal) =
        (smooth(column(&recorder, C::GLateral.slot())), smooth(column(&recorder, C::GLongitudinal.slot())));
    assert!(correlation(&along(&right), &lateral) < -0.9, "positive to the left");
    assert!(correlation(&along(&forward), &longitudinal) > 0.9, "positive when accelerating");
}

#[test]
#[ignore = "needs captures"]
fn captured_wheels_stand_where_they_are_named() {
    let datagrams = capture("stage-first600.264xN.bin");
    let recorder = Listener::of(&datagrams);
    let wheel = |channel: C, wheel: Wheel| column(&recorder, channel.of(wheel));
    // A rear-wheel-drive car at the start: the rear wheels spin.
    let [fl, fr, rl, rr] = Wheel::ALL.map(|place| wheel(C::WheelSpeed, place));
    let spin = (0..120).map(|at| rl[at].min(rr[at]) - fl[at].max(fr[at])).fold(f32::MIN, f32::max);
    assert!(spin > 5.0, "{spin}");
    // Accelerating to the left, the car leans on its right wheels; braking, on its front wheels. Compression is
    // positive.
    let [fl, fr, rl, rr] = Wheel::ALL.map(|place| wheel(C::SuspensionPosition, place));
    let lean: Vec<f32> = (0..fl.len()).map(|at| fl[at] + rl[at] - fr[at] - rr[at]).collect();
    assert!(correlation(&lean, &column(&recorder, C::GLateral.slot())) < -0.6);
    let dive: Vec<f32> = (0..fl.len()).map(|at| fl[at] + fr[at] - rl[at] - rr[at]).collect();
    assert!(correlation(&dive, &column(&recorder, C::GLongitudinal.slot())) < -0.5);
    assert!(highest(&fl) < 0.2 && lowest(&fl) > -0.2, "metres");
}
