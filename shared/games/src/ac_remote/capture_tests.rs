//! Tests with real packets: the end of a lap of Monza and the start of the next, recorded by another program.

use std::collections::BTreeMap;

use trailbrake_model::EventKind;
use trailbrake_model::time::Micros;
use trailbrake_sink::Recorder;

use super::{Decoder, Kind, datagram_size, describe, recognise};
use crate::{Decode, Value};

fn capture() -> Vec<Vec<u8>> {
    let bytes = trailbrake_captures::read("assetto-corsa-ksudp/monza-packets-7441-8640.328xN.bin");
    assert_eq!(bytes.len(), 393_600);
    bytes.chunks(328).map(<[u8]>::to_vec).collect()
}

/// Plays the packets at 60 per second: the capture has no times, and the real rate was about that.
fn play(packets: &[Vec<u8>], mut take: impl FnMut(Micros, &[u8])) {
    for (number, packet) in packets.iter().enumerate() {
        take(Micros(0).plus_seconds(number as f64 / 60.0), packet);
    }
}

fn all(packets: &[Vec<u8>]) -> Recorder {
    let (mut decoder, mut recorder) = (Decoder::default(), Recorder::default());
    play(packets, |at, packet| decoder.receive(at, packet, &mut recorder).expect("a whole packet"));
    recorder
}

/// A field's value as sent.
fn field(packet: &[u8], path: &str) -> Value {
    describe(packet).expect("a packet").fields.at(path).cloned().expect("a field")
}

fn whole(packet: &[u8], path: &str) -> i64 {
    match field(packet, path) {
        Value::Signed(number) => number,
        Value::Unsigned(number) => i64::try_from(number).expect("a small number"),
        other => panic!("{other:?}"),
    }
}

fn check(packet: &[u8], expected: &[(&str, f64)]) {
    for &(path, expected) in expected {
        let value = match field(packet, path) {
            Value::Float(number) => f64::from(number),
            Value::Signed(number) => number as f64,
            other => panic!("{other:?}"),
        };
        assert!((value - expected).abs() <= expected.abs() * 1e-6, "{path}: {value} is not {expected}");
    }
}

#[test]
#[ignore = "needs captures"]
fn the_captured_packets_are_updates_and_hold_what_all_of_them_hold() {
    let packets = capture();
    assert_eq!(packets.len(), 1200);
    for packet in &packets {
        assert_eq!((recognise(packet), datagram_size(packet)), (Ok(Kind::Update), Ok(328)));
        assert_eq!((packet[0], &packet[1..4], &packet[26..28]), (0x61, &[0; 3][..], &[0; 2][..]));
        for (path, value) in [("size", 328), ("abs_enabled", 1), ("tc_enabled", 1), ("engine_limiter_on", 0)]
        {
            assert_eq!(whole(packet, path), value, "{path}");
        }
        check(packet, &[("clutch", 1.0), ("slope", 0.0)]);
        for path in ["slip_angle_contact_patch", "tyre_slip"] {
            assert_eq!(field(packet, path), Value::List(vec![Value::Float(0.0); 4]), "{path}");
        }
    }
    let mut gears = BTreeMap::new();
    packets.iter().for_each(|packet| *gears.entry(whole(packet, "gear")).or_insert(0) += 1);
    assert_eq!(gears, [(6, 871), (5, 323), (1, 6)].into());
}

#[test]
#[ignore = "needs captures"]
fn the_captured_packets_say_what_their_figures_say() {
    let packets = capture();
    check(
        &packets[0],
        &[
            ("speed_kmh", 163.6787),
            ("gas", 1.0),
            ("brake", 0.0),
            ("clutch", 1.0),
            ("engine_rpm", 6257.297),
            ("steer", 64.53105),
            ("gear", 5.0),
            ("position_normalised", 0.9295467),
            ("position.x", -175.96138),
            ("position.y", -10.461377),
            ("position.z", 814.4018),
            ("lap_time", 337_052.0),
            ("last_lap", 0.0),
            ("best_lap", 0.0),
            ("lap_count", 0.0),
        ],
    );
    check(&packets[456], &[("position_normalised", 0.9999514), ("lap_time", 344_660.0), ("lap_count", 0.0)]);
    check(&packets[457], &[("lap_time", 344_672.0), ("lap_count", 0.0)]);
    let Value::Float(share) = field(&packets[457], "position_normalised") else { panic!("a number") };
    assert!((share - 0.0000787).abs() < 5e-8, "{share}");
    check(
        &packets[458],
        &[
            ("lap_count", 1.0),
            ("last_lap", 344_684.0),
            ("best_lap", 344_684.0),
            ("lap_time", 8.0),
            ("speed_kmh", 222.0885),
        ],
    );
    let Value::Float(share) = field(&packets[458], "position_normalised") else { panic!("a number") };
    assert!((share - 0.00029289).abs() < 5e-9, "{share}");
    check(
        &packets[1199],
        &[
            ("speed_kmh", 244.5152),
            ("speed_mph", 151.9347),
            ("speed_ms", 67.92089),
            ("gear", 6.0),
            ("engine_rpm", 7639.68),
            ("lap_time", 4380.0),
            ("position_normalised", 0.04979353),
            ("position.x", -174.81863),
            ("position.y", -6.7596545),
            ("position.z", 128.80542),
            ("g_lateral", -1.6552142),
            ("g_vertical", -0.021215583),
            ("g_longitudinal", 0.14084342),
        ],
    );
    assert!(packets[720..].iter().all(|packet| *packet == packets[720]));
    let clocks: Vec<i64> = packets[..721].iter().map(|packet| whole(packet, "lap_time")).collect();
    let crossing = clocks.windows(2).position(|pair| pair[1] < pair[0]);
    assert_eq!(crossing, Some(457), "the clock goes on but for the line");
}

#[test]
#[ignore = "needs captures"]
fn the_captured_line_crossing_ends_a_lap_and_the_frozen_end_is_a_pause() {
    let packets = capture();
    let seen = all(&packets);
    assert_eq!(seen.kinds(), [EventKind::SessionStarted, EventKind::Paused]);
    assert_eq!(seen.samples.len(), 721, "frozen frames say nothing");
    let times: Vec<f64> = seen.samples.iter().filter_map(|(moment, _)| moment.session_time).collect();
    assert!(times.windows(2).all(|pair| pair[0] < pair[1] && pair[1] - pair[0] < 0.05));
    assert!((times[720] - (344.684 + 4.38)).abs() < 1e-9);
    let gears: Vec<f32> = seen.all("gear");
    assert_eq!((gears[0], gears[720]), (4.0, 5.0));
}

#[test]
#[ignore = "needs captures"]
fn the_captured_car_turns_accelerates_and_rolls_as_the_models_axes_say() {
    let packets = capture();
    let seen = all(&packets);
    let rows: Vec<_> =
        seen.samples.iter().map(|(moment, values)| (moment.session_time.expect("a time"), values)).collect();
    let (mut turns, mut speeds, mut loads, mut cases) = (0.0, 0.0, 0.0, 0.0);
    for window in rows.windows(11).filter(|window| window[10].0 - window[0].0 < 0.3) {
        let [first, middle, last] = [0, 5, 10].map(|row| {
            let (seconds, values) = &window[row];
            (*seconds, ["position_x", "position_z"].map(|id| f64::from(values[id])), values["speed"])
        });
        let way = |a: [f64; 2], b: [f64; 2]| [b[0] - a[0], b[1] - a[1]];
        let ([ax, az], [bx, bz]) = (way(first.1, middle.1), way(middle.1, last.1));
        let half_s = (last.0 - first.0) / 2.0;
        // Right-handed with y up: a left turn goes from z towards x.
        let left = (az * bx - ax * bz) / (ax.hypot(az) * bx.hypot(bz)) / half_s;
        let values = &window[5].1;
        let felt = f64::from(values["g_lateral"]) * 9.81 / f64::from(middle.2);
        if left.abs() > 0.1 {
            turns += felt / left;
            let on_the_left = f64::from(values["tyre_load_fl"] + values["tyre_load_rl"]);
            let on_the_right = f64::from(values["tyre_load_fr"] + values["tyre_load_rr"]);
            loads += f64::from(u8::from((on_the_left < on_the_right) == (left > 0.0)));
            cases += 1.0;
        }
        speeds += ax.hypot(az) / half_s / f64::from(middle.2) / rows.windows(11).count() as f64;
    }
    assert!(cases > 100.0, "{cases}");
    assert!((turns / cases - 1.0_f64).abs() < 0.1, "lateral g is the turn's, to the left: {}", turns / cases);
    assert!(loads / cases > 0.9, "the outer wheels carry more: {}", loads / cases);
    assert!((speeds - 1.0_f64).abs() < 0.1, "{speeds}");
    // Wheel speed, from the radius sent, matches the car's speed.
    for (_, values) in &rows {
        for wheel in ["fl", "fr", "rl", "rr"] {
            let ratio = values[&format!("wheel_speed_{wheel}")] / values["speed"];
            assert!((ratio - 1.0).abs() < 0.08, "{ratio}");
        }
    }
}
