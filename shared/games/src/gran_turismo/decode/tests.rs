use proptest::prelude::*;
use trailbrake_model::time::LapTime;
use trailbrake_model::{Bounds, Power, Recognised, ResultStatus, Signal, StartLine, Surface, Track, Vehicle};
use trailbrake_sink::Recorder;

use super::*;
use crate::gran_turismo::Letter;
use crate::gran_turismo::cipher::Scheme;
use crate::gran_turismo::describe;
use crate::gran_turismo::layout::Packet;
use crate::table::FrontFirst;
use crate::{Text, Value, Vec3};

mod captures;
mod fields;

/// What a new decoder pushes.
trait Decoded: Sized {
    /// The output for successive datagrams.
    fn of_all(datagrams: impl IntoIterator<Item: AsRef<[u8]>>) -> Self;

    /// The latest vehicle fact; panics if there is none.
    fn vehicle(&self) -> &Vehicle;

    /// The output for one datagram.
    fn of(datagram: &[u8]) -> Self {
        Self::of_all([datagram])
    }
}

impl Decoded for Recorder {
    fn of_all(datagrams: impl IntoIterator<Item: AsRef<[u8]>>) -> Self {
        let (mut decoder, mut recorder) = (Decoder::default(), Self::default());
        for datagram in datagrams {
            receive(&mut decoder, datagram.as_ref(), &mut recorder).expect("a whole packet");
        }
        recorder
    }

    fn vehicle(&self) -> &Vehicle {
        let mut facts = self.facts.iter().rev();
        facts
            .find_map(|fact| if let Fact::Vehicle(_, vehicle) = fact { Some(&**vehicle) } else { None })
            .expect("a vehicle")
    }
}

fn receive(decoder: &mut Decoder, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected> {
    decoder.receive(Micros(7_000_000), datagram, sink)
}

/// A car at 50 m/s on lap 2 of 5, as a C packet that is not encrypted.
fn driving() -> Packet {
    Packet {
        magic: *b"0S7G",
        rotation_w: 1.0,
        packet_id: 1000,
        current_lap: 2,
        total_laps: 5,
        best_lap: -1,
        last_lap: 90_000,
        flags: 0x0009,
        gears: 0xf4,
        speed: 50.0,
        velocity: Vec3::from([0.0, 0.0, -50.0]),
        car_code: 3450,
        current_lap_time: Some(20_000),
        surface: Some(FrontFirst(*b"TTTT")),
        ..Packet::default()
    }
}

/// This many packets after a packet, one tick apart.
fn run(from: &Packet, packets: i32) -> Vec<Packet> {
    (1..=packets)
        .map(|tick| {
            let mut packet = *from;
            packet.packet_id = from.packet_id + tick;
            packet
        })
        .collect()
}

/// All bytes of a packet.
fn whole(packet: &Packet) -> Vec<u8> {
    packet.bytes(Letter::C.version())
}

/// Those of the smallest packet.
fn least(packet: &Packet) -> Vec<u8> {
    packet.bytes(Letter::A.version())
}

#[test]
fn signs_are_the_drivers() {
    let mut packet = driving();
    // To the left: steering wheel, front wheels, yaw, lateral acceleration.
    packet.steering_angle = Some(0.5);
    packet.steering_speed = Some(0.25);
    packet.sway = Some(-19.6133);
    packet.heave = Some(9.80665);
    packet.surge = Some(-29.41995);
    packet.wheel_angle_fl = Some(0.1);
    packet.wheel_angle_fr = Some(0.11);
    packet.angular_velocity = Vec3::from([0.1, 0.2, 0.3]);
    packet.wheel_angular_speed = FrontFirst([-100.0, 100.0, -150.0, 0.0]);
    packet.tyre_radius = FrontFirst([0.5; 4]);
    let seen = Recorder::of(&whole(&packet));
    for (id, expected) in [
        ("steering_angle", -0.5),
        ("steering_speed", -0.25),
        ("g_lateral", 2.0),
        ("g_vertical", 1.0),
        ("g_longitudinal", -3.0),
        ("wheel_angle_fl", -0.1),
        ("wheel_angle_fr", -0.11),
        // Left, up, ahead; the game has right, up, back.
        ("angular_velocity_x", -0.1),
        ("angular_velocity_y", 0.2),
        ("angular_velocity_z", -0.3),
        ("local_velocity_z", 50.0),
        ("forward_z", -1.0),
        ("right_x", 1.0),
        ("wheel_speed_fl", 50.0),
        ("wheel_speed_fr", 50.0),
        ("wheel_slip_fr", 0.0),
        ("wheel_slip_rl", 0.5),
        ("wheel_slip_rr", -1.0),
    ] {
        let value = seen.value(id);
        assert!((value - expected).abs() < 1e-5, "{id}: {value} is not {expected}");
    }
}

#[test]
fn gears_are_counted_from_reverse() {
    for (nibbles, gear, suggested) in [
        (0xf0, -1.0, None),
        (0xff, 0.0, None),
        (0x21, 1.0, Some(2.0)),
        (0x3e, 14.0, Some(3.0)),
        (0x04, 4.0, Some(-1.0)),
    ] {
        let mut packet = driving();
        packet.gears = nibbles;
        let seen = Recorder::of(&whole(&packet));
        assert_eq!((seen.value("gear"), seen.newest("suggested_gear")), (gear, suggested));
    }
}

#[test]
fn what_a_packet_does_not_hold_is_absent() {
    let packet = driving();
    let ids = |size: usize| {
        let seen = Recorder::of(&whole(&packet)[..size]);
        seen.samples[0].1.keys().cloned().collect::<std::collections::BTreeSet<_>>()
    };
    let (a, b, tilde, c) = (ids(296), ids(316), ids(344), ids(368));
    let added = |more: &std::collections::BTreeSet<String>, less| {
        more.difference(less).cloned().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(added(&b, &a), "g_lateral g_longitudinal g_vertical steering_angle steering_speed");
    assert_eq!(
        added(&tilde, &b),
        "brake_applied energy_recovery powertrain_unnamed throttle_pedal torque_vectoring_fl torque_vectoring_fr \
         torque_vectoring_rl torque_vectoring_rr"
    );
    assert_eq!(
        added(&c, &tilde),
        "lap_clock surface_fl surface_fr surface_rl surface_rr wheel_angle_fl wheel_angle_fr wheelbase"
    );
    // Without a turbo there is no boost, without speed no slip, and without the lap's beginning no distance.
    assert!(a.iter().all(|id| !["boost", "lap_distance", "steering"].contains(&id.as_str())), "{a:?}");
    assert!(a.contains("wheel_slip_fl"));
    let mut standing = packet;
    standing.speed = 0.5;
    assert_eq!(Recorder::of(&whole(&standing)).newest("wheel_slip_fl"), None);
}

#[test]
fn without_accelerations_in_the_packet_they_come_from_the_velocity() {
    let first = driving();
    let mut second = first;
    second.packet_id = 1002;
    // In two ticks, 1 m/s slower and 0.5 m/s to the left (here the world's x is to the right of the nose).
    second.velocity = Vec3::from([-0.5, 0.0, -49.0]);
    let seen = Recorder::of_all([least(&first), least(&second)]);
    let near =
        |id, expected: f32| assert!((seen.value(id) - expected).abs() < 1e-4, "{id}: {}", seen.value(id));
    near("g_longitudinal", -30.0 / 9.806_65);
    near("g_lateral", 15.0 / 9.806_65);
    near("g_vertical", 0.0);
    // Too many ticks apart.
    second.packet_id = 1010;
    let seen = Recorder::of_all([least(&first), least(&second)]);
    assert_eq!(seen.newest("g_lateral"), None);
}

#[test]
fn all_games_and_sizes_decode_to_the_same() {
    let mut packet = driving();
    packet.position = Vec3::from([1.5, 2.5, -3.5]);
    packet.engine_rpm = 6500.0;
    let plain = &whole(&packet)[..];
    let seen = Recorder::of(plain);
    for (scheme, size) in [
        (Scheme::Gt7A, 296),
        (Scheme::Gt7BC, 316),
        (Scheme::Gt7Tilde, 344),
        (Scheme::Gt7BC, 368),
        (Scheme::Sport, 296),
        // These masks are usual for these letters, but not mandatory.
        (Scheme::Gt7A, 368),
    ] {
        let mut sealed = plain[..size].to_vec();
        scheme.seal([0x67, 0x45, 0x23, 0x01], &mut sealed);
        assert_eq!(of_any_game(&sealed), of_any_game(&plain[..size]), "{scheme:?}");
    }
    let mut longer = plain.to_vec();
    longer.extend([0xaa; 40]);
    assert_eq!(Recorder::of(&longer), seen);

    let mut big = big_endian(&packet);
    let open = Recorder::of(&big);
    assert!(open.vehicle().name.is_none() && seen.vehicle().name.is_some());
    assert!(open.facts.contains(&Fact::Game("Gran Turismo 6".into())));
    assert!(seen.facts.contains(&Fact::Game("Gran Turismo 7".into())));
    Scheme::Gt6.seal([0x01, 0x23, 0x45, 0x67], &mut big);
    assert_eq!(Recorder::of(&big), open);
    assert_eq!(of_any_game(&big), of_any_game(&plain[..296]));
}

/// What is decoded whatever the game: the older ones have cars of their own.
fn of_any_game(datagram: &[u8]) -> Recorder {
    let mut seen = Recorder::of(datagram);
    for fact in &mut seen.facts {
        if let Fact::Vehicle(_, vehicle) = fact {
            vehicle.name = None;
        }
    }
    seen.facts.retain(|fact| !matches!(fact, Fact::Game(_)));
    seen
}

/// Packet A as GT6 sends it: the bytes of each number reversed.
fn big_endian(packet: &Packet) -> Vec<u8> {
    let mut bytes = least(packet);
    // The offsets of two-byte numbers, and of bytes that are not numbers, by the protocol's table.
    let halves = (0x74..0x78).chain(0x84..0x90);
    let single: Vec<usize> = (0x00..0x04).chain(0x40..0x44).chain(0x90..0x94).chain(0xd4..0xf4).collect();
    let halves: Vec<usize> = halves.collect();
    let mut at = 0;
    while at < bytes.len() {
        let width = if single.contains(&at) {
            1
        } else if halves.contains(&at) {
            2
        } else {
            4
        };
        bytes[at..at + width].reverse();
        at += width;
    }
    bytes[..4].copy_from_slice(b"G6S0");
    let magic = *b"G6S0";
    assert_eq!(bytes, Packet { magic, ..*packet }.bytes(Letter::A.version().in_big_endian()));
    bytes
}

#[test]
fn repeated_and_late_packets_say_nothing() {
    let packets = run(&driving(), 3);
    let [a, b, c] = packets.as_slice() else { panic!() };
    let once = Recorder::of_all(packets.iter().map(whole));
    let jumbled = Recorder::of_all([a, b, a, b, c, b, c].map(whole));
    assert_eq!(jumbled, once);
    assert_eq!(once.samples.len(), 3);
    assert_eq!(once.samples[1].0.frame, Some(1002));
    assert!((once.samples[1].0.session_time.expect("a time") - 1002.0 / 60.0).abs() < 1e-9);
}

#[test]
fn a_reset_tick_count_begins_a_session() {
    let old = run(&driving(), 10);
    let mut restarted = driving();
    restarted.packet_id = 5;
    let new = run(&restarted, 10);
    let seen = Recorder::of_all(old.iter().map(whole).chain(new.iter().map(whole)));
    assert_eq!(seen.kinds(), [EventKind::SessionStarted, EventKind::SessionEnded, EventKind::SessionStarted]);
    // The first packet of the new count counted as late.
    assert_eq!(seen.samples.len(), 10 + 9);
}

#[test]
fn menus_and_loading_give_no_samples_and_leave_no_doubt() {
    let mut loading = driving();
    loading.flags = 0x0005;
    let mut menu = driving();
    menu.flags = 0;
    menu.current_lap = -1;
    for (quiet, packets) in [(loading, 100), (menu, 29)] {
        let mut all = run(&driving(), 5);
        all.extend(run(&Packet { packet_id: 1005, ..quiet }, packets));
        let last = all[all.len() - 1].packet_id;
        all.extend(run(&Packet { packet_id: last, ..driving() }, 5));
        let seen = Recorder::of_all(all.iter().map(whole));
        assert_eq!(seen.kinds(), [EventKind::SessionStarted]);
        assert_eq!((seen.samples.len(), seen.progress.len()), (10, 10));
    }
    let mut all = run(&driving(), 5);
    all.extend(run(&Packet { packet_id: 1005, ..menu }, 60));
    all.extend(run(&Packet { packet_id: 1065, ..driving() }, 5));
    let seen = Recorder::of_all(all.iter().map(whole));
    assert_eq!(seen.kinds(), [EventKind::SessionStarted, EventKind::SessionEnded, EventKind::SessionStarted]);
}

#[test]
fn pauses_are_events_and_give_no_samples() {
    let mut paused = driving();
    paused.packet_id = 1005;
    paused.flags = 0x000b;
    let mut on = driving();
    on.packet_id = 1305;
    let mut all = run(&driving(), 5);
    all.extend(run(&paused, 300));
    all.extend(run(&on, 5));
    let seen = Recorder::of_all(all.iter().map(whole));
    assert_eq!(seen.kinds(), [EventKind::SessionStarted, EventKind::Paused, EventKind::Resumed]);
    assert_eq!(seen.samples.len(), 10);
    assert_eq!(seen.session().paused, Some(false));
    let total = seen.all("total_distance");
    assert!((total[9] - total[4] - 5.0 * 50.0 / 60.0).abs() < 1e-3, "{total:?}");
}

#[test]
fn a_replay_is_data_too_and_is_called_one() {
    let mut replay = driving();
    replay.flags = 0x0018;
    let seen = Recorder::of_all(run(&replay, 5).iter().map(whole));
    assert_eq!((seen.samples.len(), seen.session().replay), (5, Some(true)));
    assert_eq!(Recorder::of(&whole(&driving())).session().replay, Some(false));
}

#[test]
fn another_car_is_another_session_once_it_stays() {
    let mut other = driving();
    other.car_code = 777;
    let mut all = run(&driving(), 5);
    all.extend(run(&Packet { packet_id: 1005, ..other }, 3));
    all.extend(run(&Packet { packet_id: 1008, ..driving() }, 3));
    assert_eq!(Recorder::of_all(all.iter().map(whole)).kinds(), [EventKind::SessionStarted]);
    all.extend(run(&Packet { packet_id: 1011, ..other }, 7));
    let seen = Recorder::of_all(all.iter().map(whole));
    assert_eq!(seen.kinds(), [EventKind::SessionStarted, EventKind::SessionStarted]);
    assert_eq!(seen.vehicle().id.as_deref(), Some("777"));
}

#[test]
fn a_race_is_followed_from_grid_to_finish_and_restarted() {
    let mut packet = driving();
    packet.total_laps = 2;
    (packet.current_lap, packet.last_lap) = (0, -1);
    (packet.grid_position, packet.cars_before_start) = (4, 16);
    packet.current_lap_time = Some(-1);
    let mut all = Vec::new();
    let mut go = |packet: &mut Packet, packets: i32| {
        all.extend(run(packet, packets));
        packet.packet_id += packets;
    };
    go(&mut packet, 10);
    (packet.grid_position, packet.cars_before_start) = (-1, -1);
    packet.current_lap = 1;
    go(&mut packet, 900);
    (packet.current_lap, packet.last_lap, packet.best_lap) = (2, 15_000, 15_000);
    go(&mut packet, 899);
    (packet.current_lap, packet.last_lap, packet.best_lap) = (3, 14_980, 14_980);
    go(&mut packet, 60);
    (packet.current_lap, packet.last_lap, packet.best_lap) = (0, -1, -1);
    go(&mut packet, 10);
    let seen = Recorder::of_all(all.iter().map(whole));
    assert_eq!(seen.kinds(), [EventKind::SessionStarted, EventKind::Restarted]);
    assert_eq!(seen.signals(Signal::RaceStart), [Some(1)]);
    assert_eq!(seen.signals(Signal::RaceFinish), [Some(3)]);
    assert_eq!(seen.signals(Signal::LapChange), [Some(1), Some(2), Some(3), Some(0)]);
    assert_eq!(seen.signals(Signal::LastLapTime), [Some(15_000), Some(14_980), None]);
    let session = seen.session();
    assert_eq!((session.total_laps, session.cars), (Some(2), Some(16)));
    let finished: Vec<_> =
        seen.progress.iter().filter(|progress| progress.result == ResultStatus::Finished).collect();
    assert_eq!((finished.len(), finished[0].lap, finished[0].last_lap), (60, 3, Some(LapTime(14_980))));
    assert!(seen.progress.iter().all(|progress| progress.grid == 4));
    let second: Vec<_> = seen.progress.iter().filter(|progress| progress.lap == 2).collect();
    assert!(second[0].distance.is_some_and(|distance| distance < 0.01));
    let driven = second[second.len() - 1].distance.expect("a distance");
    assert!((driven - 898.0 * 50.0 / 60.0).abs() < 0.01, "{driven}");
}

#[test]
fn invalid_numbers_are_left_out_and_reported() {
    let mut packet = driving();
    packet.oil_pressure = f32::NAN;
    packet.position.x = f32::INFINITY;
    let mut seen = Recorder::default();
    let outcome = receive(&mut Decoder::default(), &whole(&packet), &mut seen);
    assert!(outcome.expect_err("a reason").to_string().contains("2 values are no numbers"));
    assert_eq!((seen.newest("oil_pressure"), seen.newest("position_x")), (None, None));
    assert_eq!(seen.value("position_y"), 0.0);
}

#[test]
fn a_car_is_described_by_its_name_gearbox_power_and_class() {
    let mut packet = driving();
    packet.fuel_capacity = 100.0;
    packet.transmission_top_speed = 4.25;
    for (place, ratio) in [3.0, 2.5, 2.0, 1.5].into_iter().enumerate() {
        packet.gear_ratios[place] = ratio;
    }
    packet.power_type = Some(2);
    packet.fuel_mark = Some(1);
    packet.car_category = Some(Text::write("GR3"));
    let seen = Recorder::of(&whole(&packet));
    let expected = Vehicle {
        id: Some("3450".into()),
        name: Some("Nissan GT-R NISMO GT3 '18".into()),
        class: Some("GR3".into()),
        power: Some(Power::Combustion),
        gear_ratios: vec![3.0, 2.5, 2.0, 1.5],
        top_speed_ratio: Some(4.25),
        fuel_mark: Some(1),
        ..Vehicle::default()
    };
    assert_eq!(*seen.vehicle(), expected);
    let vehicles = |facts: &[Fact]| facts.iter().filter(|fact| matches!(fact, Fact::Vehicle(..))).count();
    assert_eq!(vehicles(&Recorder::of_all(run(&packet, 5).iter().map(whole)).facts), 1, "sent once");

    // Nine gears: the ninth ratio replaces the car code.
    packet.gear_ratios = [8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0];
    packet.car_code = 0.75_f32.to_bits().cast_signed();
    packet.fuel_capacity = 0.0;
    let seen = Recorder::of(&least(&packet));
    let vehicle = seen.vehicle();
    assert_eq!((&vehicle.id, vehicle.gear_ratios.len(), vehicle.gear_ratios[8]), (&None, 9, 0.75));
    assert_eq!(vehicle.name, None);
    assert_eq!((vehicle.power, &vehicle.class), (Some(Power::Electric), &None));
}

#[test]
fn a_track_the_user_has_named_is_detected() {
    // A circle of 1200 ticks and 500 m, with the line at its easternmost point.
    let laps = |laps: i32| {
        let mut all = Vec::new();
        for tick in 0..laps * 1200 + 60 {
            let angle = (tick as f32 + 0.5) / 1200.0 * std::f32::consts::TAU;
            let mut packet = driving();
            packet.packet_id = tick;
            packet.current_lap = (1 + tick / 1200) as i16;
            packet.last_lap = if tick < 1200 { -1 } else { 20_000 };
            packet.position = Vec3::from([500.0 * angle.cos(), 0.0, 500.0 * angle.sin()]);
            all.push(packet);
        }
        all
    };
    let seen = Recorder::of_all(laps(3).iter().map(least));
    let prints: Vec<_> = seen
        .facts
        .iter()
        .filter_map(|fact| if let Fact::Track(print) = fact { Some(print) } else { None })
        .collect();
    assert_eq!(prints.len(), 1, "a track without a name is shown once");
    assert!((prints[0].bounds.high[0] - 500.0).abs() < 0.1);

    let named = TrackPrint { name: "Ring".into(), ..prints[0].clone() };
    let elsewhere = TrackPrint {
        name: "Elsewhere".into(),
        bounds: Bounds { low: [0.0, 0.0], high: [9.0, 9.0] },
        line: StartLine { point: [500.0, 0.0], heading: [0.0, 1.0] },
    };
    let (mut decoder, mut seen) = (Decoder::default(), Recorder::default());
    decoder.know_tracks(&[elsewhere, named]);
    for packet in laps(3) {
        receive(&mut decoder, &least(&packet), &mut seen).expect("a packet");
    }
    let detected = EventKind::TrackDetected { name: "Ring".into() };
    assert_eq!(seen.kinds(), [EventKind::SessionStarted, detected]);
    assert_eq!(seen.session().track.as_ref().and_then(|track| track.name.as_deref()), Some("Ring"));
    assert!(!seen.facts.iter().any(|fact| matches!(fact, Fact::Track(_))));
}

#[test]
fn surfaces_are_known_by_their_letters_and_unknown_ones_survive() {
    for (letter, surface) in [
        (b'T', Surface::Tarmac),
        (b'C', Surface::Kerb),
        (b'D', Surface::Dirt),
        (b'G', Surface::Grass),
        (b'S', Surface::Sand),
        (b's', Surface::Snow),
        (b'Q', Surface::Other(b'Q')),
    ] {
        let mut packet = driving();
        packet.surface = Some(FrontFirst([b'T', letter, b'T', b'T']));
        let seen = Recorder::of(&whole(&packet));
        assert_eq!(Surface::from_number(seen.value("surface_fr") as u16), Some(surface));
        assert_eq!(Surface::from_number(seen.value("surface_fl") as u16), Some(Surface::Tarmac));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_decoded_or_rejected(
        mut bytes in prop::collection::vec(any::<u8>(), 0..420),
        head in 0_usize..7,
        later in prop::collection::vec(any::<(usize, u8)>(), 0..8),
    ) {
        let magics = [*b"0S7G", *b"G6S0"];
        if let Some(magic) = magics.get(head) {
            bytes.iter_mut().zip(magic).for_each(|(to, from)| *to = *from);
        }
        if let Some(scheme) = head.checked_sub(2).and_then(|place| Scheme::ALL.get(place)) {
            bytes.iter_mut().zip(scheme.magic()).for_each(|(to, from)| *to = from);
            scheme.seal([1, 2, 3, 4], &mut bytes);
        }
        let (mut decoder, mut seen) = (Decoder::default(), Recorder::default());
        let _ = receive(&mut decoder, &bytes, &mut seen);
        let _ = crate::gran_turismo::datagram_size(&bytes);
        for (place, byte) in later {
            if let Some(place) = place.checked_rem(bytes.len()) {
                bytes[place] = byte;
            }
            let _ = receive(&mut decoder, &bytes, &mut seen);
            let _ = describe(&bytes);
        }
    }
}
