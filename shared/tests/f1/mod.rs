//! How much is decoded of cars that nobody looks at.

mod mixed;
mod streams;

use std::collections::{BTreeMap, BTreeSet};

use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::Decode;
use trailbrake_shared::games::f1::Decoder;
use trailbrake_shared::model::{Car, Event, Fact, LapProgress, Moment, OF_EVERY_CAR, Sample, Sink};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;

/// A sink that records everything but facts, of which it keeps the latest player.
#[derive(Default)]
struct Recorder {
    values: BTreeMap<(Car, String), f32>,
    /// The number of values received, counting each channel of each car separately.
    given: usize,
    progress: Vec<LapProgress>,
    events: Vec<Event>,
    player: Option<Car>,
}

impl Sink for Recorder {
    fn sample(&mut self, sample: &Sample<'_>) {
        for &(slot, value) in sample.values {
            self.values.insert((sample.car, slot.id()), value);
            self.given += 1;
        }
    }

    fn progress(&mut self, progress: &LapProgress) {
        self.progress.push(*progress);
    }

    fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    fn fact(&mut self, _: Moment, fact: Fact) {
        if let Fact::Player(player) = fact {
            self.player = player;
        }
    }
}

/// A sink that wants all channels of one car only.
struct OfOneCar {
    car: Car,
    all: Recorder,
}

impl Sink for OfOneCar {
    fn sample(&mut self, sample: &Sample<'_>) {
        self.all.sample(sample);
    }
    fn progress(&mut self, progress: &LapProgress) {
        self.all.progress(progress);
    }
    fn event(&mut self, event: Event) {
        self.all.event(event);
    }
    fn wants_all(&self, car: Car) -> bool {
        car == self.car
    }
    fn fact(&mut self, moment: Moment, fact: Fact) {
        self.all.fact(moment, fact);
    }
}

#[test]
fn of_cars_that_nobody_looks_at_only_what_is_shown_of_every_car_is_decoded() {
    let mut demo = Demo::new(Feed::F1, Options { seed: 3, ..Options::default() }, Micros(0)).expect("a demo");
    let mut packets = Vec::new();
    demo.advance(Micros(5_000_000), &mut |at, bytes| packets.push((at, bytes.to_vec())));
    let close = Car(7);
    let (mut all, mut some) = (Recorder::default(), OfOneCar { car: close, all: Recorder::default() });
    let (mut first, mut second) = (Decoder::default(), Decoder::default());
    for (at, bytes) in &packets {
        first.receive(*at, bytes, &mut all).expect("a packet");
        second.receive(*at, bytes, &mut some).expect("a packet");
    }
    let shown: BTreeSet<String> = OF_EVERY_CAR.iter().map(|slot| slot.id()).collect();
    let is_full = |car: &Car| *car == close || Some(*car) == some.all.player;
    let expected: BTreeMap<_, _> = all
        .values
        .iter()
        .filter(|((car, id), _)| is_full(car) || shown.contains(id))
        .map(|(key, value)| (key.clone(), *value))
        .collect();
    assert_eq!(some.all.values, expected);
    assert!(some.all.given * 2 < all.given, "{} of {}", some.all.given, all.given);
    assert_eq!((some.all.progress, some.all.events), (all.progress, all.events));
}
