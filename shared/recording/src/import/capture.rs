//! Makes recordings of a capture: one for each feed in it.

use std::collections::BTreeMap;

use trailbrake_games::capture::{Damage, Packet, PacketStream, Reader};
use trailbrake_games::feed::{self, Feed};
use trailbrake_games::wire::Datagram;
use trailbrake_model::time::Micros;

use super::{ImportedRecording, info};
use crate::RecordingBuilder;

/// A capture being imported. Packets of no known game are left out.
pub struct CaptureImport {
    stream: PacketStream,
    program: String,
    recordings: BTreeMap<Feed, (RecordingBuilder, Vec<u8>)>,
    damage: Option<Damage>,
}

impl CaptureImport {
    /// Begins with a file's first bytes, which are to be pushed all the same; `None` if it is no capture. `program` is the
    /// name of the importing program.
    pub fn begin(head: &[u8], program: &str) -> Option<Self> {
        let stream = PacketStream::new(Reader::open(head)?);
        Some(Self { stream, program: program.to_owned(), recordings: BTreeMap::new(), damage: None })
    }

    /// Takes the next bytes; whether more of them are of use.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        let mut found = Vec::new();
        self.damage = self.stream.push(bytes, &mut found).err();
        self.take(found);
        self.damage.is_none()
    }

    /// Ends the file. The recording with the most packets comes first; damage ended the capture early.
    pub fn finish(mut self) -> (Vec<ImportedRecording>, Option<Damage>) {
        if self.damage.is_none() {
            let mut found = Vec::new();
            self.damage = self.stream.finish(&mut found).err();
            self.take(found);
        }
        let finished = |(feed, (builder, mut bytes)): (Feed, (RecordingBuilder, Vec<u8>))| {
            let end = builder.finish();
            bytes.extend(end.bytes);
            ImportedRecording { feed, packets: end.packets, laps: end.laps, bytes }
        };
        let mut recordings: Vec<ImportedRecording> = self.recordings.into_iter().map(finished).collect();
        recordings.sort_by_key(|recording| std::cmp::Reverse(recording.packets));
        (recordings, self.damage)
    }

    fn take(&mut self, packets: Vec<Packet>) {
        for packet in packets {
            let Ok(datagram) = &packet.content else { continue };
            let Ok(known) = feed::recognise(&datagram.bytes) else { continue };
            let datagram = Datagram {
                at: packet.at.unwrap_or(Micros(0)),
                sender: datagram.sender,
                port: datagram.receiver.port(),
                feed: Some(known.feed),
                bytes: &datagram.bytes,
            };
            let program = &self.program;
            let begin = || (RecordingBuilder::new(&info(known.feed, &datagram, program)), Vec::new());
            let (builder, bytes) = self.recordings.entry(known.feed).or_insert_with(begin);
            builder.take(&datagram);
            bytes.extend(builder.bytes());
        }
    }
}
