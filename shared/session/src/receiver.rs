//! Datagrams in, sessions out: the same for live telemetry, replays and the demo.

use trailbrake_games::Rejected;
use trailbrake_games::wire::Datagram;
use trailbrake_model::time::Micros;
use trailbrake_model::{Car, Event, Fact, LapProgress, Moment, Sample, Sink};

use super::source::Sources;
use super::{DriverChoices, Origin, RecalledSession, Rejections, Retention, Session, Source, choices};

/// Maximum senders at a time.
const MOST_SENDERS: usize = 8;
/// A sender that was silent for this long makes room for another, seconds.
const SILENT_S: f64 = 10.0;
/// The shown session changes when its sender was silent for this long and another one sends, seconds.
const YIELD_S: f64 = 3.0;

/// Decodes datagrams and keeps a session for each sender.
#[derive(Default)]
pub struct Receiver {
    sources: Sources<Session>,
    shown: Option<Origin>,
    retention: Retention,
    choices: DriverChoices,
    /// What is known of the first sender's session before its first packet.
    recalled: Option<RecalledSession>,
}

impl Receiver {
    /// A receiver that keeps this much of the past.
    pub fn new(retention: Retention) -> Self {
        Self { retention, ..Self::default() }
    }

    /// A receiver of packets from the middle of a session whose earlier state is known.
    pub fn recalling(retention: Retention, recalled: RecalledSession) -> Self {
        Self { retention, recalled: Some(recalled), ..Self::default() }
    }

    /// Decodes a datagram. A rejection is counted and returned; the valid parts of the datagram are used even then.
    pub fn receive(&mut self, datagram: &Datagram<'_>) -> Result<(), Rejected> {
        self.receive_with(datagram, &mut |_| {})
    }

    /// Like `receive`, and passes every event that the decoder reports to `listener`, signals included.
    pub fn receive_with(
        &mut self,
        datagram: &Datagram<'_>,
        listener: &mut dyn FnMut(&Event),
    ) -> Result<(), Rejected> {
        let (retention, choices, recalled) = (self.retention, &self.choices, &mut self.recalled);
        let source = self.sources.of(
            datagram,
            || {
                let mut session = Session::new(retention);
                if let Some(recalled) = recalled.take() {
                    session = session.recalling(recalled);
                }
                choices::choose(&mut session, choices.clone());
                session
            },
            |sources, newcomer| make_room(sources, newcomer, datagram),
        )?;
        let origin = source.origin;
        let outcome = source.decode(datagram.at, |decoder, session| {
            decoder.receive(datagram.at, datagram.bytes, &mut EventTap { session, listener })
        });
        self.show(origin, datagram.at);
        outcome
    }

    /// Sets what the driver chose, for the sessions of present and future senders.
    pub fn choose(&mut self, choices: DriverChoices) {
        if self.choices.tracks != choices.tracks {
            self.sources.know_tracks(choices.tracks.clone());
        }
        for source in &mut self.sources.list {
            choices::choose(&mut source.session, choices.clone());
        }
        self.choices = choices;
    }

    /// The current and recent senders.
    pub fn sources(&self) -> &[Source<Session>] {
        &self.sources.list
    }

    /// The shown source. It stays the same for as long as it sends.
    pub fn shown(&self) -> Option<&Source<Session>> {
        self.sources.list.iter().find(|source| Some(source.origin) == self.shown)
    }

    /// The shown session.
    pub fn session(&self) -> Option<&Session> {
        self.shown().map(|source| &source.session)
    }

    /// The shown session, to apply the driver's choices.
    pub fn session_mut(&mut self) -> Option<&mut Session> {
        let shown = self.shown;
        let mut sources = self.sources.list.iter_mut();
        sources.find(|source| Some(source.origin) == shown).map(|source| &mut source.session)
    }

    /// Rejected datagrams that belong to no session.
    pub fn rejections(&self) -> &Rejections {
        &self.sources.rejections
    }

    fn show(&mut self, origin: Origin, at: Micros) {
        if self.shown != Some(origin)
            && self.shown().is_none_or(|shown| at.seconds_since(shown.last_received) > YIELD_S)
        {
            self.shown = Some(origin);
        }
    }
}

/// Removes a sender if there are too many: one that was silent for [`SILENT_S`], otherwise one of several that send the same
/// feed from one address; otherwise, for a game at its usual port, one at another port, and for a game on this machine, one
/// on another machine. Fails if there is none.
fn make_room(
    sources: &mut Vec<Source<Session>>,
    newcomer: Origin,
    datagram: &Datagram<'_>,
) -> Result<(), Rejected> {
    if sources.len() < MOST_SENDERS {
        return Ok(());
    }
    let crowd = |origin: Origin| {
        let alike = |source: &&Source<Session>| {
            (source.origin.feed, source.origin.sender.ip()) == (origin.feed, origin.sender.ip())
        };
        sources.iter().filter(alike).count()
    };
    let is_here = |origin: Origin| origin.sender.ip().is_loopback();
    let is_silent = |source: &Source<Session>| datagram.at.seconds_since(source.last_received) > SILENT_S;
    let is_crowded = |source: &Source<Session>| crowd(source.origin) > crowd(newcomer) + 1;
    let is_elsewhere = |source: &Source<Session>| is_here(newcomer) && !is_here(source.origin);
    let comes_to_usual_port = newcomer.feed.info().ports.contains(&datagram.port);
    let is_astray = |source: &Source<Session>| {
        let is_of_nobody_here = is_here(newcomer) || !is_here(source.origin);
        comes_to_usual_port && !source.is_at_usual_port && is_of_nobody_here
    };
    let longest_silent = |gives_way: &dyn Fn(&Source<Session>) -> bool| {
        let candidates = (0..).zip(sources.iter()).filter(|(_, source)| gives_way(source));
        candidates.min_by_key(|(_, source)| source.last_received).map(|(place, _)| place)
    };
    let place = longest_silent(&is_silent)
        .or_else(|| longest_silent(&is_crowded))
        .or_else(|| longest_silent(&is_astray))
        .or_else(|| longest_silent(&is_elsewhere));
    let place = place.ok_or(Rejected::TooManySenders { most: MOST_SENDERS })?;
    sources.remove(place);
    Ok(())
}

/// A session's sink that passes every event to a listener first.
struct EventTap<'a> {
    session: &'a mut Session,
    listener: &'a mut dyn FnMut(&Event),
}

impl Sink for EventTap<'_> {
    fn sample(&mut self, sample: &Sample<'_>) {
        self.session.sample(sample);
    }

    fn progress(&mut self, progress: &LapProgress) {
        self.session.progress(progress);
    }

    fn wants_all(&self, car: Car) -> bool {
        self.session.wants_all(car)
    }

    fn event(&mut self, event: Event) {
        (self.listener)(&event);
        self.session.event(event);
    }

    fn fact(&mut self, moment: Moment, fact: Fact) {
        self.session.fact(moment, fact);
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use trailbrake_games::f1::layout::{Header, LapData, YEAR_2018};
    use trailbrake_games::feed::Feed;

    use super::*;

    fn lap_data(seconds: f32) -> Vec<u8> {
        let header = Header {
            packet_format: 2018,
            packet_version: 1,
            packet_id: 2,
            session_time: seconds,
            ..Header::default()
        };
        LapData { header, ..LapData::default() }.bytes(YEAR_2018)
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
        assert!(reason.contains("does not decode") || reason.contains("unknown packet"), "{reason}");
        let mut nan = lap_data(1.0);
        nan[21..25].copy_from_slice(&f32::NAN.to_le_bytes());
        receiver.receive(&datagram(5000, 1, &nan)).expect_err("a reason");
        assert_eq!(receiver.sources()[0].rejections.total(), 1);
        for len in 0..100 {
            let _ = receiver.receive(&datagram(5000, 1, &vec![7; len]));
        }
        assert!(receiver.rejections().reasons().count() <= 16);
    }

    #[test]
    fn a_listener_gets_every_event_and_the_session_no_less() {
        let (mut alone, mut listened) = (Receiver::default(), Receiver::default());
        let mut events = Vec::new();
        for seconds in [1.0, 9.0, 2.0, 2.1] {
            let packet = lap_data(seconds);
            let datagram = datagram(5000, seconds as u64, &packet);
            alone.receive(&datagram).expect("a packet");
            listened.receive_with(&datagram, &mut |event| events.push(event.kind.name())).expect("a packet");
        }
        assert_eq!(events, ["on_session_start", "on_rewind"]);
        let log =
            |receiver: &Receiver| receiver.session().expect("a session").log().cloned().collect::<Vec<_>>();
        assert_eq!(log(&alone), log(&listened));
    }

    fn elsewhere(host: u8, at_s: u64, bytes: &[u8]) -> Datagram<'_> {
        Datagram { sender: SocketAddr::from(([10, 0, 0, host], 5000)), ..datagram(5000, at_s, bytes) }
    }

    #[test]
    fn senders_are_bounded_and_silent_ones_make_room() {
        let mut receiver = Receiver::default();
        let packet = lap_data(1.0);
        for host in 0..19 {
            let taken = receiver.receive(&elsewhere(host, u64::from(host), &packet));
            // The first sender has been silent for more than ten seconds when the twelfth arrives.
            assert_eq!(taken.is_ok(), !(8..=10).contains(&host), "{host}");
        }
        assert_eq!(receiver.sources().len(), MOST_SENDERS);
    }

    #[test]
    fn a_crowd_at_one_address_makes_room_for_a_game_and_strangers_for_this_machine() {
        let packet = lap_data(1.0);
        let mut receiver = Receiver::default();
        for port in 0..16 {
            let taken = receiver.receive(&datagram(5000 + port, 1, &packet));
            assert_eq!(taken.is_ok(), port < 8, "a crowd makes no room for more of itself");
        }
        receiver.receive(&elsewhere(1, 2, &packet)).expect("a place of the crowd");
        assert_eq!(receiver.sources().len(), MOST_SENDERS);

        let mut receiver = Receiver::default();
        for host in 0..8 {
            receiver.receive(&elsewhere(host, 1, &packet)).expect("a place");
        }
        receiver.receive(&elsewhere(8, 2, &packet)).expect_err("nobody makes room for a ninth stranger");
        receiver.receive(&datagram(5000, 2, &packet)).expect("a place for this machine");

        let mut receiver = Receiver::default();
        let astray = |host| Datagram { port: 20_000, ..elsewhere(host, 1, &packet) };
        receiver.receive(&Datagram { port: 20_000, ..datagram(5000, 0, &packet) }).expect("a place");
        for host in 1..8 {
            receiver.receive(&astray(host)).expect("a place");
        }
        for host in 11..18 {
            receiver.receive(&elsewhere(host, 2, &packet)).expect("a place for a game at its usual port");
        }
        receiver.receive(&elsewhere(18, 2, &packet)).expect_err("none for it instead of this machine's game");
        receiver.receive(&astray(9)).expect_err("none at another port");
    }
}
