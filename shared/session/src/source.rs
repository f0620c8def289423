//! Senders, each with its decoder. Live sessions and files share this.

use std::net::SocketAddr;

use trailbrake_games::feed::{self, Feed};
use trailbrake_games::wire::Datagram;
use trailbrake_games::{Decode, Rejected};
use trailbrake_model::TrackPrint;
use trailbrake_model::time::Micros;

/// Maximum rejection reasons that are kept.
const MOST_REASONS: usize = 16;

/// Where telemetry comes from: one program that sends one feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The feed.
    pub feed: Feed,
    /// The address it sends from.
    pub sender: SocketAddr,
}

/// One sender, and what its packets are decoded into.
pub struct Source<S> {
    /// The sender and its feed.
    pub origin: Origin,
    /// What its packets are decoded into.
    pub session: S,
    /// Datagrams received.
    pub packets: u64,
    /// When the last one was received.
    pub last_received: Micros,
    /// Its rejected datagrams.
    pub rejections: Rejections,
    /// Whether it sends to a port that its game uses by itself.
    pub(super) is_at_usual_port: bool,
    decoder: Box<dyn Decode>,
}

/// All sources, and the rejected datagrams that belong to none.
pub(super) struct Sources<S> {
    pub(super) list: Vec<Source<S>>,
    pub(super) rejections: Rejections,
    /// The tracks that the user has named, for games that do not name theirs.
    tracks: Vec<TrackPrint>,
}

/// Counts of rejected datagrams, by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rejections {
    total: u64,
    reasons: Vec<(String, u64)>,
}

impl<S> Sources<S> {
    /// The source of a datagram. The first valid datagram of a sender adds a source with a session made by `begin`, if
    /// `make_room` succeeds.
    pub(super) fn of(
        &mut self,
        datagram: &Datagram<'_>,
        begin: impl FnOnce() -> S,
        make_room: impl FnOnce(&mut Vec<Source<S>>, Origin) -> Result<(), Rejected>,
    ) -> Result<&mut Source<S>, Rejected> {
        match self.place_of(datagram, begin, make_room) {
            Ok(place) => self.list.get_mut(place).ok_or_else(|| Rejected::unknown(datagram.bytes)),
            Err(reason) => {
                self.rejections.count(&reason);
                Err(reason)
            }
        }
    }

    fn place_of(
        &mut self,
        datagram: &Datagram<'_>,
        begin: impl FnOnce() -> S,
        make_room: impl FnOnce(&mut Vec<Source<S>>, Origin) -> Result<(), Rejected>,
    ) -> Result<usize, Rejected> {
        let feed = match datagram.feed {
            Some(feed) => feed,
            None => feed::recognise(datagram.bytes)?.feed,
        };
        let origin = Origin { feed, sender: datagram.sender };
        if let Some(place) = self.list.iter().position(|source| source.origin == origin) {
            return Ok(place);
        }
        let row = feed.info();
        let codec = row.codec.ok_or(Rejected::NotDecoded { game: row.game })?;
        (codec.recognise)(datagram.bytes)?;
        make_room(&mut self.list, origin)?;
        let mut decoder = (codec.decoder)();
        decoder.know_tracks(&self.tracks);
        self.list.push(Source {
            origin,
            session: begin(),
            packets: 0,
            last_received: datagram.at,
            rejections: Rejections::default(),
            is_at_usual_port: row.ports.contains(&datagram.port),
            decoder,
        });
        Ok(self.list.len() - 1)
    }

    /// Gives the named tracks to every decoder, present and future.
    pub(super) fn know_tracks(&mut self, tracks: Vec<TrackPrint>) {
        self.list.iter_mut().for_each(|source| source.decoder.know_tracks(&tracks));
        self.tracks = tracks;
    }
}

impl<S> Default for Sources<S> {
    fn default() -> Self {
        Self { list: Vec::new(), rejections: Rejections::default(), tracks: Vec::new() }
    }
}

impl<S> Source<S> {
    /// Decodes a datagram into the session. The valid parts of a rejected datagram are kept.
    pub(super) fn decode(
        &mut self,
        at: Micros,
        decode: impl FnOnce(&mut dyn Decode, &mut S) -> Result<(), Rejected>,
    ) -> Result<(), Rejected> {
        self.packets += 1;
        self.last_received = at;
        let outcome = decode(self.decoder.as_mut(), &mut self.session);
        if let Err(reason) = &outcome {
            self.rejections.count(reason);
        }
        outcome
    }
}

impl Rejections {
    /// The number of rejected datagrams.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The reasons as text with their counts, latest first.
    pub fn reasons(&self) -> impl Iterator<Item = (&str, u64)> {
        self.reasons.iter().rev().map(|(reason, count)| (reason.as_str(), *count))
    }

    fn count(&mut self, reason: &Rejected) {
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
