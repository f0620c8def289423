//! Datagrams in, sessions out: the same for live telemetry, replays and the demo.

use std::net::SocketAddr;

use super::{Retention, Session};
use crate::feed::{self, Feed};
use crate::games::{Decode, Rejected};
use crate::model::{Event, Fact, LapProgress, Moment, Sample, Sink, TrackPrint};
use crate::time::Micros;
use crate::wire::Datagram;

/// More senders than this at a time are not listened to.
const MOST_SENDERS: usize = 8;
/// A sender that was silent for this long makes room for another.
const SILENT_S: f64 = 10.0;
/// The session on show changes when its sender was silent for this long and another one sends.
const YIELD_S: f64 = 3.0;
/// Different reasons for rejections that are kept.
const MOST_REASONS: usize = 16;

/// Where telemetry comes from: one program that sends one feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The feed.
    pub feed: Feed,
    /// The address it sends from.
    pub sender: SocketAddr,
}

/// One program that sends, and what it told.
pub struct Source {
    /// Who it is.
    pub origin: Origin,
    /// Its session as it is now.
    pub session: Session,
    /// Datagrams taken.
    pub packets: u64,
    /// When the last one was received.
    pub heard: Micros,
    /// What was not understood of them.
    pub rejections: Rejections,
    decoder: Box<dyn Decode>,
}

/// Takes datagrams and keeps a session for each sender.
#[derive(Default)]
pub struct Receiver {
    sources: Vec<Source>,
    shown: Option<Origin>,
    retention: Retention,
    /// The tracks that the user has named, for games that do not name theirs.
    tracks: Vec<TrackPrint>,
    /// Datagrams that belong to no sender's session.
    rejections: Rejections,
}

/// What was not understood, by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rejections {
    total: u64,
    reasons: Vec<(String, u64)>,
}

impl Receiver {
    /// A receiver that keeps so much of the past.
    pub fn new(retention: Retention) -> Self {
        Self { retention, ..Self::default() }
    }

    /// Takes a datagram. A rejection is counted here and returned; what is valid in the datagram is used even then.
    pub fn receive(&mut self, datagram: &Datagram<'_>) -> Result<(), Rejected> {
        self.take(datagram, None)
    }

    /// Takes a datagram and tells of everything that its decoder says happened, signals included.
    pub fn overhear(&mut self, datagram: &Datagram<'_>, ear: &mut dyn FnMut(&Event)) -> Result<(), Rejected> {
        self.take(datagram, Some(ear))
    }

    fn take(&mut self, datagram: &Datagram<'_>, ear: Option<&mut dyn FnMut(&Event)>) -> Result<(), Rejected> {
        let source = match self.source_of(datagram) {
            Ok(source) => source,
            Err(reason) => {
                self.rejections.count(&reason);
                return Err(reason);
            }
        };
        source.packets += 1;
        source.heard = datagram.at;
        let (at, bytes, session) = (datagram.at, datagram.bytes, &mut source.session);
        let outcome = match ear {
            None => source.decoder.receive(at, bytes, session),
            Some(ear) => source.decoder.receive(at, bytes, &mut Overheard { session, ear }),
        };
        if let Err(reason) = &outcome {
            source.rejections.count(reason);
        }
        let origin = source.origin;
        self.show(origin, datagram.at);
        outcome
    }

    /// Takes the tracks that the user has named, all of them: they hold for who sends now and for who will.
    pub fn know_tracks(&mut self, tracks: Vec<TrackPrint>) {
        self.sources.iter_mut().for_each(|source| source.decoder.know_tracks(&tracks));
        self.tracks = tracks;
    }

    /// Everyone who sends or sent lately.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The source to look at: the one that sends, and stays the one as long as it does.
    pub fn shown(&self) -> Option<&Source> {
        self.sources.iter().find(|source| Some(source.origin) == self.shown)
    }

    /// The session to look at.
    pub fn session(&self) -> Option<&Session> {
        self.shown().map(|source| &source.session)
    }

    /// The session to look at, to tell it what the driver wants.
    pub fn session_mut(&mut self) -> Option<&mut Session> {
        let shown = self.shown;
        self.sources.iter_mut().find(|source| Some(source.origin) == shown).map(|source| &mut source.session)
    }

    /// Datagrams that belong to no session.
    pub fn rejections(&self) -> &Rejections {
        &self.rejections
    }

    fn source_of(&mut self, datagram: &Datagram<'_>) -> Result<&mut Source, Rejected> {
        let feed = match datagram.feed {
            Some(feed) => feed,
            None => feed::recognise(datagram.bytes)?.feed,
        };
        let origin = Origin { feed, sender: datagram.sender };
        let known = self.sources.iter().position(|source| source.origin == origin);
        let place = match known {
            Some(place) => place,
            None => self.add(origin, datagram)?,
        };
        self.sources.get_mut(place).ok_or_else(|| Rejected::unknown(datagram.bytes))
    }

    fn add(&mut self, origin: Origin, datagram: &Datagram<'_>) -> Result<usize, Rejected> {
        let row = origin.feed.info();
        let codec = row.codec.ok_or(Rejected::NotDecoded { game: row.game })?;
        // A sender is one once it has sent something that makes sense.
        (codec.recognise)(datagram.bytes)?;
        if self.sources.len() >= MOST_SENDERS {
            let silent = |source: &Source| datagram.at.seconds_since(source.heard) > SILENT_S;
            let oldest = (0..).zip(&self.sources).filter(|(_, source)| silent(source));
            match oldest.min_by_key(|(_, source)| source.heard) {
                Some((place, _)) => drop(self.sources.remove(place)),
                None => return Err(Rejected::TooManySenders { most: MOST_SENDERS }),
            }
        }
        let mut decoder = (codec.decoder)();
        decoder.know_tracks(&self.tracks);
        self.sources.push(Source {
            origin,
            session: Session::new(self.retention),
            packets: 0,
            heard: datagram.at,
            rejections: Rejections::default(),
            decoder,
        });
        Ok(self.sources.len() - 1)
    }

    fn show(&mut self, origin: Origin, at: Micros) {
        if self.shown().is_none_or(|shown| at.seconds_since(shown.heard) > YIELD_S) {
            self.shown = Some(origin);
        }
    }
}

/// A session's sink with somebody who listens to what happens.
struct Overheard<'a> {
    session: &'a mut Session,
    ear: &'a mut dyn FnMut(&Event),
}

impl Sink for Overheard<'_> {
    fn sample(&mut self, sample: &Sample<'_>) {
        self.session.sample(sample);
    }

    fn progress(&mut self, progress: &LapProgress) {
        self.session.progress(progress);
    }

    fn event(&mut self, event: Event) {
        (self.ear)(&event);
        self.session.event(event);
    }

    fn fact(&mut self, moment: Moment, fact: Fact) {
        self.session.fact(moment, fact);
    }
}

impl Rejections {
    /// How many there were.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The reasons in words with how often each was given, the latest first.
    pub fn reasons(&self) -> impl Iterator<Item = (&str, u64)> {
        self.reasons.iter().rev().map(|(reason, count)| (reason.as_str(), *count))
    }

    pub(super) fn count(&mut self, reason: &Rejected) {
        self.total += 1;
        let words = reason.to_string();
        let known = self.reasons.iter().position(|(reason, _)| *reason == words);
        let before = known.map_or(0, |place| self.reasons.remove(place).1);
        if self.reasons.len() >= MOST_REASONS {
            self.reasons.remove(0);
        }
        self.reasons.push((words, before + 1));
    }
}

#[cfg(test)]
mod tests {
    use zerocopy::{FromZeros, IntoBytes};

    use super::*;
    use crate::games::f1_2018::layout::LapData;

    fn lap_data(seconds: f32) -> Vec<u8> {
        let mut packet = LapData::new_zeroed();
        packet.header.packet_format = 2018.into();
        packet.header.packet_version = 1;
        packet.header.packet_id = 2;
        packet.header.session_time = seconds.into();
        packet.as_bytes().to_vec()
    }

    fn datagram(port: u16, at_s: u64, bytes: &[u8]) -> Datagram<'_> {
        let sender = SocketAddr::from(([127, 0, 0, 1], port));
        Datagram { at: Micros(at_s * 1_000_000), sender, port: 20777, feed: None, bytes }
    }

    fn shown(receiver: &Receiver) -> Option<u16> {
        receiver.shown().map(|source| source.origin.sender.port())
    }

    #[test]
    fn each_sender_has_its_session_and_the_one_that_sends_is_shown() {
        let mut receiver = Receiver::default();
        let packet = lap_data(1.0);
        for (port, at) in [(5000, 1), (5001, 2), (5000, 3)] {
            assert_eq!(receiver.receive(&datagram(port, at, &packet)), Ok(()));
        }
        assert_eq!(receiver.sources().iter().map(|source| source.packets).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(shown(&receiver), Some(5000));
        receiver.receive(&datagram(5001, 5, &packet)).expect("a packet");
        assert_eq!(shown(&receiver), Some(5000), "the first still sends");
        receiver.receive(&datagram(5001, 9, &packet)).expect("a packet");
        assert_eq!(shown(&receiver), Some(5001));
    }

    #[test]
    fn rejections_are_counted_by_reason_and_make_no_sender() {
        let mut receiver = Receiver::default();
        for bytes in [&[1_u8, 2, 3][..], &[1, 2, 3], &[]] {
            receiver.receive(&datagram(5000, 1, bytes)).expect_err("a reason");
        }
        assert_eq!((receiver.sources().len(), receiver.rejections().total()), (0, 3));
        assert_eq!(receiver.rejections().reasons().map(|(_, count)| count).collect::<Vec<_>>(), [1, 2]);
        let undecoded = Datagram { feed: Some(Feed::AcServer), ..datagram(5000, 1, &[1, 2]) };
        let reason = receiver.receive(&undecoded).expect_err("a reason").to_string();
        assert!(reason.contains("does not decode") || reason.contains("no known game"), "{reason}");
        let mut nan = lap_data(1.0);
        nan[21..25].copy_from_slice(&f32::NAN.to_le_bytes());
        receiver.receive(&datagram(5000, 1, &nan)).expect_err("a reason");
        assert_eq!(receiver.sources()[0].rejections.total(), 1);
        for len in 0..100 {
            let _ = receiver.receive(&datagram(5000, 1, &vec![7; len]));
        }
        assert!(receiver.rejections().reasons().count() <= MOST_REASONS);
    }

    #[test]
    fn who_overhears_is_told_what_happens_and_the_session_no_less() {
        let (mut alone, mut overheard) = (Receiver::default(), Receiver::default());
        let mut told = Vec::new();
        for seconds in [1.0, 9.0, 2.0, 2.1] {
            let packet = lap_data(seconds);
            let datagram = datagram(5000, seconds as u64, &packet);
            alone.receive(&datagram).expect("a packet");
            overheard.overhear(&datagram, &mut |event| told.push(event.kind.name())).expect("a packet");
        }
        assert_eq!(told, ["on_session_start", "on_rewind"]);
        let log =
            |receiver: &Receiver| receiver.session().expect("a session").log().cloned().collect::<Vec<_>>();
        assert_eq!(log(&alone), log(&overheard));
    }

    #[test]
    fn senders_are_bounded_and_silent_ones_make_room() {
        let mut receiver = Receiver::default();
        let packet = lap_data(1.0);
        for port in 0..19 {
            let taken = receiver.receive(&datagram(5000 + port, u64::from(port), &packet));
            // The first has been silent for more than ten seconds when the twelfth comes.
            assert_eq!(taken.is_ok(), !(8..=10).contains(&port), "{port}");
        }
        assert_eq!(receiver.sources().len(), MOST_SENDERS);
    }
}
