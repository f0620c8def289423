//! Keeps all that a decoder says, for tests.

use std::collections::BTreeMap;

use super::Decoder;
use crate::games::{Decode, Rejected};
use crate::model::{
    Car, Event, EventKind, Fact, LapProgress, Moment, Sample, SessionInfo, Sink, Slot, Vehicle,
};
use crate::time::Micros;

/// A decoder and what it has said so far.
#[derive(Default)]
pub(super) struct Recorder {
    decoder: Decoder,
    at: Micros,
    pub(super) heard: Heard,
}

/// What a decoder has said.
#[derive(Clone, Debug, Default)]
pub(super) struct Heard {
    /// One entry for each sample.
    pub(super) samples: Vec<(Moment, BTreeMap<Slot, f32>)>,
    pub(super) progress: Vec<LapProgress>,
    pub(super) events: Vec<Event>,
    pub(super) facts: Vec<Fact>,
}

impl Sink for Heard {
    fn sample(&mut self, sample: &Sample<'_>) {
        assert_eq!(sample.car, Car(0));
        let values: BTreeMap<Slot, f32> = sample.values.iter().copied().collect();
        assert_eq!(values.len(), sample.values.len(), "a channel comes once");
        self.samples.push((sample.moment, values));
    }

    fn progress(&mut self, progress: &LapProgress) {
        self.progress.push(*progress);
    }

    fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    fn fact(&mut self, _: Moment, fact: Fact) {
        self.facts.push(fact);
    }
}

impl Recorder {
    /// What a new decoder says to datagrams, each a sixtieth of a second after the one before.
    pub(super) fn of<D: AsRef<[u8]>>(datagrams: impl IntoIterator<Item = D>) -> Heard {
        let mut recorder = Self::default();
        for datagram in datagrams {
            recorder.receive(datagram.as_ref()).expect("a packet");
        }
        recorder.heard
    }

    pub(super) fn receive(&mut self, datagram: &[u8]) -> Result<(), Rejected> {
        self.at = self.at.plus_seconds(1.0 / 60.0);
        self.decoder.receive(self.at, datagram, &mut self.heard)
    }
}

impl Heard {
    /// A channel's latest value, by the channel's name in files.
    pub(super) fn value(&self, id: &str) -> Option<f32> {
        let (_, values) = self.samples.last()?;
        values.iter().find(|(slot, _)| slot.id() == id).map(|(_, value)| *value)
    }

    /// The latest sample's channels by name.
    pub(super) fn values(&self) -> BTreeMap<String, f32> {
        let latest = self.samples.last().map(|(_, values)| values);
        latest.into_iter().flatten().map(|(slot, value)| (slot.id(), *value)).collect()
    }

    pub(super) fn kinds(&self) -> Vec<EventKind> {
        self.events.iter().map(|event| event.kind.clone()).collect()
    }

    pub(super) fn session(&self) -> &SessionInfo {
        self.facts
            .iter()
            .rev()
            .find_map(|fact| if let Fact::Session(info) = fact { Some(&**info) } else { None })
            .expect("a session")
    }

    pub(super) fn vehicle(&self) -> Option<&Vehicle> {
        self.facts
            .iter()
            .rev()
            .find_map(|fact| if let Fact::Vehicle(_, vehicle) = fact { Some(&**vehicle) } else { None })
    }
}
