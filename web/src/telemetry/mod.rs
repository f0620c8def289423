//! Everything heard from the relay, in plain buffers. Nothing here is reactive: pages look at it when they paint.

mod faults;
mod ports;
mod rate;

use trailbrake_shared::model::TrackPrint;
use trailbrake_shared::session::{Origin, Receiver, Retention, Session, Source};
use trailbrake_shared::wire::{self, Datagram, ToBrowser, WireError};

pub(crate) use faults::Fault;
pub(crate) use ports::{FeedRow, PortWords, Ports};

use faults::Faults;
use ports::PortNote;
use rate::Rate;

/// A sender that is silent for this long has stopped.
const SILENT_MS: f64 = 3_000.0;
/// What is said when the relay had to leave packets out for this page.
const TOO_SLOW: &str = "This device is too slow for every packet, and some were left out for it: the figures have gaps. \
                        The relay itself lost nothing.";

/// What a message of the relay was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// Its greeting.
    Hello,
    /// Packets of a game that is decoded.
    Packets,
    /// Packets that nobody here reads.
    Noise,
    /// How its ports are.
    Status,
    /// It asks for the page to be loaded anew.
    Reload,
    /// What became of a command.
    Answer,
}

/// Everything heard.
#[derive(Default)]
pub(crate) struct Telemetry {
    receiver: Receiver,
    /// Packets a second of the sender that is shown, and whose they are.
    rate: (Option<Origin>, Rate),
    /// When the sender that is shown was last heard.
    heard: f64,
    /// The tracks that the driver has named.
    tracks: Vec<TrackPrint>,
    /// What became of the last command.
    pub(crate) answer: Option<Result<String, String>>,
    /// Whether a recording plays: then what games send is counted, and not shown.
    replaying: bool,
    /// When a game was heard last, whether it is shown or not.
    game_heard: Option<f64>,
    /// How the relay's ports are.
    pub(crate) ports: Ports,
    faults: Faults,
}

impl Telemetry {
    /// Takes a message of the relay. Times are in milliseconds of the page.
    pub(crate) fn receive(&mut self, message: &[u8], now: f64) -> Result<Heard, WireError> {
        self.take(message, now, false)
    }

    /// Takes packets out of a recording, as a message like the relay's.
    pub(crate) fn replay(&mut self, message: &[u8], now: f64) -> Result<Heard, WireError> {
        self.take(message, now, true)
    }

    /// A recording begins or ends to play: what was known before is forgotten.
    pub(crate) fn set_replaying(&mut self, replaying: bool) {
        self.replaying = replaying;
        self.forget_senders();
    }

    /// Whether a game sends while a recording plays.
    pub(crate) fn game_waits(&self, now: f64) -> bool {
        self.replaying && self.game_heard.is_some_and(|heard| now - heard <= SILENT_MS)
    }

    /// Notes something that went wrong, in a driver's words.
    pub(crate) fn complain(&mut self, words: String) {
        self.faults.note(words);
    }

    fn take(&mut self, message: &[u8], now: f64, replayed: bool) -> Result<Heard, WireError> {
        let decoded = wire::decode(message);
        if let Err(error) = &decoded {
            self.faults.note(format!("From the relay: {error}"));
        }
        Ok(match decoded? {
            ToBrowser::Hello { .. } => Heard::Hello,
            ToBrowser::Reload => Heard::Reload,
            ToBrowser::Answer { outcome, .. } => {
                self.answer = Some(outcome);
                Heard::Answer
            }
            ToBrowser::Status(status) => {
                let lost = self.ports.lost_batches();
                let not_recorded = self.ports.not_recorded();
                self.ports.take(status);
                if let Some(words) =
                    self.ports.not_recorded().filter(|now| not_recorded.as_ref() != Some(now))
                {
                    self.faults.note(format!("Not recorded: {words}."));
                }
                if self.ports.lost_batches() > lost {
                    self.faults.note(TOO_SLOW.to_owned());
                }
                Heard::Status
            }
            ToBrowser::Batch(datagrams) => {
                let mut heard = Heard::Noise;
                for datagram in &datagrams {
                    if !replayed && self.is_beside(datagram, now) {
                        continue;
                    }
                    if self.decode(datagram, now) {
                        heard = Heard::Packets;
                    }
                }
                heard
            }
        })
    }

    /// Lets time go on; to be called several times a second.
    pub(crate) fn tick(&mut self, now: f64) {
        self.ports.tick(now);
        let shown = self.receiver.shown().map(|source| (source.origin, source.packets));
        let (counted, rate) = &mut self.rate;
        match shown {
            Some((origin, packets)) if *counted == Some(origin) => rate.tick(now, packets),
            Some((origin, packets)) => self.rate = (Some(origin), Rate::new(now, packets)),
            None => self.rate = Default::default(),
        }
    }

    /// The sender that is shown: it stays until it falls silent and another one sends.
    pub(crate) fn shown(&self) -> Option<&Source> {
        self.receiver.shown()
    }

    /// The session that is shown.
    pub(crate) fn session(&self) -> Option<&Session> {
        self.receiver.session()
    }

    /// The session that is shown, to tell it what the driver wants.
    pub(crate) fn session_mut(&mut self) -> Option<&mut Session> {
        self.receiver.session_mut()
    }

    /// The game that is shown, as drivers call it.
    pub(crate) fn game(&self) -> Option<&str> {
        let source = self.shown()?;
        Some(source.session.game().unwrap_or(source.origin.feed.info().game))
    }

    /// The game that is shown, while it sends.
    pub(crate) fn sending(&self, now: f64) -> Option<&str> {
        self.game().filter(|_| now - self.heard <= SILENT_MS)
    }

    /// Packets a second of the sender that is shown.
    pub(crate) fn per_second(&self) -> u32 {
        self.rate.1.per_second()
    }

    /// Forgets every sender, as when the demo begins or ends.
    pub(crate) fn forget_senders(&mut self) {
        self.receiver = Receiver::new(Retention::default());
        self.receiver.know_tracks(self.tracks.clone());
        self.rate = Default::default();
    }

    /// A row for each feed, with what stands in the way and what its senders' packets lack.
    pub(crate) fn feed_rows(&self) -> Vec<FeedRow> {
        let mut rows = self.ports.rows();
        for source in self.receiver.sources() {
            let Some((reason, count)) = source.rejections.reasons().next() else { continue };
            if let Some(row) = rows.iter_mut().find(|row| row.feed == source.origin.feed) {
                let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
                row.notes.push(PortNote {
                    what: format!("From {}:", source.origin.sender),
                    advice: format!("{reason}{times}."),
                    figure: "not-understood",
                });
            }
        }
        rows
    }

    /// What the track looks like, while it has no name.
    pub(crate) fn unnamed_track(&self) -> Option<&TrackPrint> {
        let session =
            self.session().filter(|session| session.info().is_none_or(|info| info.track.is_none()))?;
        let named = |print: &TrackPrint| self.tracks.iter().any(|track| track.line == print.line);
        session.track_print().filter(|print| !named(print))
    }

    /// The driver has a name for the track: from its next lap on it is known by that.
    pub(crate) fn name_track(&mut self, name: &str) {
        let named = self.unnamed_track().and_then(|print| print.named(name));
        self.know_tracks(self.tracks.iter().cloned().chain(named).collect());
    }

    /// Takes the tracks that the driver has named.
    pub(crate) fn know_tracks(&mut self, tracks: Vec<TrackPrint>) {
        self.receiver.know_tracks(tracks.clone());
        self.tracks = tracks;
    }

    /// The tracks that the driver has named.
    pub(crate) fn tracks(&self) -> &[TrackPrint] {
        &self.tracks
    }

    /// What went wrong, the latest first.
    pub(crate) fn faults(&self) -> Vec<Fault> {
        self.faults.list()
    }

    /// The driver took note of what went wrong.
    pub(crate) fn clear_faults(&mut self) {
        self.faults.clear();
    }

    /// Counts what a game sends; tells whether a recording plays, beside which it is not shown.
    fn is_beside(&mut self, datagram: &Datagram<'_>, now: f64) -> bool {
        if let Some(feed) = datagram.feed.filter(|feed| feed.info().codec.is_some()) {
            self.game_heard = Some(now);
            if self.replaying {
                self.ports.count(feed, datagram.sender, now);
            }
        }
        self.replaying
    }

    /// Tells whether it is a game's that this version decodes.
    fn decode(&mut self, datagram: &Datagram<'_>, now: f64) -> bool {
        // What no feed claims, and what is not decoded, is told by the ports' status.
        let Some(feed) = datagram.feed else { return false };
        self.ports.count(feed, datagram.sender, now);
        if feed.info().codec.is_none() {
            return false;
        }
        if let Err(rejected) = self.receiver.receive(datagram) {
            self.faults.note(format!("Packet from {}: {rejected}", datagram.sender));
        }
        let origin = Origin { feed, sender: datagram.sender };
        if self.shown().is_some_and(|source| source.origin == origin) {
            self.heard = now;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use trailbrake_shared::feed::Feed;
    use trailbrake_shared::sim::{Demo, Options};
    use trailbrake_shared::time::Micros;
    use trailbrake_shared::wire::Status;

    use super::*;

    /// A message with one packet, sent so many seconds after the first.
    fn batch(port: u16, seconds: f64, feed: Option<Feed>, bytes: &[u8]) -> Vec<u8> {
        let sender = SocketAddr::from(([127, 0, 0, 1], port));
        let at = Micros(1).plus_seconds(seconds);
        let datagram = Datagram { at, sender, port: 20777, feed, bytes };
        wire::encode(&ToBrowser::Batch(vec![datagram])).expect("a message")
    }

    /// An event packet of a session that starts.
    fn start() -> Vec<u8> {
        let mut bytes = vec![0xe2, 0x07, 1, 3];
        bytes.resize(21, 0);
        bytes.extend_from_slice(b"SSTA");
        bytes
    }

    fn shown_port(telemetry: &Telemetry) -> Option<u16> {
        telemetry.shown().map(|source| source.origin.sender.port())
    }

    #[test]
    fn a_sender_counts_as_sending_until_it_falls_silent() {
        let mut telemetry = Telemetry::default();
        assert_eq!(telemetry.sending(0.0), None);
        for (port, seconds) in [(1, 0.0), (2, 0.01), (1, 0.02), (2, 3.0)] {
            let message = batch(port, seconds, Some(Feed::F12018), &start());
            assert_eq!(telemetry.receive(&message, seconds * 1e3), Ok(Heard::Packets));
        }
        assert_eq!(telemetry.sending(3_020.0), Some("F1 2018"));
        assert_eq!(telemetry.sending(3_021.0), None);
        assert_eq!(shown_port(&telemetry), Some(1), "nobody else sent since: the last picture stays");
        telemetry.receive(&batch(2, 3.1, Some(Feed::F12018), &start()), 3_100.0).expect("a message");
        assert_eq!((shown_port(&telemetry), telemetry.sending(3_100.0)), (Some(2), Some("F1 2018")));
    }

    #[test]
    fn what_a_sender_s_packets_lack_stands_in_its_feed_s_row() {
        let mut telemetry = Telemetry::default();
        let status = Status { ports: Vec::new(), ..Status::default() };
        let status = wire::encode(&ToBrowser::Status(status)).expect("a message");
        telemetry.receive(&status, 0.0).expect("a status");
        // The shortest packet of DiRT Rally: motion and nothing else.
        let motion = [[0; 64].as_slice(), b"ToCA"].concat();
        telemetry.receive(&batch(1, 0.0, Some(Feed::DirtRally), &motion), 0.0).expect("a message");
        let rows = telemetry.feed_rows();
        let noted = rows.iter().filter(|row| !row.notes.is_empty());
        let [row] = noted.collect::<Vec<_>>()[..] else { panic!("one row has a note") };
        assert_eq!((row.feed, row.notes[0].what.as_str()), (Feed::DirtRally, "From 127.0.0.1:1:"));
        assert!(row.notes[0].advice.contains("extradata=\"3\""), "{:?}", row.notes);
    }

    #[test]
    fn the_rate_is_that_of_the_sender_that_is_shown() {
        let mut telemetry = Telemetry::default();
        for step in 0..=200_u32 {
            let seconds = f64::from(step) / 100.0;
            for port in [1, 2, 2] {
                let message = batch(port, seconds, Some(Feed::F12018), &start());
                telemetry.receive(&message, seconds * 1e3).expect("a message");
            }
            telemetry.tick(seconds * 1e3);
        }
        assert_eq!(telemetry.per_second(), 100);
        telemetry.forget_senders();
        assert!(telemetry.shown().is_none());
    }

    #[test]
    fn a_track_without_a_name_can_be_given_one_and_is_known_by_it() {
        let options = Options { cars: 2, player: 1, keep_truth: false, ..Options::default() };
        let drive = |telemetry: &mut Telemetry, seconds: f64| {
            let mut demo = Demo::new(Feed::GranTurismo, options.clone(), Micros(1)).expect("a demo");
            demo.drive(seconds, &mut |at, bytes| {
                let datagram = Datagram {
                    at,
                    sender: SocketAddr::from(([127, 0, 0, 1], 1)),
                    port: 33740,
                    feed: Some(Feed::GranTurismo),
                    bytes,
                };
                let message = wire::encode(&ToBrowser::Batch(vec![datagram])).expect("a message");
                telemetry.receive(&message, at.0 as f64 / 1e3).expect("a packet");
            });
        };
        let mut telemetry = Telemetry::default();
        drive(&mut telemetry, 20.0);
        telemetry.name_track("Too early");
        assert!(telemetry.unnamed_track().is_none() && telemetry.tracks().is_empty());
        telemetry.forget_senders();
        drive(&mut telemetry, 200.0);
        assert!(telemetry.unnamed_track().is_some());
        telemetry.name_track("  ");
        assert!(telemetry.unnamed_track().is_some(), "that is no name");
        telemetry.name_track("Old mill");
        assert!(telemetry.unnamed_track().is_none());
        telemetry.forget_senders();
        drive(&mut telemetry, 280.0);
        let track = telemetry.session().and_then(|session| session.info()?.track.clone()).expect("a track");
        assert_eq!(track.name.as_deref(), Some("Old mill"));
    }

    #[test]
    fn what_is_not_understood_is_said_in_words() {
        let mut telemetry = Telemetry::default();
        assert!(telemetry.receive(&[1, 99], 0.0).is_err());
        telemetry.receive(&batch(1, 0.0, Some(Feed::F12018), &start()[..20]), 0.0).expect("a message");
        telemetry.receive(&batch(1, 0.0, None, &[1, 2, 3]), 0.0).expect("a message");
        let words: Vec<String> = telemetry.faults().into_iter().map(|fault| fault.words).collect();
        assert_eq!(words.len(), 2, "{words:?}");
        assert!(
            words[0].starts_with("Packet from 127.0.0.1:1: ") && words[1].starts_with("From the relay: ")
        );
        telemetry.clear_faults();
        assert!(telemetry.faults().is_empty());
    }
}
