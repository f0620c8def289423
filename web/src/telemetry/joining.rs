//! Joins a session that began before the page connected. The recording so far is decoded while live data is already
//! shown, and the result replaces the live session once it has caught up.

use std::ops::Range;

use trailbrake_shared::recording::{Recording, RecordingId, SessionJoin};
use trailbrake_shared::session::{DriverChoices, Receiver, Retention};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::{Datagram, RecorderStatus};

/// The joining of a session.
pub(super) struct Joining {
    join: SessionJoin,
    /// Decodes the session from its beginning.
    receiver: Receiver,
    step: Step,
    /// Identifies this joining, since fetched bytes may be for a cancelled one.
    ticket: Ticket,
}

/// Identifies a joining.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ticket(u32);

enum Step {
    /// The relay has not reported yet whether it is recording a session.
    AwaitingStatus,
    /// These recordings have to be opened.
    Wanted(Vec<RecordingId>),
    /// The recordings are being opened.
    Opening,
    /// The recordings are being read and decoded.
    Reading,
}

/// What a joining needs for its next step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Bytes of a recording, given by its index in the order of opening.
    Bytes(usize, Range<u64>),
    /// Time to decode.
    Time,
    /// Nothing: the joining has caught up, or was cancelled.
    Nothing,
}

/// The current joining, and the recordings that are already known.
#[derive(Default)]
pub(super) struct Joins {
    /// The joining in progress.
    pub(super) now: Option<Joining>,
    /// When the page connected, on the relay's clock. The page receives sessions that begin later in full.
    connected: Option<Micros>,
    /// The ids of current recordings that the page has joined, or received in full.
    known: Vec<String>,
    tickets: u32,
}

impl Joins {
    /// Takes the relay's greeting, after which live data follows. `now` is the relay's time.
    pub(super) fn connected(&mut self, now: Micros) {
        self.connected = Some(now);
    }

    /// Begins to join whatever session the relay will report, if the page is connected.
    pub(super) fn begin(&mut self, choices: &DriverChoices) {
        self.known.clear();
        self.now = self.connected.is_some().then(|| self.joining(Step::AwaitingStatus, choices));
    }

    fn joining(&mut self, step: Step, choices: &DriverChoices) -> Joining {
        self.tickets = self.tickets.wrapping_add(1);
        let receiver = given(Receiver::new(Retention::default()), choices);
        Joining { join: SessionJoin::default(), receiver, step, ticket: Ticket(self.tickets) }
    }

    /// Takes the relay's list of current recordings. A recording appears in it only some seconds after its beginning,
    /// so that one that began before the page connected may be listed later.
    pub(super) fn take_status(&mut self, status: &RecorderStatus, choices: &DriverChoices) {
        let awaiting = self.now.as_ref().is_some_and(|now| matches!(now.step, Step::AwaitingStatus));
        let missed = |began: Micros| self.connected.is_some_and(|connected| began < connected);
        let begun_before = status.underway.iter().filter(|one| awaiting || missed(one.began));
        let is_news = begun_before.clone().any(|one| !self.known.contains(&one.id));
        let ids: Vec<RecordingId> = begun_before.filter_map(|one| RecordingId::read(&one.id)).collect();
        self.known = status.underway.iter().map(|one| one.id.clone()).collect();
        if ids.is_empty() {
            self.now = self.now.take().filter(|_| !awaiting);
        } else if let Some(now) = self.now.as_mut().filter(|_| awaiting) {
            now.step = Step::Wanted(ids);
        } else if is_news && self.connected.is_some() {
            self.now = Some(self.joining(Step::Wanted(ids), choices));
        }
    }

    /// The recordings to open now. Returns them once only.
    pub(super) fn wanted(&mut self) -> Option<(Ticket, Vec<RecordingId>)> {
        let now = self.now.as_mut().filter(|now| matches!(now.step, Step::Wanted(_)))?;
        match std::mem::replace(&mut now.step, Step::Opening) {
            Step::Wanted(ids) => Some((now.ticket, ids)),
            _ => None,
        }
    }

    /// The joining with a ticket, unless it was cancelled.
    pub(super) fn of(&mut self, ticket: Ticket) -> Option<&mut Joining> {
        self.now.as_mut().filter(|now| now.ticket == ticket)
    }

    /// Takes a live packet, which follows those of the recordings.
    pub(super) fn receive(&mut self, datagram: &Datagram<'_>) {
        if let Some(now) = &mut self.now {
            now.join.receive(datagram);
        }
    }
}

impl Joining {
    /// Begins to read the opened recordings.
    pub(super) fn read(&mut self, recordings: &[&Recording], choices: &DriverChoices) {
        if let [one] = recordings
            && let Some(recalled) = one.recall_dropped()
        {
            self.receiver = given(Receiver::recalling(Retention::default(), recalled), choices);
        }
        recordings.iter().for_each(|recording| self.join.add(recording.all_packets()));
        self.step = Step::Reading;
    }

    /// Takes fetched bytes of the recording at an index.
    pub(super) fn give(&mut self, index: usize, bytes: &[u8]) {
        self.join.give(index, bytes);
    }

    /// Decodes packets as long as there is time.
    pub(super) fn work(&mut self, has_time: &mut dyn FnMut() -> bool) {
        while has_time() {
            for _ in 0..64 {
                let Some(packet) = self.join.next_packet() else { return };
                // A rejected packet was reported when it arrived.
                let _ = self.receiver.receive(&packet.datagram());
            }
        }
    }

    /// What the next step needs.
    pub(super) fn needs(&self) -> Needs {
        match self.join.needs() {
            Some((index, range)) => Needs::Bytes(index, range),
            None if self.is_done() => Needs::Nothing,
            None => Needs::Time,
        }
    }

    /// Whether everything received until now is decoded.
    pub(super) fn is_done(&self) -> bool {
        matches!(self.step, Step::Reading) && self.join.is_done()
    }

    /// The progress, 0 to 1.
    pub(super) fn share(&self) -> f64 {
        self.join.share()
    }

    /// The receiver with the decoded session.
    pub(super) fn finish(self) -> Receiver {
        self.receiver
    }
}

/// The receiver with what the driver chose, but without their task: they may have set it after the laps that are decoded.
fn given(mut receiver: Receiver, choices: &DriverChoices) -> Receiver {
    receiver.choose(DriverChoices { task: None, ..choices.clone() });
    receiver
}

#[cfg(test)]
mod tests;
