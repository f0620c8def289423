//! Runs talkers for the games that send only on request: the sockets and the clock of a protocol's sending half.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use if_addrs::IfAddr;
use tokio::net::UdpSocket;
use tokio::sync::Notify;
use trailbrake_shared::feed::{Feed, Sockets, Talker};
use trailbrake_shared::games::{Outlook, ServerCommand, Talk, TalkOptions, TalkStatus, Via};
use trailbrake_shared::wire::{SentRequest, Talking};

use crate::clock::Clock;
use crate::lock::Lock;

/// Which feed's game to talk to, and how far packets may go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TalkRequest {
    /// The feed.
    pub feed: Feed,
    /// The user's settings for it.
    pub options: TalkOptions,
    /// How far packets may go.
    pub reach: Reach,
}

/// How far packets may go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// To their destination; a broadcast goes to each network of this machine.
    Networks,
    /// Only to these addresses: a packet for a port goes to the address listed with it, whatever its destination.
    Only(Vec<(u16, SocketAddr)>),
}

impl TalkRequest {
    /// The feed's talker; `None` where the game sends without a request.
    fn talker(&self) -> Option<&'static Talker> {
        self.feed.talker()
    }

    /// Number and local address of the talker's own sockets, and the game's address; `None` where it needs none or
    /// could not reach the game.
    pub(crate) fn own_sockets(&self, bind: IpAddr) -> Option<(u8, IpAddr, SocketAddr)> {
        let talker = self.talker()?;
        let Sockets::Own(count) = talker.sockets else { return None };
        let game = talker.address(&self.options)?;
        hindrance(talker, self, bind, &[]).is_none().then(|| (count, opened_at(bind, game.ip()), game))
    }
}

/// The local address for a talker's own sockets: one that leads to the game.
fn opened_at(bind: IpAddr, game: IpAddr) -> IpAddr {
    match game {
        // The address for the network does not lead to a game on this machine.
        _ if game.is_loopback() => game,
        _ if bind.is_ipv4() == game.is_ipv4() => bind,
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    }
}

/// A socket that a talker can use.
pub(crate) type OpenSocket = (Via, Arc<UdpSocket>);

/// A running talker: packets leave through the sockets that the answers come back to.
pub(crate) struct Conversation {
    pub(crate) feed: Feed,
    partner: &'static str,
    talker: Lock<Box<dyn Talk>>,
    reach: Reach,
    /// The address that the sockets are open at.
    bind: IpAddr,
    sockets: Vec<OpenSocket>,
    /// Why no request is sent at all.
    hindrance: Option<TalkStatus>,
    /// Whether the user has set an option for this game. Only then is a hindrance reported.
    wished: bool,
    /// Why the last packet could not be sent.
    stuck: Lock<Option<String>>,
    /// The latest packet that could be sent.
    request: Lock<Option<SentRequest>>,
    /// Notified when something is due earlier than expected.
    sooner: Notify,
}

impl Conversation {
    /// A conversation that has not started, where the feed has a talker. `bind` is the address that games send to.
    pub(crate) fn new(asking: TalkRequest, bind: IpAddr, sockets: Vec<OpenSocket>) -> Option<Self> {
        let talker = asking.talker()?;
        let own_at = asking.own_sockets(bind).map(|(_, at, _)| at);
        Some(Self {
            feed: asking.feed,
            partner: talker.partner,
            talker: Lock::new((talker.begin)(&asking.options)),
            hindrance: hindrance(talker, &asking, bind, &sockets),
            wished: asking.options != TalkOptions::default(),
            reach: asking.reach,
            bind: own_at.unwrap_or(bind),
            sockets,
            stuck: Lock::default(),
            request: Lock::default(),
            sooner: Notify::new(),
        })
    }

    /// Takes a received datagram. Returns whether it was an answer, and so is no telemetry.
    pub(crate) fn receives(&self, clock: &Clock, via: Via, from: SocketAddr, datagram: &[u8]) -> bool {
        // A dual-stack socket reports IPv4 senders as mapped IPv6 addresses.
        let from = SocketAddr::new(from.ip().to_canonical(), from.port());
        self.disturb(|talker| talker.receive(clock.now(), via, from, datagram))
    }

    /// Passes a command on to the game; returns the outcome in words.
    pub(crate) fn obey(&self, command: &ServerCommand) -> Result<String, String> {
        if let Some(hindrance) = &self.hindrance {
            return Err(hindrance.words.clone());
        }
        self.disturb(|talker| talker.obey(command))?;
        let caution = command.caution().map(|caution| format!("; {caution}")).unwrap_or_default();
        Ok(format!("passed on to {}{caution}", self.partner))
    }

    /// Calls the talker with something that may give it a packet to send.
    fn disturb<T>(&self, what: impl FnOnce(&mut dyn Talk) -> T) -> T {
        let mut talker = self.talker.lock();
        let before = talker.wake_at();
        let done = what(&mut **talker);
        if talker.wake_at() < before {
            self.sooner.notify_one();
        }
        done
    }

    /// The status of the talker.
    pub(crate) fn status(&self, clock: &Clock) -> Talking {
        Talking { feed: self.feed, status: self.standing(clock), request: self.request.lock().clone() }
    }

    /// Runs until dropped, and reports each change of the status.
    pub(crate) async fn run(self: Arc<Self>, clock: Clock, announce: impl Fn(&str, &str)) {
        let announce = |words: &str| announce(self.partner, words);
        if let Some(hindrance) = &self.hindrance {
            if self.wished {
                announce(&hindrance.words);
            }
            return;
        }
        // The initial status is not reported.
        let mut announced = self.standing(&clock).words;
        loop {
            let wait = self.say(&clock).await;
            let words = self.standing(&clock).words;
            if announced != words {
                announce(&words);
                announced = words;
            }
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = self.sooner.notified() => {}
            }
        }
    }

    /// Sends the closing packets.
    pub(crate) async fn leave(&self) {
        if self.hindrance.is_some() {
            return;
        }
        let mut last = Vec::new();
        self.talker.lock().leave(&mut |out| last.push((out.via, out.to, out.bytes.to_vec())));
        for (via, to, bytes) in last {
            self.send(via, to, &bytes).await;
        }
    }

    /// Sends what is due; returns how long to wait until the next packet.
    async fn say(&self, clock: &Clock) -> Duration {
        let now = clock.now();
        let mut due = Vec::new();
        let wait = {
            let mut talker = self.talker.lock();
            talker.poll(now, &mut |out| due.push((out.via, out.to, out.bytes.to_vec())));
            Duration::from_secs_f64(talker.wake_at().seconds_since(now).max(0.0))
        };
        for (via, to, bytes) in due {
            if let Some(to) = self.send(via, to, &bytes).await {
                *self.request.lock() = Some(SentRequest { at: now, to, bytes });
            }
        }
        wait
    }

    /// Sends a packet; returns where it went to.
    async fn send(&self, via: Via, to: SocketAddr, bytes: &[u8]) -> Option<SocketAddr> {
        // A game answers to the port that asked, or to its usual one: sending through another socket is no use.
        let socket = self.socket(via)?;
        let targets = self.targets(to);
        if targets.is_empty() && self.reach != Reach::Networks {
            return None;
        }
        let (mut sent, mut stuck) = (None, "this machine is in no network".to_owned());
        for to in targets {
            match socket.send_to(bytes, to).await {
                Ok(_) => sent = Some(to),
                Err(error) => stuck = format!("nothing can be sent to {}: {error}", to.ip().to_canonical()),
            }
        }
        *self.stuck.lock() = sent.is_none().then_some(stuck);
        sent
    }

    fn socket(&self, via: Via) -> Option<&UdpSocket> {
        let found = match self.reach {
            Reach::Networks if via != Via::Any => self.sockets.iter().find(|(open, _)| *open == via),
            Reach::Networks | Reach::Only(_) => self.sockets.first(),
        };
        found.map(|(_, socket)| &**socket)
    }

    fn targets(&self, to: SocketAddr) -> Vec<SocketAddr> {
        match &self.reach {
            Reach::Only(here) => {
                here.iter().filter(|(port, _)| *port == to.port()).map(|(_, to)| *to).collect()
            }
            Reach::Networks if to.ip() == IpAddr::V4(Ipv4Addr::BROADCAST) => {
                broadcasts(self.bind).into_iter().map(|ip| self.reachable(ip.into(), to.port())).collect()
            }
            Reach::Networks => vec![self.reachable(to.ip(), to.port())],
        }
    }

    /// An address in the form that sockets of this family take.
    fn reachable(&self, ip: IpAddr, port: u16) -> SocketAddr {
        let ip = match (self.bind, ip) {
            (IpAddr::V6(_), IpAddr::V4(ip)) => ip.to_ipv6_mapped().into(),
            _ => ip,
        };
        SocketAddr::new(ip, port)
    }

    fn standing(&self, clock: &Clock) -> TalkStatus {
        if let Some(hindrance) = &self.hindrance {
            return hindrance.clone();
        }
        let status = self.talker.lock().status(clock.now());
        match (status.outlook, &*self.stuck.lock()) {
            (Outlook::Good, _) | (_, None) => status,
            (_, Some(stuck)) => TalkStatus { outlook: Outlook::Trouble, words: stuck.clone() },
        }
    }
}

/// Why requests can't succeed from the start.
fn hindrance(
    talker: &Talker,
    asking: &TalkRequest,
    bind: IpAddr,
    sockets: &[OpenSocket],
) -> Option<TalkStatus> {
    if asking.reach != Reach::Networks {
        return None;
    }
    let partner = talker.partner;
    let usual = asking.feed.info().ports;
    let open = |port: &u16| sockets.iter().any(|(via, _)| *via == Via::Port(*port));
    if talker.sockets == Sockets::UsualPorts && !usual.iter().any(open) {
        let usual: Vec<String> = usual.iter().map(ToString::to_string).collect();
        let words = format!("{partner} only replies to ports {}; neither is open", usual.join(" and "));
        return Some(TalkStatus { outlook: Outlook::Trouble, words });
    }
    let outside = match talker.address(&asking.options) {
        Some(game) => !game.ip().is_loopback(),
        // Without a given address, only some games are searched for.
        None => talker.sockets != Sockets::AnyPort,
    };
    (bind.is_loopback() && outside).then(|| TalkStatus {
        outlook: Outlook::Waiting,
        words: format!("{partner} is not asked: packets are received at {bind} only (--udp-bind)"),
    })
}

/// The broadcast addresses of the networks that a local address belongs to.
fn broadcasts(bind: IpAddr) -> Vec<Ipv4Addr> {
    let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    let mut addresses: Vec<Ipv4Addr> = interfaces
        .into_iter()
        .filter(|interface| !interface.is_loopback())
        .filter_map(|interface| match interface.addr {
            IfAddr::V4(own) if bind.is_unspecified() || bind.to_canonical() == IpAddr::V4(own.ip) => {
                own.broadcast
            }
            _ => None,
        })
        .collect();
    addresses.sort_unstable();
    addresses.dedup();
    addresses
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::games::gran_turismo::Letter;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn conversation(reach: Reach, socket: Arc<UdpSocket>) -> Conversation {
        let asking = TalkRequest { feed: Feed::GranTurismo, options: TalkOptions::default(), reach };
        Conversation::new(asking, HERE, vec![(Via::Port(33740), socket)]).expect("a talk")
    }

    async fn socket() -> Arc<UdpSocket> {
        Arc::new(UdpSocket::bind((HERE, 0)).await.expect("a socket"))
    }

    #[tokio::test]
    async fn only_changes_of_the_status_are_announced() {
        let (console, port, clock) = (socket().await, socket().await, Clock::start());
        let reach = Reach::Only(vec![(33739, console.local_addr().expect("an address"))]);
        let conversation = Arc::new(conversation(reach, Arc::clone(&port)));
        let (sender, mut words) = tokio::sync::mpsc::unbounded_channel();
        let talk = tokio::spawn(Arc::clone(&conversation).run(clock, move |partner, words| {
            assert_eq!(partner, "Gran Turismo");
            sender.send(words.to_owned()).expect("somebody reads");
        }));
        let mut room = [0; 10];
        let (len, asking) = console.recv_from(&mut room).await.expect("a heartbeat");
        assert_eq!((&room[..len], asking), (&b"C"[..], port.local_addr().expect("an address")));
        assert!(words.is_empty(), "that it looks for a console is no news");
        let mut packet = vec![0; Letter::C.size()];
        packet[..4].copy_from_slice(&Letter::C.scheme().magic());
        Letter::C.scheme().seal([1, 2, 3, 4], &mut packet);
        for _ in 0..10 {
            assert!(!conversation.receives(
                &clock,
                Via::Port(33740),
                ([127, 0, 0, 1], 33739).into(),
                &packet
            ));
        }
        assert_eq!(words.recv().await.expect("news"), "the console at 127.0.0.1 sends C (368 bytes)");
        console.recv_from(&mut room).await.expect("the next heartbeat");
        assert!(words.is_empty());
        talk.abort();
    }

    #[tokio::test]
    async fn each_network_is_asked_even_where_another_cannot_be() {
        let (one, other) = (socket().await, socket().await);
        let [first, last] = [&one, &other].map(|socket| (33739, socket.local_addr().expect("an address")));
        let reach = Reach::Only(vec![first, (33739, ([127, 0, 0, 1], 0).into()), last]);
        let conversation = conversation(reach, socket().await);
        let clock = Clock::start();
        conversation.say(&clock).await;
        let mut room = [0; 10];
        for console in [one, other] {
            assert_eq!(console.recv(&mut room).await.expect("a heartbeat"), 1);
        }
        assert_eq!(conversation.status(&clock).status.words, "looking for a console");
    }

    #[tokio::test]
    async fn failure_to_send_is_reported() {
        // Sending to port 0 fails.
        let reach = Reach::Only(vec![(33739, ([127, 0, 0, 1], 0).into())]);
        let conversation = conversation(reach, socket().await);
        let clock = Clock::start();
        conversation.say(&clock).await;
        let status = conversation.status(&clock).status;
        assert_eq!(status.outlook, Outlook::Trouble);
        assert!(status.words.starts_with("nothing can be sent to 127.0.0.1: "), "{status:?}");
    }

    #[tokio::test]
    async fn a_socket_bound_to_this_machine_asks_nobody_outside_it() {
        let outside =
            TalkOptions { address: Some(([192, 168, 1, 9], 33739).into()), ..TalkOptions::default() };
        let inside = TalkOptions { address: Some((HERE, 33739).into()), ..TalkOptions::default() };
        let hindered = |options, bind, port: u16, socket| {
            let asking = TalkRequest { feed: Feed::GranTurismo, options, reach: Reach::Networks };
            let conversation = Conversation::new(asking, bind, vec![(Via::Port(port), socket)]);
            conversation.expect("a talk").hindrance.map(|status| status.words)
        };
        for options in [TalkOptions::default(), outside] {
            let words = hindered(options, HERE, 33740, socket().await).expect("a reason");
            assert!(words.contains("--udp-bind"), "{words}");
        }
        assert_eq!(hindered(inside, HERE, 33340, socket().await), None);
        let words =
            hindered(outside, Ipv4Addr::UNSPECIFIED.into(), 40_000, socket().await).expect("a reason");
        assert!(words.contains("ports 33740 and 33340"), "{words}");
        assert!(broadcasts(HERE).is_empty());
        assert!(broadcasts([192, 0, 2, 9].into()).is_empty(), "of a network that this machine is not in");
    }
}
