//! What rarely changes: car, track and game, sent when they change.

use trailbrake_model::{Fact, Moment, SessionInfo, SessionKind, Sink, Track, Vehicle};

use super::layout::Packet;
use super::names;
use super::packet::Kind;
use super::run::DRIVER;

/// The numbers of a car: ordinal, class, index, drivetrain, cylinders.
type CarNumbers = [i32; 5];

/// What is true of a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Situation {
    pub(super) track: Option<Track>,
    pub(super) paused: bool,
    /// Whether it has ended at the end of a route without laps.
    pub(super) is_stage: bool,
}

/// The facts sent so far.
#[derive(Debug, Default)]
pub(super) struct SentFacts {
    game: Option<Kind>,
    car: Option<CarNumbers>,
    situation: Option<Situation>,
}

impl SentFacts {
    /// Sends what a packet says of game and car.
    pub(super) fn car(&mut self, kind: Kind, packet: &Packet, moment: Moment, sink: &mut dyn Sink) {
        if self.game.replace(kind) != Some(kind) {
            sink.fact(moment, Fact::Game(kind.game().to_owned()));
        }
        let now = [
            packet.car_ordinal,
            packet.car_class,
            packet.car_performance_index,
            packet.drivetrain_type,
            packet.num_cylinders,
        ];
        if self.car.replace(now) != Some(now) {
            sink.fact(moment, Fact::Vehicle(DRIVER, Box::new(vehicle(kind, now))));
        }
    }

    /// Sends what is true of the session.
    pub(super) fn session(&mut self, now: Situation, moment: Moment, sink: &mut dyn Sink) {
        if self.situation.as_ref() == Some(&now) {
            return;
        }
        let info = SessionInfo {
            kind: if now.is_stage { SessionKind::Stage } else { SessionKind::Unknown },
            track: now.track.clone(),
            paused: Some(now.paused),
            ..SessionInfo::default()
        };
        self.situation = Some(now);
        sink.fact(moment, Fact::Session(Box::new(info)));
    }
}

fn vehicle(kind: Kind, [ordinal, class, index, drivetrain, cylinders]: CarNumbers) -> Vehicle {
    Vehicle {
        id: Some(ordinal.to_string()),
        class: Some(names::class(kind, class, index)),
        drivetrain: Some(names::drivetrain(drivetrain)),
        cylinders: u8::try_from(cylinders).ok(),
        ..Vehicle::default()
    }
}
