//! Makes a recording of packets that were received earlier.

use trailbrake_games::wire::Datagram;
use trailbrake_model::time::Micros;
use trailbrake_session::{Receiver, Retention};

use super::facts::Labels;
use super::{Fact, Facts, Follower, Info, MergedNotes, Timeline, Writer, authored};

/// A silence this long is marked in a recording.
const SILENCE_US: u64 = 2_000_000;

/// A recording being made: packets in, bytes to append out.
pub struct RecordingBuilder {
    writer: Writer,
    receiver: Receiver,
    follower: Follower,
    second: u64,
    now: Micros,
    packets: u64,
    /// Labels, notes and tasks of the source recordings.
    kept: Facts,
}

/// The end of a recording.
pub struct RecordingEnd {
    /// The last bytes of the file.
    pub bytes: Vec<u8>,
    /// The number of packets in it.
    pub packets: u64,
    /// The number of laps in it.
    pub laps: usize,
}

impl RecordingBuilder {
    /// Begins a recording, at the time its information gives.
    pub fn new(info: &Info) -> Self {
        Self {
            writer: Writer::new(info),
            receiver: Receiver::new(Retention { player_bytes: 0, compares: false, ..Retention::default() }),
            follower: Follower::default(),
            second: info.created.0 / 1_000_000,
            now: info.created,
            packets: 0,
            kept: Facts::default(),
        }
    }

    /// Takes the next packet.
    pub fn take(&mut self, datagram: &Datagram<'_>) {
        let silent = datagram.at.0.saturating_sub(self.now.0);
        if silent > SILENCE_US {
            self.follower.silence(datagram.at, silent);
        }
        self.now = datagram.at;
        let second = datagram.at.0 / 1_000_000;
        if second != self.second {
            self.second = second;
            self.writer.end_second();
        }
        self.writer.take(datagram);
        self.packets += 1;
        let follower = &mut self.follower;
        // Rejected packets are kept all the same: a later version may decode them.
        let _ = self.receiver.receive_with(datagram, &mut |event| follower.event(event));
        if let Some(session) = self.receiver.session() {
            self.follower.look(session, datagram.at);
        }
    }

    /// The bytes to append since the last call.
    pub fn bytes(&mut self) -> Vec<u8> {
        self.writer.bytes()
    }

    /// Keeps labels, notes and tasks of a source recording: all notes, tasks and tags, and the first name. Returns what
    /// that changed among the notes.
    pub fn keep(&mut self, facts: &Facts) -> MergedNotes {
        let kept = authored::together(&self.kept, facts);
        let merged = MergedNotes::between(&self.kept, &kept);
        self.kept = kept;
        // What can't be read is of no use in the new recording either.
        let labels = |facts: &Facts| facts.get::<Labels>().ok().flatten();
        let Some(theirs) = labels(facts) else { return merged };
        let mut own = labels(&self.kept).unwrap_or_default();
        own.name = own.name.or(theirs.name);
        for tag in theirs.tags {
            if !own.tags.contains(&tag) {
                own.tags.push(tag);
            }
        }
        self.kept.put(self.now, &own);
        merged
    }

    /// Adds a fact of its own.
    pub fn add<F: Fact>(&mut self, fact: &F) {
        self.kept.put(self.now, fact);
    }

    /// Writes the facts learnt from the packets, and ends the recording.
    pub fn finish(mut self) -> RecordingEnd {
        if let Some(session) = self.receiver.session() {
            self.writer.write_last(self.now, &session.summary());
        }
        let table = self.follower.ended_laps();
        self.writer.write_last(self.now, &table);
        let timeline: &Timeline = self.follower.timeline();
        self.writer.write_last(self.now, timeline);
        self.writer.write_last(self.now, &self.follower.events());
        self.writer.write_last(self.now, &self.follower.traffic());
        self.writer.write_all_last(&self.kept);
        RecordingEnd { bytes: self.writer.finish(), packets: self.packets, laps: table.laps.len() }
    }
}
