//! A sample for a bug report: a recording of the last packets without names, and a report of the program.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use trailbrake_games::feed::Feed;
use trailbrake_games::wire::{Datagram, Status};
use trailbrake_games::{Anonymise, OtherCars};
use trailbrake_model::time::Micros;

use super::{Fact, Info, RecordingBuilder, RecordingId, UNCLAIMED};

/// What a sample says of the program that made it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampleReport {
    /// The program, with its version.
    pub program: String,
    /// The commit that it was built from.
    pub commit: String,
    /// The system that it runs on.
    pub system: String,
    /// How it was started.
    pub settings: BTreeMap<String, String>,
    /// What was recognised and rejected, per port, and the state of everything else.
    pub status: Status,
    /// Packets that were left out, since they hold nothing but what people wrote or are called.
    pub left_out: u64,
}

impl Fact for SampleReport {
    const NAME: &'static str = "sample";
}

impl SampleReport {
    /// A report without the names in folders and files.
    pub fn new(
        program: &str,
        commit: &str,
        system: String,
        settings: BTreeMap<String, String>,
        status: &Status,
    ) -> Self {
        let mut status = status.clone();
        status.recorder.folder = None;
        status.recorder.underway.clear();
        let (program, commit) = (program.to_owned(), commit.to_owned());
        Self { program, commit, system, settings, status, left_out: 0 }
    }
}

/// The sample, as the bytes of a recording. Packets of unknown games stay as they are, the others lose the names of people.
pub fn sample(datagrams: &[Datagram<'_>], mut report: SampleReport, id: RecordingId, now: Micros) -> Vec<u8> {
    let info = Info {
        id,
        parent: None,
        created: datagrams.first().map_or(now, |first| first.at),
        feed: main_feed(datagrams).map_or(UNCLAIMED, Feed::id).to_owned(),
        program: report.program.clone(),
        others_left_out: true,
    };
    let mut builder = RecordingBuilder::new(&info);
    for datagram in datagrams {
        let mut bytes = datagram.bytes.to_vec();
        let is_shared = match datagram.feed.and_then(Feed::leave_out) {
            Some(Anonymise { others }) => others(&mut bytes, &[], OtherCars::Nameless),
            None => true,
        };
        if is_shared {
            builder.take(&Datagram { bytes: &bytes, ..*datagram });
        } else {
            report.left_out += 1;
        }
    }
    builder.add(&report);
    let mut file = builder.bytes();
    file.extend(builder.finish().bytes);
    file
}

/// The feed with the most packets.
fn main_feed(datagrams: &[Datagram<'_>]) -> Option<Feed> {
    let mut counts: BTreeMap<&str, (usize, Feed)> = BTreeMap::new();
    for feed in datagrams.iter().filter_map(|datagram| datagram.feed) {
        counts.entry(feed.id()).or_insert((0, feed)).0 += 1;
    }
    counts.into_values().max_by_key(|(count, _)| *count).map(|(_, feed)| feed)
}

#[cfg(test)]
mod tests {
    use trailbrake_games::wire::RecorderStatus;
    use trailbrake_session::Receiver;
    use trailbrake_sim::{Demo, Options};

    use super::*;
    use crate::{Reading, Recording, open::Opening, read_whole};

    fn report() -> SampleReport {
        let recorder = RecorderStatus { folder: Some("/home/ann/laps".into()), ..RecorderStatus::default() };
        let status = Status { recorder, browsers: 2, ..Status::default() };
        SampleReport::new("trailbrake 1", "0a1b2c3", "linux".into(), BTreeMap::new(), &status)
    }

    fn opened(file: &[u8]) -> (Recording, Vec<crate::Packet>) {
        let mut opening = Opening::new(file.len() as u64);
        read_whole(&mut opening, file);
        let recording = opening.finish().expect("a recording");
        let mut packets = recording.packets(Micros(0)..Micros(u64::MAX));
        let mut all = Vec::new();
        while packets.needs().is_some() {
            read_whole(&mut packets, file);
            all.extend(packets.take());
        }
        (recording, all)
    }

    #[test]
    fn a_sample_has_everything_but_names() {
        let began = Micros(1_795_000_000_000_000);
        let mut received: Vec<(Micros, Vec<u8>)> = Vec::new();
        let mut demo = Demo::new(Feed::F1, Options::default(), began).expect("a demo");
        demo.advance(began.plus_seconds(0.5), &mut |at, bytes| received.push((at, bytes.to_vec())));
        let sender = ([192, 168, 1, 7], 20_777).into();
        let mut datagrams: Vec<Datagram<'_>> = received
            .iter()
            .map(|(at, bytes)| Datagram { at: *at, sender, port: 20_777, feed: Some(Feed::F1), bytes })
            .collect();
        let last = datagrams.last().expect("packets").at;
        let chat = b"a server's chat".as_slice();
        datagrams.push(Datagram { at: last, sender, port: 12_000, feed: Some(Feed::AcServer), bytes: chat });
        let unknown = b"a game of tomorrow".as_slice();
        datagrams.push(Datagram { at: last, sender, port: 20_777, feed: None, bytes: unknown });

        let (recording, packets) = opened(&sample(&datagrams, report(), RecordingId(7), last));
        assert_eq!((recording.info().feed.as_str(), recording.info().others_left_out), ("f1", true));
        assert_eq!(packets.len(), received.len() + 1, "all but the chat");
        assert_eq!(packets.last().map(|packet| packet.bytes.as_slice()), Some(unknown));
        let mut receiver = Receiver::default();
        datagrams.iter().for_each(|datagram| drop(receiver.receive(datagram)));
        let participants = receiver.session().expect("a session").participants().to_vec();
        let people = participants.iter().filter(|entry| entry.ai != Some(true));
        let names: Vec<&str> = people.map(|entry| entry.name.as_str()).collect();
        assert!(!names.is_empty() && names.iter().all(|name| name.len() > 2), "{names:?}");
        let named = |bytes: &[u8]| {
            names.iter().find(|name| bytes.windows(name.len()).any(|part| part == name.as_bytes())).copied()
        };
        assert!(received.iter().any(|(_, bytes)| named(bytes).is_some()));
        assert!(packets.iter().all(|packet| named(&packet.bytes).is_none()));
        let found: SampleReport = recording.facts().get().expect("a report").expect("one");
        assert_eq!((found.left_out, found.status.browsers, found.status.recorder.folder), (1, 2, None));
        assert_eq!(found.commit, "0a1b2c3");
    }

    #[test]
    fn a_sample_without_packets_still_has_its_report() {
        let (recording, packets) = opened(&sample(&[], report(), RecordingId(7), Micros(5)));
        assert_eq!((recording.info().feed.as_str(), packets.len()), (UNCLAIMED, 0));
        assert!(matches!(recording.facts().get::<SampleReport>(), Ok(Some(_))));
    }
}
