//! Joining a session: the part before the page connected is decoded beside the live data, and replaces it once it has
//! caught up.

use std::ops::Range;

use trailbrake_shared::model::TrackPrint;
use trailbrake_shared::recording::{Recording, RecordingId, SessionJoin};
use trailbrake_shared::session::{Receiver, Retention};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::{Datagram, RecorderStatus};

/// The joining of a session.
pub(super) struct Joining {
    join: SessionJoin,
    receiver: Receiver,
    step: Step,
    /// Identifies this joining for fetched bytes.
    ticket: Ticket,
}

/// Identifies a joining.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ticket(u32);

enum Step {
    /// It is not known yet whether a session is being recorded.
    AwaitingStatus,
    /// These recordings have to be opened.
    Wanted(Vec<RecordingId>),
    /// They are being opened.
    Opening,
    /// They are being read and decoded.
    Reading,
}

/// The next step of a joining.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Bytes of a recording, given by its index in the order of opening.
    Bytes(usize, Range<u64>),
    /// Time to decode.
    Time,
    /// Nothing: it has caught up, or was cancelled.
    Nothing,
}

/// When the page joined, and which recordings.
#[derive(Default)]
pub(super) struct Joins {
    pub(super) now: Option<Joining>,
    /// When the page connected, on the relay's clock: recordings that began later arrive in full.
    connected: Option<Micros>,
    /// Current recordings that were joined, or arrived in full.
    known: Vec<String>,
    tickets: u32,
}

impl Joins {
    /// The relay's greeting: live data follows.
    pub(super) fn connected(&mut self, now: Micros) {
        self.connected = Some(now);
    }

    /// The page knows nothing of a session that may be running.
    pub(super) fn begin(&mut self, tracks: &[TrackPrint]) {
        self.known.clear();
        self.now = self.connected.is_some().then(|| self.joining(Step::AwaitingStatus, tracks));
    }

    fn joining(&mut self, step: Step, tracks: &[TrackPrint]) -> Joining {
        self.tickets = self.tickets.wrapping_add(1);
        let mut receiver = Receiver::new(Retention::default());
        receiver.know_tracks(tracks.to_vec());
        Joining { join: SessionJoin::default(), receiver, step, ticket: Ticket(self.tickets) }
    }

    /// Takes the list of current recordings. A recording is listed only some seconds after its beginning.
    pub(super) fn take_status(&mut self, status: &RecorderStatus, tracks: &[TrackPrint]) {
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
            self.now = Some(self.joining(Step::Wanted(ids), tracks));
        }
    }

    /// The recordings to open now.
    pub(super) fn wanted(&mut self) -> Option<(Ticket, Vec<RecordingId>)> {
        let now = self.now.as_mut().filter(|now| matches!(now.step, Step::Wanted(_)))?;
        match std::mem::replace(&mut now.step, Step::Opening) {
            Step::Wanted(ids) => Some((now.ticket, ids)),
            _ => None,
        }
    }

    /// The joining whose bytes are being fetched, unless it was cancelled.
    pub(super) fn of(&mut self, ticket: Ticket) -> Option<&mut Joining> {
        self.now.as_mut().filter(|now| now.ticket == ticket)
    }

    /// Takes a live packet.
    pub(super) fn receive(&mut self, datagram: &Datagram<'_>) {
        if let Some(now) = &mut self.now {
            now.join.receive(datagram);
        }
    }
}

impl Joining {
    /// The recordings are open.
    pub(super) fn read(&mut self, recordings: &[&Recording], tracks: &[TrackPrint]) {
        if let [one] = recordings
            && let Some(recalled) = one.recall_dropped()
        {
            self.receiver = Receiver::recalling(Retention::default(), recalled);
            self.receiver.know_tracks(tracks.to_vec());
        }
        recordings.iter().for_each(|recording| self.join.add(recording.all_packets()));
        self.step = Step::Reading;
    }

    /// Takes fetched bytes.
    pub(super) fn give(&mut self, place: usize, bytes: &[u8]) {
        self.join.give(place, bytes);
    }

    /// Decodes packets as long as there is time.
    pub(super) fn work(&mut self, has_time: &mut dyn FnMut() -> bool) {
        while has_time() {
            for _ in 0..64 {
                let Some(packet) = self.join.next_packet() else { return };
                // Rejected packets were counted when they arrived.
                let _ = self.receiver.receive(&packet.datagram());
            }
        }
    }

    /// The next step.
    pub(super) fn needs(&self) -> Needs {
        match self.join.needs() {
            Some((place, range)) => Needs::Bytes(place, range),
            None if self.is_done() => Needs::Nothing,
            None => Needs::Time,
        }
    }

    /// Whether everything until now was decoded.
    pub(super) fn is_done(&self) -> bool {
        matches!(self.step, Step::Reading) && self.join.is_done()
    }

    /// The progress, 0 to 1.
    pub(super) fn share(&self) -> f64 {
        self.join.share()
    }

    /// The decoded session.
    pub(super) fn finish(self) -> Receiver {
        self.receiver
    }
}

#[cfg(test)]
mod tests;
