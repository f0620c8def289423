//! A test sink that keeps a server's decoded messages, and a session.

use trailbrake_shared::games::ac_server::Decoder;
use trailbrake_shared::games::{Decode, Rejected};
use trailbrake_shared::model::{
    Car, Event, EventKind, Fact, LapProgress, Moment, Participant, Presence, Sample, SessionInfo, Sink,
};
use trailbrake_shared::session::{Retention, Session};
use trailbrake_shared::time::Micros;

/// Keeps all decoder output, and a session as the page would.
pub(crate) struct Listener {
    decoder: Decoder,
    log: ServerLog,
    at: Micros,
}

pub(crate) struct ServerLog {
    pub(crate) events: Vec<Event>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) progress: Vec<LapProgress>,
    pub(crate) samples: Vec<(Car, Vec<(String, f32)>)>,
    pub(crate) session: Session,
}

impl Default for Listener {
    fn default() -> Self {
        let log = ServerLog {
            events: Vec::new(),
            facts: Vec::new(),
            progress: Vec::new(),
            samples: Vec::new(),
            session: Session::new(Retention::default()),
        };
        Self { decoder: Decoder::default(), log, at: Micros(0) }
    }
}

impl std::ops::Deref for Listener {
    type Target = ServerLog;

    fn deref(&self) -> &ServerLog {
        &self.log
    }
}

impl Listener {
    /// Takes a message `seconds` after the one before.
    pub(crate) fn after(&mut self, seconds: f64, datagram: &[u8]) -> Result<(), Rejected> {
        self.at = self.at.plus_seconds(seconds);
        self.decoder.receive(self.at, datagram, &mut self.log)
    }

    pub(crate) fn take(&mut self, datagram: &[u8]) {
        self.after(1.0, datagram).expect("a message");
    }

    /// The events, with their cars.
    pub(crate) fn kinds(&self) -> Vec<(Option<u8>, EventKind)> {
        self.events.iter().map(|event| (event.car.map(|car| car.0), event.kind.clone())).collect()
    }

    /// The latest session info.
    pub(crate) fn info(&self) -> &SessionInfo {
        self.session.info().expect("a session")
    }

    /// The connected participants: slot and name.
    pub(crate) fn present(&self) -> Vec<(u8, &str)> {
        let there = self.session.participants().iter();
        let there = there.filter(|who| who.presence != Some(Presence::Gone));
        there.map(|who| (who.car.0, who.name.as_str())).collect()
    }

    pub(crate) fn participant(&self, slot: u8) -> &Participant {
        self.session.participants().iter().find(|who| who.car == Car(slot)).expect("a participant")
    }
}

impl Sink for ServerLog {
    fn sample(&mut self, sample: &Sample<'_>) {
        let values = sample.values.iter().map(|&(slot, value)| (slot.id(), value)).collect();
        self.samples.push((sample.car, values));
        self.session.sample(sample);
    }

    fn progress(&mut self, progress: &LapProgress) {
        self.progress.push(*progress);
        self.session.progress(progress);
    }

    fn event(&mut self, event: Event) {
        self.events.push(event.clone());
        self.session.event(event);
    }

    fn fact(&mut self, moment: Moment, fact: Fact) {
        self.facts.push(fact.clone());
        self.session.fact(moment, fact);
    }
}
