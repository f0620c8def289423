//! A sink for tests that keeps everything it receives.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a tool for tests: it says what it expects by panicking"
)]

use std::collections::BTreeMap;

use trailbrake_model::{
    Car, Event, EventKind, Fact, LapProgress, Moment, Sample, SessionInfo, Signal, Sink, Vehicle,
};

/// What a decoder of a game with one car pushed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorder {
    /// Each sample's values by slot id.
    pub samples: Vec<(Moment, BTreeMap<String, f32>)>,
    /// The progress of laps, in order.
    pub progress: Vec<LapProgress>,
    /// Events and signals, in order.
    pub events: Vec<Event>,
    /// The facts, in order.
    pub facts: Vec<Fact>,
}

impl Sink for Recorder {
    fn sample(&mut self, sample: &Sample<'_>) {
        assert_eq!(sample.car, Car(0), "a feed with one car");
        let values = sample.values.iter().map(|&(slot, value)| (slot.id(), value));
        let kept: BTreeMap<String, f32> = values.collect();
        assert_eq!(kept.len(), sample.values.len(), "no channel is given twice");
        self.samples.push((sample.moment, kept));
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
    /// A channel's latest value; panics if there is none.
    pub fn value(&self, id: &str) -> f32 {
        self.newest(id).unwrap_or_else(|| panic!("no {id}"))
    }

    /// A channel's latest value, if any.
    pub fn newest(&self, id: &str) -> Option<f32> {
        self.samples.iter().rev().find_map(|(_, values)| values.get(id)).copied()
    }

    /// A channel's values, in order.
    pub fn all(&self, id: &str) -> Vec<f32> {
        self.samples.iter().filter_map(|(_, values)| values.get(id)).copied().collect()
    }

    /// The kinds of all events except signals.
    pub fn kinds(&self) -> Vec<EventKind> {
        let kinds = self.events.iter().map(|event| event.kind.clone());
        kinds.filter(|kind| !matches!(kind, EventKind::Signal { .. })).collect()
    }

    /// The values of one signal, in order.
    pub fn signals(&self, wanted: Signal) -> Vec<Option<i32>> {
        let values = self.events.iter().filter_map(|event| match event.kind {
            EventKind::Signal { signal, value } if signal == wanted => Some(value),
            _ => None,
        });
        values.collect()
    }

    /// The latest session fact.
    pub fn session(&self) -> &SessionInfo {
        let mut facts = self.facts.iter().rev();
        facts
            .find_map(|fact| if let Fact::Session(info) = fact { Some(&**info) } else { None })
            .expect("a session")
    }

    /// The latest vehicle fact.
    pub fn newest_vehicle(&self) -> Option<&Vehicle> {
        let mut facts = self.facts.iter().rev();
        facts.find_map(|fact| if let Fact::Vehicle(_, vehicle) = fact { Some(&**vehicle) } else { None })
    }
}
