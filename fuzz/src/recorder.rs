//! Packets of several senders at once, through the recorder and into files.
#![expect(clippy::expect_used, reason = "bringing the program down is how a target reports what it found")]

use std::collections::BTreeMap;
use std::net::SocketAddr;

use trailbrake_shared::feed::FEEDS;
use trailbrake_shared::recording::recorder::{Action, FileId, Policy};
use trailbrake_shared::recording::{Opening, Recorder, RecordingId, read_whole};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// Silence that ends a recording, short enough for few bytes to get there.
const SILENCE_S: f64 = 60.0;

/// Datagrams of several machines. Five bytes precede each: the sender's address and port, four bits each; its feed, or none;
/// tenths of a second since the one before; and its length, little-endian. Whatever comes, every file that is kept opens.
pub fn recorder(bytes: &[u8]) {
    let mut ids = 0;
    let new_id = move || {
        ids += 1;
        RecordingId(ids)
    };
    let policy = Policy { shortest_s: 1.0, silence_s: SILENCE_S, zone_s: 0 };
    let mut recorder = Recorder::new(policy, "fuzz", Box::new(new_id));
    let mut files = Files::default();
    let (mut rest, mut at) = (bytes, Micros(1_795_271_520_000_000));
    while let Some(([whose, feed, tenths, len_low, len_high], following)) = rest.split_first_chunk() {
        at = at.plus_seconds(f64::from(*tenths) / 10.0);
        let len = usize::from(u16::from_le_bytes([*len_low, *len_high])).min(following.len());
        let (content, after) = following.split_at(len);
        let sender = SocketAddr::from(([10, 0, 0, whose >> 4], 5000 + u16::from(whose & 15)));
        let feed = FEEDS.get(usize::from(*feed) % (FEEDS.len() + 1)).map(|row| row.feed);
        recorder.receive(&Datagram { at, sender, port: 20777, feed, bytes: content });
        if tenths % 8 == 7 {
            recorder.stop_recording(sender.ip(), tenths % 16 == 7);
        }
        recorder.poll(at);
        files.take(&mut recorder);
        rest = after;
    }
    recorder.stop();
    files.take(&mut recorder);
    assert!(files.open.is_empty(), "every file ends");
}

/// What a store makes of the recorder's actions.
#[derive(Default)]
struct Files {
    open: BTreeMap<FileId, Vec<u8>>,
}

impl Files {
    fn take(&mut self, recorder: &mut Recorder) {
        for action in recorder.actions() {
            match action {
                Action::Open { file, .. } => {
                    assert_eq!(self.open.insert(file, Vec::new()), None, "a file begins once");
                }
                Action::Append { file, bytes } => self.file(file).extend(bytes),
                Action::Keep { file, name } => assert!(!self.file(file).is_empty() && !name.is_empty()),
                Action::Discard { file } => {
                    self.open.remove(&file).expect("a file that was begun");
                }
                Action::Close { file } => {
                    let bytes = self.open.remove(&file).expect("a file that was begun");
                    let mut opening = Opening::new(bytes.len() as u64);
                    read_whole(&mut opening, &bytes);
                    let recording = opening.finish().expect("a whole recording");
                    let mut packets = recording.all_packets();
                    read_whole(&mut packets, &bytes);
                    assert_eq!((packets.damaged(), packets.gaps()), (0, &[][..]), "every packet is there");
                }
            }
        }
    }

    fn file(&mut self, file: FileId) -> &mut Vec<u8> {
        self.open.get_mut(&file).expect("a file that was begun")
    }
}
