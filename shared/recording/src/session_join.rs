//! Joins a session late: what was recorded so far, then the live stream, each packet exactly once.
//!
//! A page that joins first collects live packets and then opens the recordings under way. So each packet is in a
//! recording, or arrived live, or both.

use std::collections::VecDeque;
use std::ops::Range;

use trailbrake_games::wire::Datagram;
use trailbrake_model::time::Micros;

use super::{Packet, Packets, Reading};

/// Bytes of a recording's packets that are read ahead.
const READ_AHEAD: usize = 8 << 20;

/// Returns the packets of a session from its beginning to those that arrive now.
#[derive(Debug, Default)]
pub struct SessionJoin {
    recorded: Vec<RecordingProgress>,
    live: VecDeque<Packet>,
    /// When the first live packet was received.
    live_since: Option<Micros>,
    /// Recorded packets that may also arrive live.
    recorded_since: VecDeque<Packet>,
}

/// The rest of one recording.
#[derive(Debug)]
struct RecordingProgress {
    packets: Packets,
    read: VecDeque<Packet>,
    /// Bytes of the file left to read at the beginning.
    whole: u64,
}

impl RecordingProgress {
    fn read_bytes(&self) -> usize {
        self.read.iter().map(|packet| packet.bytes.len()).sum()
    }

    /// Whether a packet of this recording must be read before any later one is returned.
    fn is_needed(&self) -> bool {
        self.read.is_empty() && self.packets.needs().is_some()
    }
}

impl SessionJoin {
    /// Takes a live packet.
    pub fn receive(&mut self, datagram: &Datagram<'_>) {
        self.live_since.get_or_insert(datagram.at);
        self.live.push_back(Packet::of(datagram, 0));
    }

    /// Adds a recording, to be read first. Open it only once live packets are being received.
    pub fn add(&mut self, packets: Packets) {
        let whole = packets.bytes_left();
        self.recorded.push(RecordingProgress { packets, read: VecDeque::new(), whole });
    }

    /// The bytes to read next, and the index of their recording, in the order of [`SessionJoin::add`].
    pub fn needs(&self) -> Option<(usize, Range<u64>)> {
        let places = || self.recorded.iter().enumerate();
        let short = |one: &RecordingProgress| one.packets.needs().is_some() && one.read_bytes() < READ_AHEAD;
        let next = places().find(|(_, one)| one.is_needed()).or_else(|| places().find(|(_, one)| short(one)));
        next.and_then(|(place, one)| Some((place, one.packets.needs()?)))
    }

    /// Takes the requested bytes of a recording.
    pub fn give(&mut self, place: usize, bytes: &[u8]) {
        if let Some(one) = self.recorded.get_mut(place) {
            one.packets.give(bytes);
            one.read.extend(one.packets.take());
        }
    }

    /// The next packet; `None` until more is read or arrives.
    pub fn next_packet(&mut self) -> Option<Packet> {
        loop {
            if self.recorded.iter().any(RecordingProgress::is_needed) {
                return None;
            }
            let first = |one: &RecordingProgress| one.read.front().map(|packet| packet.at);
            let earliest =
                self.recorded.iter_mut().filter(|one| first(one).is_some()).min_by_key(|one| first(one));
            let live = self.live.front().map(|packet| packet.at);
            if let Some(one) = earliest
                && live.is_none_or(|live| first(one) <= Some(live))
            {
                let packet = one.read.pop_front()?;
                if self.live_since.is_some_and(|since| packet.at >= since) {
                    self.recorded_since.push_back(packet.clone());
                }
                return Some(packet);
            }
            let packet = self.live.pop_front()?;
            if !self.is_recorded(&packet) {
                return Some(packet);
            }
        }
    }

    /// Whether all recordings are read and all packets returned.
    pub fn is_done(&self) -> bool {
        let rest = |one: &RecordingProgress| !one.read.is_empty() || one.packets.needs().is_some();
        self.live.is_empty() && !self.recorded.iter().any(rest)
    }

    /// The fraction of the recordings that was read, 0 to 1.
    pub fn share(&self) -> f64 {
        let whole: u64 = self.recorded.iter().map(|one| one.whole).sum();
        let left: u64 = self.recorded.iter().map(|one| one.packets.bytes_left()).sum();
        if whole == 0 { 0.0 } else { 1.0 - left as f64 / whole as f64 }
    }

    /// Whether a live packet was already returned from a recording. Packets received in the same microsecond differ in
    /// their bytes.
    fn is_recorded(&mut self, live: &Packet) -> bool {
        while self.recorded_since.pop_front_if(|packet| packet.at < live.at).is_some() {}
        let same = |packet: &Packet| {
            packet.at == live.at
                && packet.sender == live.sender
                && packet.port == live.port
                && packet.bytes == live.bytes
        };
        let place = self.recorded_since.iter().position(same);
        place.and_then(|place| self.recorded_since.remove(place)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trailbrake_games::feed::Feed;

    use super::*;
    use crate::{Info, Opening, Recording, RecordingId, Writer, read_whole};

    /// A packet: when it was received, in tenths of a second, and its one byte.
    type Plain = (u64, u8);

    fn datagram(&(tenths, ref content): &Plain) -> Datagram<'_> {
        let sender = ([127, 0, 0, 1], 5000).into();
        let (at, bytes) = (Micros(1_000_000 + tenths * 100_000), std::slice::from_ref(content));
        Datagram { at, sender, port: 20777, feed: Some(Feed::F1), bytes }
    }

    /// The recording of some packets, and its bytes.
    fn recorded(packets: &[Plain]) -> (Recording, Vec<u8>) {
        let info = Info {
            id: RecordingId(1),
            parent: None,
            created: Micros(0),
            feed: Feed::F1.id().to_owned(),
            program: String::new(),
            others_left_out: false,
        };
        let mut writer = Writer::new(&info);
        packets.iter().for_each(|packet| writer.take(&datagram(packet)));
        writer.end_second();
        let mut bytes = writer.bytes();
        bytes.extend(writer.tail());
        let mut opening = Opening::new(bytes.len() as u64);
        read_whole(&mut opening, &bytes);
        (opening.finish().expect("a recording"), bytes)
    }

    fn take_all(join: &mut SessionJoin, files: &[&[u8]], out: &mut Vec<Plain>) {
        loop {
            let plain = |packet: Packet| (packet.at.0 / 100_000 - 10, packet.bytes[0]);
            out.extend(std::iter::from_fn(|| join.next_packet()).map(plain));
            let Some((place, range)) = join.needs() else { return };
            join.give(place, &files[place][range.start as usize..range.end as usize]);
        }
    }

    #[test]
    fn recordings_of_several_senders_come_in_the_order_of_time() {
        let (one, one_bytes) = recorded(&[(1, 1), (30, 2), (50, 3)]);
        let (other, other_bytes) = recorded(&[(2, 4), (40, 5)]);
        let mut join = SessionJoin::default();
        [one, other].iter().for_each(|recording| join.add(recording.all_packets()));
        assert_eq!(join.share(), 0.0);
        let mut out = Vec::new();
        take_all(&mut join, &[&one_bytes, &other_bytes], &mut out);
        assert_eq!(out, [(1, 1), (2, 4), (30, 2), (40, 5), (50, 3)]);
        assert!(join.is_done() && join.share() == 1.0);
    }

    proptest! {
        #[test]
        fn every_packet_comes_once_and_in_order(
            steps in prop::collection::vec(0..3_u64, 1..120),
            connected in 0.0..1.0,
            opened in 0.0..1.0,
            early in 0..60_usize,
        ) {
            let mut now = 0;
            let packets: Vec<Plain> = (0..).zip(&steps).map(|(content, step)| { now += step; (now, content) }).collect();
            let connected = (connected * packets.len() as f64) as usize;
            let opened = connected + (opened * (packets.len() - connected) as f64) as usize;
            let (recording, bytes) = recorded(&packets[..opened]);
            let mut join = SessionJoin::default();
            let arrived = (opened + early).min(packets.len());
            packets[connected..arrived].iter().for_each(|packet| join.receive(&datagram(packet)));
            join.add(recording.all_packets());
            let mut out = Vec::new();
            take_all(&mut join, &[&bytes], &mut out);
            for packet in &packets[arrived..] {
                join.receive(&datagram(packet));
                take_all(&mut join, &[&bytes], &mut out);
            }
            prop_assert_eq!(out, packets);
            prop_assert!(join.is_done());
        }
    }
}
