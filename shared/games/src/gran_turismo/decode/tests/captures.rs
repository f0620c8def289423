//! Checks the decoder against real GT7 packets whose values independent decoders have read.

use std::collections::BTreeMap;

use super::*;
use crate::gran_turismo::cipher;
use crate::gran_turismo::datagram_size;

/// The packets in a capture file.
fn capture(file: &str) -> Vec<Vec<u8>> {
    let bytes = trailbrake_captures::read(&format!("gran-turismo/{file}"));
    let mut packets = Vec::new();
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        let (packet, behind) = rest.split_at(datagram_size(rest).expect("a packet"));
        packets.push(packet.to_vec());
        rest = behind;
    }
    packets
}

fn all(packets: &[Vec<u8>]) -> Recorder {
    Recorder::of_all(packets.iter().map(Vec::as_slice))
}

/// A field of every packet, as sent.
fn field(packets: &[Vec<u8>], path: &str) -> Vec<Value> {
    packets
        .iter()
        .map(|packet| describe(packet).expect("a packet").fields.at(path).cloned().expect("a field"))
        .collect()
}

fn whole(packets: &[Vec<u8>], path: &str) -> Vec<i64> {
    let whole = |value| match value {
        Value::Signed(number) => number,
        Value::Unsigned(number) => i64::try_from(number).expect("a small number"),
        other => panic!("{other:?}"),
    };
    field(packets, path).into_iter().map(whole).collect()
}

fn float(packets: &[Vec<u8>], path: &str) -> Vec<f32> {
    field(packets, path)
        .into_iter()
        .map(|value| if let Value::Float(number) = value { number } else { panic!("{value:?}") })
        .collect()
}

/// The number of occurrences of each value.
fn counts<T: Ord>(values: impl IntoIterator<Item = T>) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    values.into_iter().for_each(|value| *counts.entry(value).or_default() += 1);
    counts
}

fn near(value: f32, expected: f64) {
    assert!((f64::from(value) - expected).abs() <= expected.abs() * 2e-6 + 1e-6, "{value} is not {expected}");
}

fn check_values(seen: &Recorder, packet: usize, expected: &[(&str, f64)]) {
    for &(id, expected) in expected {
        let value = seen.samples[packet].1[id];
        assert!(
            (f64::from(value) - expected).abs() <= expected.abs() * 2e-6 + 1e-6,
            "{id}: {value} is not {expected}"
        );
    }
}

fn extremes(values: &[f32]) -> (f32, f32) {
    values
        .iter()
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)))
}

const INTERLAGOS: &str = "gt7-A-encrypted-interlagos.296xN.bin";

#[test]
#[ignore = "needs captures"]
fn the_captured_lap_opens_with_the_mask_of_a() {
    let packets = capture(INTERLAGOS);
    assert_eq!(packets.len(), 166);
    for packet in &packets {
        let opened = DecipheredPacket::read(packet).expect("a packet");
        assert_eq!((opened.kind.name(), opened.kind.sealed), ("GT7 A", Some(Scheme::Gt7A)));
        assert_eq!(opened.bytes()[..4], *b"0S7G");
        assert_eq!(opened.bytes()[0x93], 0);
        assert_eq!(opened.bytes()[0xd4..0xf4], [0; 32]);
    }
    assert_eq!(cipher::seed(&packets[0]), Some(0x32DF_792A_u32.to_le_bytes()));
    assert_eq!(packets[0][..16], 0x541f_f80c_31b2_a39c_61a0_31b7_7943_ba05_u128.to_be_bytes());
    let opened = DecipheredPacket::read(&packets[0]).expect("a packet");
    assert_eq!(opened.bytes()[..16], 0x3053_3747_5ac2_bbc3_91e6_8241_1788_4743_u128.to_be_bytes());
    // Deciphering and encrypting again gives the identical datagram.
    let mut sealed = opened.bytes().to_vec();
    Scheme::Gt7A.seal(0x32DF_792A_u32.to_le_bytes(), &mut sealed);
    assert_eq!(sealed, packets[0]);
}

#[test]
#[ignore = "needs captures"]
fn the_captured_lap_says_what_its_figures_say() {
    let packets = capture(INTERLAGOS);
    for (path, value) in [
        ("car_code", 3450),
        ("current_lap", 2),
        ("total_laps", 0),
        ("last_lap", 86_874),
        ("best_lap", -1),
        ("time_of_day", 54_600_000),
        ("grid_position", -1),
        ("cars_before_start", -1),
        ("rpm_alert_min", 6800),
        ("rpm_alert_max", 7000),
        ("calculated_max_speed", 267),
    ] {
        assert_eq!(counts(whole(&packets, path)), [(value, 166)].into(), "{path}");
    }
    for (path, value) in [
        ("fuel_level", 100.0),
        ("fuel_capacity", 100.0),
        ("water_temperature", 85.0),
        ("oil_temperature", 110.0),
    ] {
        assert!(float(&packets, path).iter().all(|&found| found == value), "{path}");
    }
    assert!(whole(&packets, "gears").iter().all(|gears| gears >> 4 == 15));
    assert_eq!(counts(whole(&packets, "flags")), [(0x19, 163), (0x11, 2), (0x39, 1)].into());
    let ids = whole(&packets, "packet_id");
    assert_eq!((ids[0], ids[165]), (152_105, 158_534));

    let seen = all(&packets);
    assert_eq!(seen.samples.len(), 166);
    assert_eq!(seen.vehicle().name.as_deref(), Some("Nissan GT-R NISMO GT3 '18"));
    let track = seen.session().track.clone().expect("a track");
    assert_eq!(
        (track.title().as_str(), track.recognised),
        ("Autódromo de Interlagos", Some(Recognised::Layout))
    );
    let gears = counts(seen.all("gear").into_iter().map(|gear| gear as i32));
    assert_eq!(gears, [(1, 18), (2, 62), (3, 50), (4, 14), (5, 22)].into());
    assert_eq!((seen.newest("suggested_gear"), extremes(&seen.all("rpm")).1), (None, 6846.0));
    near(extremes(&seen.all("speed")).1 * 3.6, 249.1499);
    check_values(
        &seen,
        0,
        &[
            ("position_x", -375.51837),
            ("position_y", 16.362581),
            ("position_z", 199.5316),
            ("speed", 67.75639),
            ("rpm", 6553.0),
            ("gear", 5.0),
            ("throttle", 1.0),
            ("brake", 0.0),
            ("tyre_radius_fl", 0.355),
            ("tyre_radius_rr", 0.355),
            ("time_of_day", 54_600.0),
            ("top_speed_shown", 267.0),
            ("shift_rpm", 6800.0),
            ("max_rpm", 7000.0),
            ("fuel_volume", 100.0),
            ("water_temperature", 85.0),
            ("oil_temperature", 110.0),
        ],
    );
    let roughly = |id: &str, expected: f32, slack: f32| {
        let value = seen.samples[0].1[id];
        assert!((value - expected).abs() < slack, "{id}: {value} is not {expected}");
    };
    for (wheel, rolling, celsius) in
        [("fl", 190.859, 58.68), ("fr", 190.868, 59.64), ("rl", 195.413, 61.46), ("rr", 195.413, 62.41)]
    {
        roughly(&format!("wheel_speed_{wheel}"), rolling * 0.355, 3e-4);
        roughly(&format!("tyre_surface_temperature_{wheel}"), celsius, 6e-3);
    }
    for (path, expected) in [
        ("rotation.x", 0.0045700),
        ("rotation.y", -0.9948889),
        ("rotation.z", 0.0137872),
        ("rotation_w", 0.0999262),
        ("wheel_angular_speed.0", -190.859),
        ("wheel_angular_speed.3", -195.413),
    ] {
        assert!((float(&packets[..1], path)[0] - expected).abs() < expected.abs() * 3e-6 + 1e-7, "{path}");
    }
    check_values(
        &seen,
        100,
        &[("gear", 2.0), ("throttle", 183.0 / 255.0), ("rpm", 5126.0), ("speed", 27.544172)],
    );
    assert_eq!(ids[100], 155_873);
    check_values(&seen, 165, &[("speed", 65.99173), ("rpm", 6374.0)]);
    assert_eq!(seen.vehicle().id.as_deref(), Some("3450"));
    let last = seen.progress.last().expect("progress");
    assert_eq!((last.lap, last.last_lap, last.best_lap), (2, Some(LapTime(86_874)), None));
    assert_eq!((last.clock, last.distance), (None, None), "it was not received from the line on");
}

#[test]
#[ignore = "needs captures"]
fn on_the_captured_lap_the_nose_points_where_the_car_goes() {
    for file in [INTERLAGOS, "gt7-C-plain-replay.368xN.bin.gz"] {
        let packets = capture(file);
        let seen = all(&packets);
        let cosine: f32 = seen
            .samples
            .iter()
            .map(|(_, values)| {
                let part = |name: &str, axis| values[&format!("{name}_{axis}")];
                ["x", "y", "z"].map(|axis| part("forward", axis) * part("velocity", axis)).iter().sum::<f32>()
                    / values["speed"]
            })
            .sum::<f32>()
            / seen.samples.len() as f32;
        assert!(cosine > 0.986, "{file}: {cosine}");
    }
}

#[test]
#[ignore = "needs captures"]
fn the_captured_single_packet_is_a_car_that_waits() {
    let packets = capture("gt7-A-encrypted-single-296.bin");
    assert_eq!(packets.len(), 1);
    let seen = all(&packets);
    check_values(
        &seen,
        0,
        &[
            ("speed", 0.0),
            ("rpm", 608.0),
            ("gear", 1.0),
            ("shift_rpm", 9600.0),
            ("max_rpm", 11_000.0),
            ("top_speed_shown", 189.0),
            ("time_of_day", 30_488.283),
            ("position_x", -4138.7207),
            ("position_y", 0.51345944),
            ("position_z", -5250.9395),
            ("clutch", 1.0),
            ("clutch_engagement", 0.0),
            ("boost", (0.46337891 - 1.0) * 1e5),
            ("game_flags", 0x91.into()),
        ],
    );
    for wheel in ["fl", "fr", "rl", "rr"] {
        assert!((seen.value(&format!("tyre_radius_{wheel}")) - 0.2851).abs() < 6e-5);
    }
    assert_eq!(seen.newest("suggested_gear"), None);
    assert_eq!(seen.newest("wheel_slip_fl"), None, "standing");
    assert_eq!(seen.samples[0].0.frame, Some(85_456));
    assert_eq!((whole(&packets, "total_laps"), whole(&packets, "current_lap")), (vec![0], vec![0]));
    let vehicle = seen.vehicle();
    assert_eq!(vehicle.id.as_deref(), Some("779"));
    assert_eq!(vehicle.gear_ratios.len(), 5);
    for (ratio, expected) in vehicle.gear_ratios.iter().zip([3.08, 2.14, 1.577, 1.225, 1.003]) {
        near(*ratio, expected);
    }
    assert_eq!((seen.session().total_laps, seen.progress[0].lap), (None, 0));
}

const REPLAY: &str = "gt7-C-plain-replay.368xN.bin.gz";

#[test]
#[ignore = "needs captures"]
fn the_captured_replay_says_what_its_figures_say() {
    let packets = capture(REPLAY);
    assert_eq!(packets.len(), 6914);
    assert!(packets.iter().all(|packet| packet.starts_with(b"0S7G") && packet.len() == 368));
    let ids = whole(&packets, "packet_id");
    assert_eq!((ids[0], ids[6913]), (704_544, 711_457));
    assert!(ids.windows(2).all(|pair| pair[1] == pair[0] + 1));
    for (path, value) in [
        ("car_code", 3582),
        ("time_of_day", 65_700_000),
        ("rpm_alert_min", 16_000),
        ("rpm_alert_max", 17_000),
        ("calculated_max_speed", 376),
        ("power_type", 2),
        ("fuel_mark", 1),
        ("best_lap", -1),
    ] {
        assert_eq!(counts(whole(&packets, path)), [(value, 6914)].into(), "{path}");
    }
    assert!(field(&packets, "car_category").iter().all(|class| *class == Value::Text("GRX".into())));
    assert_eq!(counts(whole(&packets, "flags")), [(0x18, 6514), (0x10, 320), (0x38, 79), (0x30, 1)].into());
    let seeds: std::collections::BTreeSet<&[u8]> = packets.iter().map(|packet| &packet[0x40..0x44]).collect();
    assert!(seeds.len() > 6900, "{} different leftovers", seeds.len());

    let laps = whole(&packets, "current_lap");
    assert!(laps[..6913].iter().all(|&lap| lap == 1) && laps[6913] == 2);
    assert_eq!(whole(&packets, "last_lap")[6913], 115_244);
    let clock = whole(&packets, "current_lap_time");
    assert_eq!((&clock[..4], clock[6912], clock[6913]), (&[34, 50, 67, 84][..], 115_234, 115_250));
    let steps = counts(clock.windows(2).map(|pair| pair[1] - pair[0]));
    assert_eq!(steps, [(16, 2305), (17, 4608)].into());
}

#[test]
#[ignore = "needs captures"]
fn the_captured_replay_fills_its_channels() {
    let packets = capture(REPLAY);
    let seen = all(&packets);
    assert_eq!((seen.samples.len(), seen.session().replay), (6914, Some(true)));
    assert_eq!(seen.vehicle().name.as_deref(), Some("Chevrolet Corvette CX.R VGT Concept"));
    // The other layout there is the same road with its line elsewhere: the end of the lap decides.
    let track = |seen: &Recorder| seen.session().track.clone().expect("a track");
    let spa = Track {
        id: "Circuit de Spa-Francorchamps".into(),
        name: Some("Circuit de Spa-Francorchamps".into()),
        recognised: Some(Recognised::Layout),
    };
    assert_eq!(track(&seen), spa);
    assert_eq!(track(&all(&packets[..6913])), Track { recognised: Some(Recognised::Track), ..spa });
    let known = |packets_until: &usize| all(&packets[..*packets_until]).session().track.is_some();
    let until = (300..6913).step_by(300).find(known);
    assert!(until.is_some_and(|until| until <= 25 * 60), "recognised after {until:?} packets");
    let gears = counts(seen.all("gear").into_iter().map(|gear| gear as i32));
    assert_eq!(gears, [(2, 1515), (3, 1613), (4, 1770), (5, 1416), (6, 600)].into());
    near(extremes(&seen.all("speed")).1 * 3.6, 317.6898);
    assert_eq!(extremes(&seen.all("rpm")).1, 16_449.0);
    let surfaces = counts(seen.samples.iter().map(|(_, values)| {
        let letter = |wheel| match Surface::from_number(values[&format!("surface_{wheel}")] as u16) {
            Some(Surface::Tarmac) => 'T',
            Some(Surface::Kerb) => 'C',
            Some(Surface::Grass) => 'G',
            other => panic!("{other:?}"),
        };
        ["fl", "fr", "rl", "rr"].map(letter).iter().collect::<String>()
    }));
    assert_eq!(surfaces.len(), 17);
    for (letters, count) in [
        ("TTTT", 5688),
        ("TCTC", 509),
        ("CTCT", 498),
        ("TTTC", 55),
        ("CTTT", 47),
        ("TTCT", 46),
        ("TCTT", 42),
        ("GTCT", 8),
    ] {
        assert_eq!(surfaces[letters], count, "{letters}");
    }
    const G: f64 = 9.806_65;
    // Positive to the right in the model, to the left in the packet.
    for (id, scale, low, high) in [
        ("steering_angle", -1.0, -2.64022, 2.52277),
        ("steering_speed", -1.0, -2.99039, 3.36961),
        ("g_lateral", -G, -40.914, 38.349),
        ("g_vertical", G, -17.835, 34.239),
        ("g_longitudinal", G, -40.246, 18.682),
        ("wheelbase", 1.0, 2.68352, 2.71364),
    ] {
        let (a, b) = extremes(&seen.all(id));
        let mut found = [f64::from(a) * scale, f64::from(b) * scale];
        found.sort_by(f64::total_cmp);
        assert!((found[0] - low).abs() < 1e-3 && (found[1] - high).abs() < 1e-3, "{id}: {found:?}");
    }
    check_values(
        &seen,
        0,
        &[
            ("speed", 71.113846),
            ("rpm", 15_728.0),
            ("gear", 4.0),
            ("throttle", 1.0),
            ("steering_angle", 0.0023864924),
            ("lap_clock", 0.034),
            ("time_of_day", 65_700.0),
        ],
    );
    check_values(
        &seen,
        3456,
        &[
            ("lap_clock", 57.634),
            ("speed", 67.5859),
            ("steering_angle", 0.039271884),
            ("g_longitudinal", 3.8542905 / G),
        ],
    );
    let vehicle = seen.vehicle();
    assert_eq!((vehicle.id.as_deref(), vehicle.class.as_deref()), (Some("3582"), Some("GRX")));
    assert_eq!((vehicle.power, vehicle.fuel_mark), (Some(Power::Combustion), Some(1)));
}

#[test]
#[ignore = "needs captures"]
fn the_captured_replay_is_one_lap() {
    let packets = capture(REPLAY);
    let seen = all(&packets);
    let spa = EventKind::TrackDetected { name: "Circuit de Spa-Francorchamps".into() };
    assert_eq!(seen.kinds(), [EventKind::SessionStarted, spa]);
    let by_speed: f64 = seen.all("speed").iter().map(|&speed| f64::from(speed) / 60.0).sum();
    assert!((by_speed - 6811.48).abs() < 0.01, "{by_speed}");
    let places: Vec<[f32; 3]> = seen
        .samples
        .iter()
        .map(|(_, values)| ["x", "y", "z"].map(|axis| values[&format!("position_{axis}")]))
        .collect();
    let path: f64 = places
        .windows(2)
        .map(|pair| pair[0].iter().zip(pair[1]).map(|(a, b)| f64::from(b - a).powi(2)).sum::<f64>().sqrt())
        .sum();
    assert!((path - 6817.88).abs() < 0.01, "{path}");

    let [.., before, last] = seen.progress.as_slice() else { panic!("progress") };
    assert_eq!((before.lap, before.last_lap), (1, None));
    near(before.clock.expect("a clock"), 115.234);
    // The first packet is 34 ms after the line, 2.4 m into the lap.
    let first = seen.progress[0].distance.expect("a distance");
    assert!((first - 0.034 * 71.113_85).abs() < 1e-3, "{first}");
    let driven = before.distance.expect("a distance");
    assert!((f64::from(driven) - path).abs() < 8.0, "{driven}");
    assert_eq!((last.lap, last.last_lap, last.best_lap), (2, Some(LapTime(115_244)), None));
    // The packet at the line still has the old lap's clock: 115.250 − 115.244.
    near(last.clock.expect("a clock"), 0.006);
    assert!((0.3..0.6).contains(&last.distance.expect("a distance")), "{:?}", last.distance);

    // Without C's clock, ticks and the official time give nearly the same result.
    let short: Vec<Vec<u8>> = packets.iter().map(|packet| packet[..344].to_vec()).collect();
    let seen = all(&short);
    assert_eq!(seen.progress[6912].clock, None, "not received from the line on");
    // The middle between two ticks is the best guess.
    assert_eq!(seen.progress[6913].lap, 2);
    near(seen.progress[6913].clock.expect("a clock"), 1.0 / 120.0);
}

#[test]
#[ignore = "needs captures"]
fn the_captured_replay_gives_the_signals_of_gt_telem() {
    let packets = capture(REPLAY);
    let seen = all(&packets);
    for (signal, count) in [
        (Signal::GearChange, 42),
        (Signal::Throttle, 67),
        (Signal::Brake, 23),
        (Signal::RevLimit, 44),
        (Signal::ShiftLightLow, 24),
        (Signal::ShiftLightHigh, 0),
        (Signal::Tcs, 0),
        (Signal::LapChange, 1),
        (Signal::LastLapTime, 1),
        (Signal::BestLapTime, 0),
        (Signal::RaceStart, 0),
        (Signal::RaceFinish, 0),
    ] {
        assert_eq!(seen.signals(signal).len(), count, "{}", signal.name());
    }
    assert_eq!(seen.signals(Signal::LapChange), [Some(2)]);
    assert_eq!(seen.signals(Signal::LastLapTime), [Some(115_244)]);
}

#[test]
#[ignore = "needs captures"]
fn accelerations_from_the_velocity_are_those_of_the_packet() {
    let packets = capture(REPLAY);
    let (sent, short): (_, Vec<Vec<u8>>) =
        (all(&packets), packets.iter().map(|packet| packet[..296].to_vec()).collect());
    let derived = all(&short);
    for (id, least) in [("g_lateral", 0.98), ("g_longitudinal", 0.95), ("g_vertical", 0.8)] {
        let (sent, derived) = (sent.all(id), derived.all(id));
        assert_eq!(sent.len(), derived.len() + 1, "the first packet has none before it");
        let pairs = sent[1..].iter().zip(&derived).map(|(a, b)| (f64::from(*a), f64::from(*b)));
        let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
        pairs.for_each(|(a, b)| (ab, aa, bb) = (ab + a * b, aa + a * a, bb + b * b));
        // Same sign and nearly the same magnitude.
        let (alike, slope) = (ab / f64::sqrt(aa * bb), ab / aa);
        assert!(alike > least && (0.9..1.1).contains(&slope), "{id}: {alike} {slope}");
    }
}
