use trailbrake_games::ac_remote::Packet;
use trailbrake_games::feed::Feed;
use trailbrake_model::time::Micros;

use super::*;
use crate::{Demo, Options, Start, host};

/// All packets of a race with three cars, up to `seconds`.
fn packets(seconds: f64) -> Vec<Vec<u8>> {
    let options =
        Options { start: Start::Grid, cars: 3, laps: 2, player: 1, again: false, ..Options::default() };
    let mut demo = Demo::new(Feed::AcRemote, options, Micros(0)).expect("a demo");
    let mut packets = Vec::new();
    demo.drive(seconds, &mut |_, packet| packets.push(packet.to_vec()));
    packets
}

fn updates(packets: &[Vec<u8>]) -> Vec<Update> {
    let update = |packet: &Vec<u8>| match Packet::read(packet) {
        Ok(Packet::Update(update)) => Some(update),
        _ => None,
    };
    packets.iter().filter_map(update).collect()
}

#[test]
fn the_packets_are_those_of_the_game() {
    let packets = packets(200.0);
    let kinds: Vec<Kind> = packets.iter().map(|packet| recognise(packet).expect("a packet")).collect();
    let count = |kind: Kind| kinds.iter().filter(|found| **found == kind).count();
    assert_eq!((kinds[0], count(Kind::Answer)), (Kind::Answer, 1));
    assert!(count(Kind::Update) > 11_900, "sixty a second");
    assert_eq!(count(Kind::Lap), 6, "two of each car");
}

#[test]
fn wheels_carry_the_car_and_slip_as_it_turns() {
    let updates = updates(&packets(100.0));
    let mut corners = 0;
    for update in &updates {
        let lateral = update.g_lateral;
        let wheels = |values: &FrontFirst<f32>| values.0.map(f64::from);
        let [fl, fr, rl, rr] = wheels(&update.load);
        let weight = fl + fr + rl + rr;
        assert!((3000.0..50_000.0).contains(&weight), "{weight} N");
        if lateral.abs() > 1.5 {
            corners += 1;
            let leftward = lateral > 0.0;
            assert_eq!((fl + rl) < (fr + rr), leftward, "it leans outward");
            let [angle, ..] = wheels(&update.slip_angle);
            assert_eq!(angle > 0.0, leftward, "tyres slip outward: {angle} at {lateral} g");
            let [torque, ..] = wheels(&update.mz);
            assert!(torque.abs() < 400.0, "{torque} Nm");
        }
    }
    assert!(corners > 500, "{corners}");
}

#[test]
fn the_way_round_the_track_is_a_share_that_falls_at_the_line() {
    let updates = updates(&packets(200.0));
    let share: Vec<f32> = updates.iter().map(|update| update.position_normalised).collect();
    assert!(share.iter().all(|share| (0.0..1.0).contains(share)));
    let falls = share.windows(2).filter(|pair| pair[0] - pair[1] > 0.5).count();
    let laps = updates.last().expect("an update").lap_count;
    // Once from the grid to the line, then once per lap.
    assert_eq!((falls, laps), (3, 2));
}

#[test]
fn only_subscribers_are_sent_to() {
    let mut host = host(Feed::AcRemote).expect("a host");
    let packets = packets(2.0);
    let [one, other] = [5000, 5001].map(|port| SocketAddr::from(([127, 0, 0, 1], port)));
    let request = |operation: u8| [1, 0, 0, 0, 1, 0, 0, 0, operation, 0, 0, 0];
    assert_eq!(host.receive(one, &request(0)), None, "no session is loaded");
    assert!(packets.iter().all(|packet| host.listeners(packet).is_empty()));
    assert_eq!(host.receive(one, &request(0)), Some(packets[0].as_slice()));
    assert_eq!(host.receive(one, &request(1)), None);
    assert_eq!(host.receive(other, &request(2)), None);
    let update = packets[1].as_slice();
    assert_eq!(host.listeners(update), [one]);
    host.receive(one, &request(3));
    assert!(host.listeners(update).is_empty());
    assert_eq!(host.receive(one, b"hello"), None);
}
