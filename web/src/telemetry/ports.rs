//! The relay's ports and what arrives there: a row for each feed.

use std::collections::BTreeMap;

use std::net::SocketAddr;

use trailbrake_shared::feed::{FEEDS, Feed, FeedInfo};
use trailbrake_shared::games::{Outlook, TalkStatus};
use trailbrake_shared::number::count;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::{
    PortState, PortStatus, RecordingStatus, RejectedSender, SentRequest, Status, UnrecordedGame,
};

use super::rate::Rate;
use crate::text::words::sentence;

/// A game whose last packet is older has stopped sending.
const SILENT_MS: f64 = 3_000.0;

/// A recording whose last packet is older has stopped growing. The relay's status may be a second old, and its recorder's
/// packets wait for up to another.
const STOPPED_S: f64 = 5.0;

/// How much is in a recording, and whether it still grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RecordedTime {
    pub(crate) seconds: f64,
    pub(crate) goes_on: bool,
}

/// The relay's ports and what arrived through them.
#[derive(Default)]
pub(crate) struct Ports {
    status: Option<Status>,
    /// The packets of each feed, counted by this page.
    received: BTreeMap<Feed, Reception>,
    /// The time of the last tick, in milliseconds of the page.
    now: f64,
}

/// The packets of a feed since the page was opened.
struct Reception {
    packets: u64,
    rate: Rate,
    /// The sender of the last packet.
    sender: SocketAddr,
    /// When the last packet arrived, in milliseconds of the page.
    at: f64,
}

/// A feed's row on the Connections page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FeedRow {
    /// The feed.
    pub(crate) feed: Feed,
    /// The feed's ports.
    pub(crate) ports: Vec<PortWords>,
    /// Packets per second, rounded.
    pub(crate) per_second: u32,
    /// The sender of the last packet.
    pub(crate) sender: Option<SocketAddr>,
    /// The number of packets recognised as this feed's since the relay started.
    pub(crate) packets: u64,
    /// Whether a packet arrived in the last seconds.
    pub(crate) sends: bool,
    /// The problems that keep the feed from being received.
    pub(crate) notes: Vec<PortNote>,
    /// The senders of packets on its ports that no feed recognises, the latest first.
    pub(crate) rejects: Vec<RejectedSender>,
    /// The state of the relay's requests, for a game that sends on request.
    pub(crate) talk: Option<TalkStatus>,
    /// The relay's latest request to the game.
    pub(crate) request: Option<SentRequest>,
}

impl FeedRow {
    /// Whether the user has to act.
    pub(crate) fn has_problem(&self) -> bool {
        !self.notes.is_empty() || self.talk.as_ref().is_some_and(|talk| talk.outlook == Outlook::Trouble)
    }

    /// The numbers of its ports.
    pub(crate) fn port_numbers(&self) -> Vec<u16> {
        self.ports.iter().filter_map(|port| port.port).collect()
    }

    /// The port to set in the game: the last open one, or else the last one.
    pub(crate) fn open_port(&self) -> Option<u16> {
        let mut open = self.ports.iter().filter(|port| !port.closed).filter_map(|port| port.port);
        open.next_back().or_else(|| self.port_numbers().last().copied())
    }
}

/// One port of a feed, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PortWords {
    /// The port's number; `None` for a socket whose number means nothing to the user.
    pub(crate) port: Option<u16>,
    /// The state in words, with the port owner if another program holds the port.
    pub(crate) words: String,
    /// Whether nothing can arrive there.
    pub(crate) closed: bool,
}

/// A problem that keeps a feed from being received, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PortNote {
    /// The problem.
    pub(crate) what: String,
    /// What to do.
    pub(crate) advice: String,
    /// The note's name for tests.
    pub(crate) testid: &'static str,
}

impl Ports {
    /// Takes the relay's status.
    pub(crate) fn take(&mut self, status: Status) {
        self.status = Some(status);
    }

    /// Counts a packet of a feed.
    pub(crate) fn count(&mut self, feed: Feed, sender: SocketAddr, now: f64) {
        let reception = self.received.entry(feed).or_insert_with(|| Reception {
            packets: 0,
            rate: Rate::new(now, 0),
            sender,
            at: now,
        });
        reception.packets += 1;
        (reception.sender, reception.at) = (sender, now);
    }

    /// Handles the passing of time; call it several times a second.
    pub(crate) fn tick(&mut self, now: f64) {
        self.now = now;
        for reception in self.received.values_mut() {
            reception.rate.tick(now, reception.packets);
        }
    }

    /// The addresses that a game can send to.
    pub(crate) fn addresses(&self) -> Vec<String> {
        self.status.as_ref().map(|status| status.addresses.clone()).unwrap_or_default()
    }

    /// Whether the relay lists senders of packets that no feed recognises.
    pub(crate) fn has_rejects(&self) -> bool {
        self.status.as_ref().is_some_and(|status| status.ports.iter().any(|port| !port.rejects.is_empty()))
    }

    /// The folder of recordings, while recording is on.
    pub(crate) fn recordings(&self) -> Option<String> {
        self.status.as_ref().and_then(|status| status.recorder.folder.clone())
    }

    /// The joined ids of the recordings that are being written to files, as a text that changes when one begins or
    /// ends.
    pub(crate) fn underway(&self) -> Option<String> {
        let recorder = &self.status.as_ref()?.recorder;
        let recorded = recorder.underway.iter().filter(|one| !one.in_memory);
        Some(recorded.map(|one| one.id.as_str()).collect())
    }

    /// The recording in a file to show at `now`: the oldest that still grows, or else the latest.
    pub(crate) fn recorded(&self, now: Micros) -> Option<RecordedTime> {
        let recorder = &self.status.as_ref()?.recorder;
        let files = || recorder.underway.iter().filter(|one| !one.in_memory);
        let grows = |one: &&RecordingStatus| now.seconds_since(one.last) < STOPPED_S;
        let growing = files().filter(grows).min_by_key(|one| one.began).map(|one| (one, now));
        let (shown, until) = growing.or_else(|| {
            let latest = files().max_by_key(|one| one.last)?;
            Some((latest, latest.last))
        })?;
        let seconds = until.seconds_since(shown.began).max(0.0);
        Some(RecordedTime { seconds, goes_on: growing.is_some() })
    }

    /// Why nothing can be recorded now, in words.
    pub(crate) fn recording_trouble(&self) -> Option<String> {
        self.status.as_ref()?.recorder.trouble.clone()
    }

    /// The game that is not recorded, though others are.
    pub(crate) fn unrecorded(&self) -> Option<UnrecordedGame> {
        self.status.as_ref()?.recorder.unrecorded
    }

    /// Why nothing or not everything is recorded now, or else why data was lost before, in words.
    pub(crate) fn not_recorded(&self) -> Option<String> {
        let recorder = &self.status.as_ref()?.recorder;
        let slow = || format!("{} batches came too fast for the disk", recorder.lost_batches);
        let unrecorded = recorder.unrecorded.map(|game| game.to_string());
        recorder.trouble.clone().or(unrecorded).or_else(|| (recorder.lost_batches > 0).then(slow))
    }

    /// The number of batches that the relay skipped for this page, which was too slow for them.
    pub(crate) fn lost_batches(&self) -> u64 {
        self.status.as_ref().map_or(0, |status| status.lost_batches)
    }

    /// A row for each feed that can be received; none before the relay reports its ports.
    pub(crate) fn rows(&self) -> Vec<FeedRow> {
        let Some(status) = &self.status else { return Vec::new() };
        let networked = FEEDS.iter().filter(|info| info.networked);
        let mut rows: Vec<FeedRow> = networked.map(|info| self.row(info, status)).collect();
        for port in &status.ports {
            let Some(note) = rejected(port) else { continue };
            let feed = resembled(port);
            if let Some(row) = rows.iter_mut().find(|row| feed == Some(row.feed)) {
                row.notes.push(note);
                row.rejects.extend(port.rejects.iter().rev().cloned());
            }
        }
        rows
    }

    fn row(&self, info: &FeedInfo, status: &Status) -> FeedRow {
        let ports: Vec<&PortStatus> =
            status.ports.iter().filter(|port| port.feeds.contains(&info.feed)).collect();
        let of_feed = |port: &PortStatus| {
            port.recognised
                .iter()
                .find(|reception| reception.feed == info.feed)
                .map(|reception| reception.packets)
        };
        let packets = status.ports.iter().filter_map(of_feed).sum();
        let reception = self.received.get(&info.feed);
        let talk = status.talks.iter().find(|talk| talk.feed == info.feed);
        // A port with only this feed also names senders from before the page was opened.
        let before = status.ports.iter().find(|port| of_feed(port).is_some() && port.recognised.len() == 1);
        FeedRow {
            feed: info.feed,
            ports: all_port_words(&ports),
            per_second: reception.map_or(0, |reception| reception.rate.per_second()),
            sender: reception
                .map(|reception| reception.sender)
                .or_else(|| before.and_then(|port| port.sender)),
            packets,
            sends: reception.is_some_and(|reception| self.now - reception.at <= SILENT_MS),
            notes: ports.iter().filter_map(|port| closed(port, info)).collect(),
            rejects: Vec::new(),
            talk: talk.map(|talk| talk.status.clone()),
            request: talk.and_then(|talk| talk.request.clone()),
        }
    }
}

/// The ports' states in words. Sockets that send requests to the same game have the same words, so they are listed
/// once.
fn all_port_words(ports: &[&PortStatus]) -> Vec<PortWords> {
    let mut words: Vec<PortWords> = ports.iter().map(|port| port_words(port)).collect();
    words.dedup();
    words
}

fn port_words(port: &PortStatus) -> PortWords {
    let (words, closed) = match &port.state {
        PortState::Open => ("open".to_owned(), false),
        PortState::Asks { game } => {
            return PortWords { port: None, words: format!("asks {game}"), closed: false };
        }
        PortState::Taken { holder: Some(holder) } => (format!("taken by {holder}"), true),
        PortState::Taken { holder: None } => ("taken by another program".to_owned(), true),
        PortState::Failed { .. } => ("could not be opened".to_owned(), true),
    };
    PortWords { port: Some(port.port), words, closed }
}

/// The problem of a port that is not open.
fn closed(port: &PortStatus, info: &FeedInfo) -> Option<PortNote> {
    let number = port.port;
    let elsewhere = format!("start Trailbrake with --port {}=OTHER and set that port in the game", info.id);
    match &port.state {
        PortState::Open | PortState::Asks { .. } => None,
        PortState::Taken { holder } => {
            let holder = holder.as_deref().unwrap_or("another program");
            Some(PortNote {
                what: format!("Port {number} is taken by {holder}."),
                advice: format!("Close it and start Trailbrake again, or {elsewhere}."),
                testid: "closed",
            })
        }
        PortState::Failed { why } => Some(PortNote {
            what: format!("Port {number} could not be opened: {why}."),
            advice: format!("Or {elsewhere}."),
            testid: "closed",
        }),
    }
}

/// The problem of a port with packets that no feed recognises.
fn rejected(port: &PortStatus) -> Option<PortNote> {
    let last = port.rejects.last()?;
    let others = match port.rejects.len() - 1 {
        0 => String::new(),
        others => format!(" Also packets from {}.", count(others, "other sender", "other senders")),
    };
    let packets = count(last.packets, "packet", "packets");
    Some(PortNote {
        what: format!("Port {}: {packets} from {} not recognised.", port.port, last.sender),
        advice: format!("{}{others}", sentence(&last.reason)),
        testid: "rejected",
    })
}

/// The feed whose row reports a port's rejected packets: of the feeds that share the port, the one whose game the
/// reason names, else the first.
fn resembled(port: &PortStatus) -> Option<Feed> {
    let reason = port.last_reason().unwrap_or_default();
    let is_named = |feed: &&Feed| {
        let name = feed.info().game.split_whitespace().next();
        name.is_some_and(|name| reason.split_whitespace().any(|word| word == name))
    };
    port.feeds.iter().find(is_named).or(port.feeds.first()).copied()
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::games::Outlook;
    use trailbrake_shared::wire::{Recognised, RecorderStatus, Talking, Unrecorded};

    use super::*;

    fn reject(host: u8, packets: u64, reason: &str) -> RejectedSender {
        let sender = SocketAddr::from(([10, 0, 0, host], 999));
        RejectedSender { sender, packets, at: Micros(1), reason: reason.to_owned() }
    }

    fn rows(ports: Vec<PortStatus>) -> Vec<FeedRow> {
        let mut all = Ports::default();
        all.take(Status { ports, ..Status::default() });
        all.rows()
    }

    fn of(rows: &[FeedRow], feed: Feed) -> FeedRow {
        rows.iter().find(|row| row.feed == feed).cloned().expect("a row for every feed")
    }

    #[test]
    fn the_time_of_a_recording_stops_with_its_game() {
        let at = |seconds: f64| Micros(1_795_000_000_000_000).plus_seconds(seconds);
        let mut ports = Ports::default();
        let mut take = |recordings: &[(f64, f64, bool)]| {
            let underway = recordings.iter().map(|(began, last, in_memory)| RecordingStatus {
                id: String::new(),
                file: String::new(),
                began: at(*began),
                last: at(*last),
                bytes: 0,
                in_memory: *in_memory,
            });
            let recorder = RecorderStatus { underway: underway.collect(), ..RecorderStatus::default() };
            ports.take(Status { recorder, ..Status::default() });
            [100.0, 101.0, 600.0].map(|now| ports.recorded(at(now)).map(|time| (time.seconds, time.goes_on)))
        };
        assert_eq!(take(&[(10.0, 99.0, true)]), [None; 3], "in memory only");
        let stopped = Some((89.0, false));
        assert_eq!(take(&[(10.0, 99.0, false)]), [Some((90.0, true)), Some((91.0, true)), stopped]);
        // A game that stopped earlier does not count while another sends.
        let [first, .., last] = take(&[(10.0, 50.0, false), (60.0, 99.0, false)]);
        assert_eq!((first, last), (Some((40.0, true)), Some((39.0, false))));
    }

    #[test]
    fn a_recording_problem_is_reported_until_it_ends() {
        let mut ports = Ports::default();
        let mut recorder = RecorderStatus { folder: Some("laps".into()), ..RecorderStatus::default() };
        ports.take(Status { recorder: recorder.clone(), ..Status::default() });
        assert_eq!((ports.recordings().as_deref(), ports.not_recorded()), (Some("laps"), None));
        assert_eq!((ports.recorded(Micros(1)), ports.recording_trouble()), (None, None));
        recorder.trouble = Some("the disk is full".into());
        ports.take(Status { recorder: recorder.clone(), ..Status::default() });
        assert_eq!(ports.not_recorded().as_deref(), Some("the disk is full"));
        assert_eq!(ports.recording_trouble(), ports.not_recorded());
        let sender = std::net::SocketAddr::from(([10, 0, 0, 7], 20_777));
        let unrecorded = Some(UnrecordedGame { feed: Feed::F1, sender, because: Unrecorded::Crowd });
        recorder = RecorderStatus { unrecorded, lost_batches: 3, ..RecorderStatus::default() };
        ports.take(Status { recorder: recorder.clone(), ..Status::default() });
        let words = "F1 2018 to 25 from 10.0.0.7:20777: too many programs send at once";
        assert_eq!((ports.not_recorded().as_deref(), ports.recording_trouble()), (Some(words), None));
        recorder.unrecorded = None;
        ports.take(Status { recorder, ..Status::default() });
        assert!(ports.not_recorded().is_some_and(|words| words.starts_with("3 batches")));
    }

    #[test]
    fn before_the_relay_speaks_there_are_no_rows() {
        assert!(Ports::default().rows().is_empty());
        let networked = FEEDS.iter().filter(|info| info.networked).map(|info| info.feed);
        assert!(rows(Vec::new()).iter().map(|row| row.feed).eq(networked));
    }

    #[test]
    fn a_taken_port_names_its_holder_and_a_way_out() {
        let state = PortState::Taken { holder: Some("simhub (4711)".into()) };
        let row = of(&rows(vec![PortStatus::silent(20777, &[Feed::F1], state)]), Feed::F1);
        assert_eq!(
            row.ports,
            [PortWords { port: Some(20777), words: "taken by simhub (4711)".into(), closed: true }]
        );
        assert_eq!(row.notes[0].what, "Port 20777 is taken by simhub (4711).");
        assert!(row.notes[0].advice.contains("--port f1=OTHER"), "{:?}", row.notes);
    }

    #[test]
    fn a_rejection_on_a_shared_port_is_reported_once() {
        let mut shared = PortStatus::silent(20777, &[Feed::F1, Feed::DirtRally], PortState::Open);
        shared.rejects = vec![
            reject(8, 1, "unknown packet"),
            reject(7, 3, "this looks like F1 2020: set the UDP format to 2018"),
        ];
        let rows = rows(vec![shared]);
        let notes: Vec<&PortNote> = rows.iter().flat_map(|row| &row.notes).collect();
        assert_eq!(notes.len(), 1);
        assert_eq!(notes[0].what, "Port 20777: 3 packets from 10.0.0.7:999 not recognised.");
        assert_eq!(
            notes[0].advice,
            "This looks like F1 2020: set the UDP format to 2018. Also packets from 1 other sender."
        );
        let f1 = of(&rows, Feed::F1);
        assert_eq!((f1.notes.len(), f1.rejects.len(), f1.has_problem()), (1, 2, true));
        assert_eq!(f1.rejects[0].packets, 3, "the latest first");
    }

    #[test]
    fn a_rejection_is_reported_by_the_game_that_it_names() {
        let mut shared = PortStatus::silent(20777, &[Feed::F1, Feed::DirtRally], PortState::Open);
        shared.rejects = vec![reject(7, 1, "264 bytes could be DiRT Rally 2.0, but the speed is NaN")];
        let rows = rows(vec![shared]);
        assert!(!of(&rows, Feed::F1).has_problem());
        assert!(of(&rows, Feed::DirtRally).has_problem());
    }

    #[test]
    fn a_game_sends_until_it_falls_silent() {
        let mut ports = Ports::default();
        ports.take(Status::default());
        ports.count(Feed::F1, SocketAddr::from(([127, 0, 0, 1], 5000)), 1_000.0);
        let mut sends = |now| {
            ports.tick(now);
            of(&ports.rows(), Feed::F1).sends
        };
        assert_eq!([4_000.0, 4_001.0].map(&mut sends), [true, false]);
    }

    #[test]
    fn asking_sockets_are_listed_once_with_the_game_they_ask() {
        let game = SocketAddr::from(([127, 0, 0, 1], 9996));
        let asking = |number| PortStatus::silent(number, &[Feed::AcRemote], PortState::Asks { game });
        let mut noisy = asking(40_002);
        noisy.rejects = vec![reject(7, 1, "unknown packet")];
        let row = of(&rows(vec![asking(40_001), noisy]), Feed::AcRemote);
        assert_eq!(row.ports, [PortWords { port: None, words: "asks 127.0.0.1:9996".into(), closed: false }]);
        assert_eq!(row.notes.len(), 1, "their rejected packets are reported all the same");
    }

    #[test]
    fn how_a_console_answers_stands_in_its_row() {
        let status = TalkStatus { outlook: Outlook::Trouble, words: "in standby: switch it on".into() };
        let talks = vec![Talking { feed: Feed::GranTurismo, status: status.clone(), request: None }];
        let mut ports = Ports::default();
        ports.take(Status { talks, ..Status::default() });
        let rows = ports.rows();
        assert_eq!(of(&rows, Feed::GranTurismo).talk, Some(status));
        assert_eq!(rows.iter().filter(|row| row.talk.is_some()).count(), 1);
    }

    #[test]
    fn packets_count_for_the_feed_they_were_recognised_as() {
        let mut shared = PortStatus::silent(20777, &[Feed::F1, Feed::DirtRally], PortState::Open);
        let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
        shared.recognised = vec![Recognised { feed: Feed::F1, packets: 42 }];
        shared.sender = Some(sender);
        let rows = rows(vec![shared]);
        let (f1, dirt) = (of(&rows, Feed::F1), of(&rows, Feed::DirtRally));
        assert_eq!((f1.packets, f1.sender), (42, Some(sender)));
        assert_eq!((dirt.packets, dirt.sender), (0, None));
    }

    #[test]
    fn the_rate_is_what_this_page_receives() {
        let mut ports = Ports::default();
        ports.take(Status::default());
        for step in 0..100 {
            ports.count(Feed::F1, SocketAddr::from(([127, 0, 0, 1], 5000)), f64::from(step) * 10.0);
        }
        ports.tick(1_000.0);
        assert_eq!(of(&ports.rows(), Feed::F1).per_second, 100);
    }
}
