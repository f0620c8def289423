//! Driving analysis of real captures.

use std::net::SocketAddr;

use trailbrake_shared::analysis::lap_events::{Kind, lap_events};
use trailbrake_shared::analysis::{LapColumns, Reference, balance, dampers, fuel, grip, rally, tyres};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::{Car, Channel, EventKind};
use trailbrake_shared::session::{LogKind, Receiver, Retention};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// A file of packets of one size, received at a rate in Hz, followed by one more packet if given.
fn receive_file(file: &str, size: usize, feed: Feed, hz: u64, behind: Option<&[u8]>) -> Receiver {
    let bytes = trailbrake_captures::read(file);
    let mut receiver = Receiver::new(Retention::EVERYTHING);
    for (nth, bytes) in (1..).zip(bytes.chunks(size).chain(behind)) {
        let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
        let at = Micros(nth * 1_000_000 / hz);
        let _ = receiver.receive(&Datagram { at, sender, port: 5000, feed: Some(feed), bytes });
    }
    receiver
}

#[test]
#[ignore = "needs captures"]
fn a_lap_of_a_replay_in_gran_turismo() {
    let file = "gran-turismo/gt7-C-plain-replay.368xN.bin.gz";
    let receiver = receive_file(file, 368, Feed::GranTurismo, 60, None);
    let session = receiver.session().expect("a session");
    let car = session.car(Car(0)).expect("the car");
    let lap = &car.laps.finished()[0];
    let lap = LapColumns::new(lap, car.traces.lap(lap.serial).expect("columns"));

    let events = lap_events(&lap, &[]);
    // The game sends its signal for a gear change 42 times.
    assert_eq!(events.count(Kind::ShiftUp) + events.count(Kind::ShiftDown), 42);
    assert_eq!(
        (events.count(Kind::MissedShift), events.count(Kind::Impact), events.count(Kind::Jump)),
        (0, 0, 0)
    );
    // The flag is set 22 times, of which five last longer than one packet.
    assert_eq!(events.count(Kind::RevLimit), 5);
    assert!(events.count(Kind::Kerb) > 10 && !events.can_find(Kind::BottomingFront));

    // The front left wheel is on a kerb in at least 498 + 47 of 6913 packets.
    let surfaces = rally::surfaces(&lap).expect("surfaces");
    let on_kerb = surfaces[0].shares.iter().find(|(name, _)| *name == "kerb").expect("a kerb").1;
    assert!((545.0 / 6913.0..0.09).contains(&on_kerb), "{on_kerb}");

    let grip = grip(&lap).expect("g");
    let hardest = grip.hardest;
    // Single accelerations range from −40.9 to 38.3 m/s² to the right, and down to −40.2 ahead.
    assert!((2.9..3.1).contains(&hardest.braking_g.expect("braking")), "{hardest:?}");
    assert!((3.5..3.7).contains(&hardest.left_g.expect("left")), "{hardest:?}");
    assert!((2.9..3.1).contains(&hardest.right_g.expect("right")), "{hardest:?}");

    assert!(dampers::dampers(&lap).expect("dampers").from_positions);
    let balance = balance::balance(&lap).expect("a balance");
    assert_eq!(balance.measured_by, Channel::WheelAngle);
    // A racing car with wings: some two degrees more at the front.
    let mean = balance.over_lap().expect("corners");
    assert!((0.0..0.06).contains(&mean.understeer), "{mean:?}");
    let states = tyres::wheel_states(&lap).expect("tyres");
    assert_eq!(states[0].channel, Channel::TyreSurfaceTemperature);
    let burnt = fuel(&[lap]).expect("fuel");
    eprintln!("{:?} {:?} {:?} {burnt:?}", balance.over_lap(), grip.hardest, states[0].wheels[0]);
}

#[test]
#[ignore = "needs captures"]
fn a_stage_of_dirt_rally() {
    let file = "dirt-rally-2/stage-every5th.264xN.bin";
    let receiver = receive_file(file, 264, Feed::DirtRally, 12, Some(&[0; 264]));
    let session = receiver.session().expect("a session");
    let car = session.car(Car(0)).expect("the car");
    let lap = &car.laps.finished()[0];
    let columns = LapColumns::new(lap, car.traces.lap(lap.serial).expect("columns"));

    // The stage's own sectors begin at a quarter, a half, and three quarters of it.
    let points = columns.rows([Channel::LapDistance.slot()]).expect("distances");
    let points = points.iter().map(|row| (row.values[0], row.clock_s as f32));
    let curve = Reference::new(points, lap.time.expect("a time")).expect("a curve");
    let splits = rally::even_splits(&curve, 4);
    for (split, known) in splits.iter().zip([52.598, 105.612, 148.427]) {
        assert!((split.clock_s - known).abs() < 0.15, "{splits:?}");
    }

    let landed: Vec<(f64, &EventKind)> = session
        .log()
        .filter_map(|entry| match &entry.kind {
            LogKind::Game(kind) => Some((entry.seconds - lap.began_s, kind)),
            _ => None,
        })
        .collect();
    let events = lap_events(&columns, &landed);
    assert!(events.count(Kind::ShiftUp) > 10 && events.count(Kind::ShiftDown) > 10, "{events:?}");
    assert!(
        !events.can_find(Kind::Kerb)
            && !events.can_find(Kind::Handbrake)
            && rally::surfaces(&columns).is_err()
    );
    let grip = grip(&columns).expect("g");
    // Lateral g ranges from −2.5 to 2.7.
    assert!((0.6..2.7).contains(&grip.hardest.left_g.expect("left")), "{:?}", grip.hardest);
    assert!(!dampers::dampers(&columns).expect("dampers").from_positions);
    assert!(fuel(&[columns]).is_err(), "no fuel is sent");
}
