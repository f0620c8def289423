//! Keeps sessions that are not recorded in memory, within a limit, for pages that connect late.

use std::collections::BTreeMap;

use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::recording::recorder::{Action, FileId};
use trailbrake_shared::time::Micros;

use super::Store;
use super::session_bytes::SessionBytes;
use super::underway::{Content, RecordingUnderway};

/// Sessions in memory. The oldest bytes are dropped beyond the limit.
pub(crate) struct MemoryStore {
    most_bytes: usize,
    sessions: BTreeMap<FileId, Session>,
    dropped: Vec<(FileId, u64)>,
}

struct Session {
    id: RecordingId,
    name: String,
    began: Micros,
    kept: bool,
    content: SessionBytes,
}

impl MemoryStore {
    /// A store with room for `most_bytes` of compressed packets.
    pub(crate) fn new(most_bytes: usize) -> Self {
        Self { most_bytes, sessions: BTreeMap::new(), dropped: Vec::new() }
    }

    fn bytes(&self) -> usize {
        self.sessions.values().map(|session| session.content.bytes()).sum()
    }
}

impl Store for MemoryStore {
    fn take(&mut self, action: Action) {
        match action {
            Action::Open { file, id, began, name, .. } => {
                let session = Session { id, name, began, kept: false, content: SessionBytes::default() };
                self.sessions.insert(file, session);
            }
            Action::Keep { file, name } => {
                if let Some(session) = self.sessions.get_mut(&file) {
                    (session.kept, session.name) = (true, name);
                }
            }
            Action::Append { file, bytes } => {
                if let Some(session) = self.sessions.get(&file) {
                    session.content.push(bytes);
                }
            }
            Action::Discard { file } | Action::Close { file } => drop(self.sessions.remove(&file)),
        }
    }

    fn write(&mut self) -> Vec<FileId> {
        while self.bytes() > self.most_bytes {
            let Some((file, session)) = self.sessions.iter().find(|(_, session)| session.content.bytes() > 0)
            else {
                break;
            };
            self.dropped.extend(session.content.drop_oldest().map(|before| (*file, before)));
        }
        Vec::new()
    }

    fn dropped(&mut self) -> Vec<(FileId, u64)> {
        std::mem::take(&mut self.dropped)
    }

    fn underway(&self) -> Vec<RecordingUnderway> {
        let kept = self.sessions.iter().filter(|(_, session)| session.kept);
        let underway = kept.map(|(file, session)| RecordingUnderway {
            file: *file,
            id: session.id,
            name: session.name.clone(),
            began: session.began,
            content: Content::Memory(session.content.clone()),
            len: session.content.end(),
        });
        underway.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use trailbrake_shared::feed::Feed;
    use trailbrake_shared::recording::recorder::Policy;
    use trailbrake_shared::recording::{Opening, Packet, Reading, Recorder, Recording};
    use trailbrake_shared::session::{Receiver, Retention};
    use trailbrake_shared::sim::{Demo, Options};
    use trailbrake_shared::wire::Datagram;

    use super::*;

    const BEGAN: Micros = Micros(1_795_271_520_000_000);

    /// What a page reads of the session in memory: the recording, and those of its packets that are still kept.
    fn opened(recorder: &mut Recorder, memory: &MemoryStore) -> (Recording, Vec<Packet>) {
        let [one] = &memory.underway()[..] else { panic!("one session") };
        let Content::Memory(kept) = &one.content else { panic!("in memory") };
        let tail = recorder.tail(one.file).expect("what opens it");
        let len = one.len;
        let bytes = |range: Range<u64>| {
            let mut bytes =
                kept.range(range.start.min(len)..range.end.min(len)).expect("what is listed is kept");
            let within = |place: u64| (place.saturating_sub(len) as usize).min(tail.len());
            bytes.extend_from_slice(&tail[within(range.start)..within(range.end)]);
            bytes
        };
        let mut opening = Opening::new(len + tail.len() as u64);
        while let Some(range) = opening.needs() {
            // The tail is at its end; a request may start before the bytes that are kept.
            let from = range.start.max(len);
            let missing = vec![0; (from - range.start) as usize];
            opening.give(&[missing, bytes(from..range.end)].concat());
        }
        let recording = opening.finish().expect("a recording");
        let (mut packets, mut kept) = (recording.all_packets(), Vec::new());
        while let Some(range) = packets.needs() {
            packets.give(&bytes(range));
            kept.extend(packets.take());
        }
        assert_eq!((packets.damaged(), packets.gaps()), (0, &[][..]));
        (recording, kept)
    }

    #[test]
    fn half_an_hour_stays_within_the_bound_and_every_lap_stays_listed() {
        const BOUND: usize = 2 << 20;
        let options = Options { duration_s: 2_000, keep_truth: false, ..Options::default() };
        let mut demo = Demo::new(Feed::GranTurismo, options, BEGAN).expect("a feed that is spoken");
        let mut recorder = Recorder::new(Policy::default(), "test", Box::new(|| RecordingId(1)));
        let mut memory = MemoryStore::new(BOUND);
        let (mut sent, mut most) = (0, 0);
        for seconds in 1..=1_800_u32 {
            let now = BEGAN.plus_seconds(seconds.into());
            demo.advance(now, &mut |at, bytes| {
                sent += 1;
                let sender = ([127, 0, 0, 1], 5000).into();
                let feed = Some(Feed::GranTurismo);
                recorder.receive(&Datagram { at, sender, port: 33740, feed, bytes });
            });
            recorder.poll(now);
            for action in recorder.actions() {
                memory.take(action);
            }
            assert_eq!(memory.write(), []);
            for (file, before) in memory.dropped() {
                recorder.forget(file, before);
            }
            most = most.max(memory.bytes());
        }
        assert!((BOUND / 2..=BOUND).contains(&most), "{most} bytes");
        let (recording, packets) = opened(&mut recorder, &memory);
        assert!(packets.len() < sent / 2, "{} of {sent} packets are kept", packets.len());
        let laps = recording.laps().laps.iter().filter(|row| row.lap.time.is_some()).count();
        assert!(laps > 15, "{laps} laps");
        // A page that connects now knows all laps, and compares with the best whose packets are kept.
        let recalled = recording.recall_dropped().expect("what was dropped");
        let mut receiver = Receiver::recalling(Retention::default(), recalled);
        for packet in &packets {
            receiver.receive(&packet.datagram()).expect("a packet");
        }
        let session = receiver.session().expect("a session");
        let car = session.player().and_then(|player| session.car(player)).expect("the player's car");
        assert_eq!(car.laps.finished().iter().filter(|lap| lap.time.is_some()).count(), laps);
        assert!(session.live_comparison().reference().is_some() && session.live_comparison().delta().is_ok());
        assert_eq!(recording.time().map(|time| time.end.seconds_since(BEGAN) > 1_790.0), Some(true));
    }

    #[test]
    fn what_was_dropped_or_never_came_is_not_there() {
        let mut memory = MemoryStore::new(10);
        let file = FileId(1);
        let machine = [127, 0, 0, 1].into();
        memory.take(Action::Open { file, id: RecordingId(1), machine, began: BEGAN, name: String::new() });
        assert_eq!(memory.underway().len(), 0, "on trial");
        memory.take(Action::Keep { file, name: "now".to_owned() });
        for bytes in [b"abcd".as_slice(), b"efgh", b"ijkl"] {
            memory.take(Action::Append { file, bytes: bytes.to_vec() });
            memory.write();
        }
        assert_eq!(memory.dropped(), [(file, 4)]);
        let [one] = &memory.underway()[..] else { panic!("one session") };
        let Content::Memory(kept) = &one.content else { panic!("in memory") };
        let range =
            |range: Range<u64>| kept.range(range).map(|bytes| String::from_utf8(bytes).expect("text"));
        assert_eq!((range(4..12).as_deref(), range(6..9).as_deref()), (Some("efghijkl"), Some("ghi")));
        assert_eq!((range(3..6), range(8..13), range(12..12).as_deref()), (None, None, Some("")));
        memory.take(Action::Close { file });
        assert_eq!((memory.underway().len(), memory.bytes()), (0, 0));
    }
}
