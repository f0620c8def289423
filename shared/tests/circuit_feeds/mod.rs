//! The feeds in which the analysis is measured against the truth.

use std::collections::BTreeSet;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::Channel;
use trailbrake_shared::session::Receiver;
use trailbrake_shared::sim::{Demo, Options, SPOKEN};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// The feeds whose demo is driven on a circuit and sends both where the car is and how it is steered.
pub(crate) const CIRCUIT_FEEDS: [Feed; 5] =
    [Feed::F1, Feed::GranTurismo, Feed::AcRemote, Feed::AcTelemetryTool, Feed::Forza];

/// Whether a feed's demo is driven on a circuit and sends position and steering.
fn sends_position_and_steering(feed: Feed) -> bool {
    let options = Options { cars: 2, player: 1, ..Options::default() };
    let Some(mut demo) = Demo::new(feed, options, Micros(0)) else { return false };
    let mut receiver = Receiver::default();
    let sender = ([127, 0, 0, 1], 5000).into();
    demo.drive(20.0, &mut |at, bytes| {
        let _ = receiver.receive(&Datagram { at, sender, port: 1, feed: Some(feed), bytes });
    });
    let session = receiver.session().expect("a session");
    let car = session.car(session.watched().expect("the player")).expect("the player's car");
    let sends = |channel| car.value(channel).is_some();
    demo.race().stage().is_none()
        && sends(Channel::Position)
        && (sends(Channel::Steering) || sends(Channel::SteeringAngle))
}

#[test]
fn they_are_those_with_a_circuit_positions_and_steering() {
    let found: BTreeSet<Feed> =
        SPOKEN.into_iter().filter(|feed| sends_position_and_steering(*feed)).collect();
    assert_eq!(found, BTreeSet::from(CIRCUIT_FEEDS));
}
