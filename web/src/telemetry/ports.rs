//! What arrives at the relay's ports: a row for each feed.

use std::collections::BTreeMap;

use std::net::SocketAddr;

use trailbrake_shared::feed::{FEEDS, Feed, FeedInfo};
use trailbrake_shared::games::TalkStatus;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::{PortState, PortStatus, Status};

use super::rate::Rate;

/// The relay's ports and what arrived through them.
#[derive(Default)]
pub(crate) struct Ports {
    status: Option<Status>,
    received: BTreeMap<Feed, Reception>,
}

/// What arrived of one feed since the page was opened.
struct Reception {
    packets: u64,
    rate: Rate,
    sender: SocketAddr,
}

/// A feed's row on the Connections page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FeedRow {
    /// The feed.
    pub(crate) feed: Feed,
    /// Its ports.
    pub(crate) ports: Vec<PortWords>,
    /// Packets per second, rounded.
    pub(crate) per_second: u32,
    /// The sender of the last packet.
    pub(crate) sender: Option<SocketAddr>,
    /// Packets recognised as this feed's since the relay started.
    pub(crate) packets: u64,
    /// The problem.
    pub(crate) notes: Vec<PortNote>,
    /// The state of requests, for games that send on request.
    pub(crate) talk: Option<TalkStatus>,
}

/// One port of a feed, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PortWords {
    /// The port; `None` if it has no meaning for people.
    pub(crate) port: Option<u16>,
    /// "open", or the port owner.
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
    /// Its name for tests.
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
        });
        reception.packets += 1;
        reception.sender = sender;
    }

    /// Handles the time.
    pub(crate) fn tick(&mut self, now: f64) {
        for reception in self.received.values_mut() {
            reception.rate.tick(now, reception.packets);
        }
    }

    /// The addresses that a game can send to.
    pub(crate) fn addresses(&self) -> Vec<String> {
        self.status.as_ref().map(|status| status.addresses.clone()).unwrap_or_default()
    }

    /// The folder of recordings, while recording is on.
    pub(crate) fn recordings(&self) -> Option<String> {
        self.status.as_ref().and_then(|status| status.recorder.folder.clone())
    }

    /// The ids of the current recordings as one text: it changes when one begins or ends.
    pub(crate) fn underway(&self) -> Option<String> {
        let recorder = &self.status.as_ref()?.recorder;
        let recorded = recorder.underway.iter().filter(|one| !one.in_memory);
        Some(recorded.map(|one| one.id.as_str()).collect())
    }

    /// When the oldest of the current recordings began.
    pub(crate) fn recording_since(&self) -> Option<Micros> {
        let recorder = &self.status.as_ref()?.recorder;
        recorder.underway.iter().filter(|one| !one.in_memory).map(|one| one.began).min()
    }

    /// Why nothing can be recorded at present, in words.
    pub(crate) fn recording_trouble(&self) -> Option<String> {
        self.status.as_ref()?.recorder.trouble.clone()
    }

    /// The reason why something is not recorded, in words.
    pub(crate) fn not_recorded(&self) -> Option<String> {
        let recorder = &self.status.as_ref()?.recorder;
        let slow = || format!("{} batches came too fast for the disk", recorder.lost_batches);
        recorder.trouble.clone().or_else(|| (recorder.lost_batches > 0).then(slow))
    }

    /// Skipped batches since the page was opened: it was too slow for them.
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
            // Feeds that share a port: the first one reports it.
            if let Some(row) = rows.iter_mut().find(|row| port.feeds.contains(&row.feed)) {
                row.notes.push(note);
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
            notes: ports.iter().filter_map(|port| closed(port, info)).collect(),
            talk: status.talks.iter().find(|talk| talk.feed == info.feed).map(|talk| talk.status.clone()),
        }
    }
}

/// Sockets that request from the same game have the same status.
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

fn rejected(port: &PortStatus) -> Option<PortNote> {
    let PortStatus { port: number, rejected, .. } = port;
    let packets = match rejected {
        0 => return None,
        1 => "1 packet".to_owned(),
        count => format!("{count} packets"),
    };
    let from = match (port.recognised.is_empty(), port.sender) {
        (true, Some(sender)) => format!(" from {sender}"),
        _ => String::new(),
    };
    let reason = port.reason.as_deref().unwrap_or("no reason given");
    Some(PortNote {
        what: format!("Port {number}: {packets}{from} not recognised."),
        advice: format!("The last one: {reason}."),
        testid: "rejected",
    })
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::games::Outlook;
    use trailbrake_shared::wire::{Recognised, RecorderStatus, Talking};

    use super::*;

    fn port(number: u16, feeds: &[Feed], state: PortState) -> PortStatus {
        PortStatus {
            port: number,
            feeds: feeds.to_vec(),
            state,
            packets: 0,
            per_second: 0.0,
            sender: None,
            recognised: Vec::new(),
            rejected: 0,
            reason: None,
        }
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
    fn what_is_not_recorded_is_said_for_as_long_as_it_is_so() {
        let mut ports = Ports::default();
        let mut recorder = RecorderStatus { folder: Some("laps".into()), ..RecorderStatus::default() };
        ports.take(Status { recorder: recorder.clone(), ..Status::default() });
        assert_eq!((ports.recordings().as_deref(), ports.not_recorded()), (Some("laps"), None));
        assert_eq!((ports.recording_since(), ports.recording_trouble()), (None, None));
        recorder.trouble = Some("the disk is full".into());
        ports.take(Status { recorder: recorder.clone(), ..Status::default() });
        assert_eq!(ports.not_recorded().as_deref(), Some("the disk is full"));
        assert_eq!(ports.recording_trouble(), ports.not_recorded());
        recorder = RecorderStatus { lost_batches: 3, ..RecorderStatus::default() };
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
        let row = of(&rows(vec![port(20777, &[Feed::F12018], state)]), Feed::F12018);
        assert_eq!(
            row.ports,
            [PortWords { port: Some(20777), words: "taken by simhub (4711)".into(), closed: true }]
        );
        assert_eq!(row.notes[0].what, "Port 20777 is taken by simhub (4711).");
        assert!(row.notes[0].advice.contains("--port f1-2018=OTHER"), "{:?}", row.notes);
    }

    #[test]
    fn a_rejection_on_a_shared_port_is_said_once() {
        let mut shared = port(20777, &[Feed::F12018, Feed::DirtRally], PortState::Open);
        shared.rejected = 3;
        shared.reason = Some("this looks like F1 2020: set the UDP format to 2018".into());
        shared.sender = Some(SocketAddr::from(([10, 0, 0, 7], 999)));
        let rows = rows(vec![shared]);
        let notes: Vec<&PortNote> = rows.iter().flat_map(|row| &row.notes).collect();
        assert_eq!(notes.len(), 1);
        assert_eq!(notes[0].what, "Port 20777: 3 packets from 10.0.0.7:999 not recognised.");
        assert!(notes[0].advice.contains("F1 2020"));
        assert_eq!(of(&rows, Feed::F12018).notes.len(), 1);
    }

    #[test]
    fn sockets_that_ask_are_said_once_and_by_whom_they_ask() {
        let game = SocketAddr::from(([127, 0, 0, 1], 9996));
        let asking = |number| port(number, &[Feed::AcRemote], PortState::Asks { game });
        let mut noisy = asking(40_002);
        noisy.rejected = 1;
        let row = of(&rows(vec![asking(40_001), noisy]), Feed::AcRemote);
        assert_eq!(row.ports, [PortWords { port: None, words: "asks 127.0.0.1:9996".into(), closed: false }]);
        assert_eq!(row.notes.len(), 1, "what comes there and is not understood is said all the same");
    }

    #[test]
    fn how_a_console_answers_stands_in_its_row() {
        let status = TalkStatus { outlook: Outlook::Trouble, words: "in standby: switch it on".into() };
        let talks = vec![Talking { feed: Feed::GranTurismo, status: status.clone() }];
        let mut ports = Ports::default();
        ports.take(Status { talks, ..Status::default() });
        let rows = ports.rows();
        assert_eq!(of(&rows, Feed::GranTurismo).talk, Some(status));
        assert_eq!(rows.iter().filter(|row| row.talk.is_some()).count(), 1);
    }

    #[test]
    fn packets_count_for_the_feed_they_were_recognised_as() {
        let mut shared = port(20777, &[Feed::F12018, Feed::DirtRally], PortState::Open);
        let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
        shared.recognised = vec![Recognised { feed: Feed::F12018, packets: 42 }];
        shared.sender = Some(sender);
        let rows = rows(vec![shared]);
        let (f1, dirt) = (of(&rows, Feed::F12018), of(&rows, Feed::DirtRally));
        assert_eq!((f1.packets, f1.sender), (42, Some(sender)));
        assert_eq!((dirt.packets, dirt.sender), (0, None));
    }

    #[test]
    fn the_rate_is_what_this_page_hears() {
        let mut ports = Ports::default();
        ports.take(Status::default());
        for step in 0..100 {
            ports.count(Feed::F12018, SocketAddr::from(([127, 0, 0, 1], 5000)), f64::from(step) * 10.0);
        }
        ports.tick(1_000.0);
        assert_eq!(of(&ports.rows(), Feed::F12018).per_second, 100);
    }
}
