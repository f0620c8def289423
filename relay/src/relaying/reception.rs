//! The sockets that games send to, and the talkers that use them. A change opens and closes only what it concerns.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use tokio::net::UdpSocket;
use tokio::sync::Mutex;
use tokio::task::{JoinHandle, JoinSet};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::Via;

use super::ports::{self, Port, PortRequest};
use crate::lock::Lock;
use crate::relaying::port_counters::PortCounters;
use crate::relaying::receive::{Intake, receive};
use crate::relaying::talk::{Conversation, OpenSocket, TalkRequest};

/// What is open now, for those who only look. Copies are handles to the same.
#[derive(Clone, Default)]
pub(crate) struct OpenPorts(Arc<Lock<Snapshot>>);

#[derive(Clone, Default)]
struct Snapshot {
    counters: Vec<Arc<PortCounters>>,
    talks: Vec<Arc<Conversation>>,
}

impl OpenPorts {
    /// The counters of every port, open or not.
    pub(crate) fn counters(&self) -> Vec<Arc<PortCounters>> {
        self.0.lock().counters.clone()
    }

    /// The talkers.
    pub(crate) fn talks(&self) -> Vec<Arc<Conversation>> {
        self.0.lock().talks.clone()
    }
}

/// Receives at the sockets and runs the talkers.
pub(crate) struct Reception {
    intake: Intake,
    bind: IpAddr,
    announce: fn(&str, &str),
    open: OpenPorts,
    running: Mutex<Running>,
}

#[derive(Default)]
struct Running {
    entries: Vec<Entry>,
    talks: Vec<RunningTalk>,
    receiving: JoinSet<()>,
}

/// A port, open or not, or a socket of a talker's own.
#[derive(Clone)]
struct Entry {
    requested: u16,
    via: Via,
    counters: Arc<PortCounters>,
    address: SocketAddr,
    socket: Option<Arc<UdpSocket>>,
}

struct RunningTalk {
    request: TalkRequest,
    talk: Arc<Conversation>,
    task: JoinHandle<()>,
}

impl Entry {
    fn of(port: Port) -> std::io::Result<Self> {
        let counters = Arc::new(PortCounters::new(&port));
        let Port { requested, via, address, socket, .. } = port;
        let socket = socket.map(UdpSocket::from_std).transpose()?.map(Arc::new);
        Ok(Self { requested, via, counters, address, socket })
    }

    fn is_for(&self, feed: Feed) -> bool {
        self.counters.feeds.contains(&feed)
    }

    fn is_own_of(&self, feed: Feed) -> bool {
        matches!(self.via, Via::Own(_)) && self.is_for(feed)
    }

    fn fits(&self, wanted: &PortRequest) -> bool {
        !matches!(self.via, Via::Own(_))
            && self.requested == wanted.port
            && self.counters.feeds == wanted.feeds
            && self.socket.is_some()
    }

    fn open_socket(&self) -> Option<OpenSocket> {
        Some((self.via, Arc::clone(self.socket.as_ref()?)))
    }
}

impl Reception {
    /// Takes the ports that were opened at the start, and begins to receive and to ask.
    pub(crate) async fn start(
        intake: Intake,
        bind: IpAddr,
        announce: fn(&str, &str),
        ports: Vec<Port>,
        asking: Vec<TalkRequest>,
    ) -> std::io::Result<Self> {
        let reception =
            Self { intake, bind, announce, open: OpenPorts::default(), running: Mutex::default() };
        let entries = ports.into_iter().map(Entry::of).collect::<std::io::Result<_>>()?;
        let mut running = reception.running.lock().await;
        running.entries = entries;
        reception.begin(&mut running, asking);
        drop(running);
        Ok(reception)
    }

    /// What is open, for those who only look.
    pub(crate) fn open_ports(&self) -> OpenPorts {
        self.open.clone()
    }

    /// The addresses that would be listened on with other ports.
    pub(crate) async fn addresses_with(&self, wanted: &[PortRequest]) -> Vec<SocketAddr> {
        let running = self.running.lock().await;
        let own = running.entries.iter().filter(|entry| matches!(entry.via, Via::Own(_)));
        let own = own.map(|entry| entry.address);
        let wanted = wanted.iter().map(|wanted| {
            let open = running.entries.iter().find(|entry| entry.fits(wanted));
            open.map_or(SocketAddr::new(self.bind, wanted.port), |entry| entry.address)
        });
        own.chain(wanted).collect()
    }

    /// Receives at these ports and asks these games from now on. Sockets that stay lose no packet.
    pub(crate) async fn change(
        &self,
        wanted: &[PortRequest],
        asking: Vec<TalkRequest>,
    ) -> std::io::Result<()> {
        let mut running = self.running.lock().await;
        // Packets wait in their sockets meanwhile.
        running.receiving.shutdown().await;
        let stays = |entry: &Entry| match entry.via {
            Via::Own(_) => {
                let of = |talk: &&RunningTalk| entry.is_own_of(talk.request.feed);
                running.talks.iter().find(of).is_some_and(|talk| asking.contains(&talk.request))
            }
            Via::Any | Via::Port(_) => wanted.iter().any(|wanted| entry.fits(wanted)),
        };
        let (entries, closed): (Vec<Entry>, Vec<Entry>) = running.entries.iter().cloned().partition(stays);
        let missing: Vec<PortRequest> =
            wanted.iter().filter(|wanted| !entries.iter().any(|entry| entry.fits(wanted))).cloned().collect();
        let is_touched = |feed: Feed| {
            closed.iter().any(|entry| entry.is_for(feed))
                || missing.iter().any(|new| new.feeds.contains(&feed))
        };
        let (talks, ended): (Vec<RunningTalk>, Vec<RunningTalk>) = std::mem::take(&mut running.talks)
            .into_iter()
            .partition(|talk| asking.contains(&talk.request) && !is_touched(talk.request.feed));
        running.talks = talks;
        self.show(&running);
        for talk in ended {
            talk.end().await;
        }
        // A port can be opened again once nobody has its old socket.
        running.entries = Vec::new();
        drop(closed);
        running.entries = entries;
        for request in missing {
            running.entries.push(Entry::of(ports::open(request, self.bind))?);
        }
        for request in &asking {
            if !running.entries.iter().any(|entry| entry.is_own_of(request.feed)) {
                for port in own_sockets(request, self.bind) {
                    running.entries.push(Entry::of(port)?);
                }
            }
        }
        // In the order in which they were asked for.
        running.entries.sort_by_key(|entry| {
            wanted
                .iter()
                .position(|wanted| wanted.port == entry.requested && wanted.feeds == entry.counters.feeds)
                .unwrap_or(usize::MAX)
        });
        self.begin(&mut running, asking);
        Ok(())
    }

    /// Begins the talks that do not run, and receives at every socket.
    fn begin(&self, running: &mut Running, asking: Vec<TalkRequest>) {
        for request in asking {
            if running.talks.iter().any(|talk| talk.request.feed == request.feed) {
                continue;
            }
            let sockets = running.entries.iter().filter(|entry| entry.is_for(request.feed));
            let sockets: Vec<OpenSocket> = sockets.filter_map(Entry::open_socket).collect();
            for (_, socket) in &sockets {
                // Searching for a game broadcasts to the network.
                if let Err(error) = socket.set_broadcast(true) {
                    tracing::warn!("a game can't be searched for: {error}");
                }
            }
            let talk = Conversation::new(request.clone(), self.bind, sockets).map(Arc::new);
            running.talks.extend(talk.map(|talk| {
                let task = tokio::spawn(Arc::clone(&talk).run(self.intake.clock, self.announce));
                RunningTalk { request, talk, task }
            }));
        }
        let Running { entries, talks, receiving } = running;
        for entry in entries.iter() {
            let Some(socket) = entry.open_socket() else { continue };
            let asking = talks.iter().filter(|talk| entry.is_for(talk.request.feed));
            let asking = asking.map(|talk| Arc::clone(&talk.talk)).collect();
            receiving.spawn(receive(socket, Arc::clone(&entry.counters), self.intake.clone(), asking));
        }
        self.show(running);
    }

    fn show(&self, running: &Running) {
        let counters = running.entries.iter().map(|entry| Arc::clone(&entry.counters)).collect();
        let talks = running.talks.iter().map(|talk| Arc::clone(&talk.talk)).collect();
        *self.open.0.lock() = Snapshot { counters, talks };
    }

    /// Ends the talks, with their closing packets, and then stops receiving.
    pub(crate) async fn close(&self) {
        let mut running = self.running.lock().await;
        for talk in std::mem::take(&mut running.talks) {
            talk.end().await;
        }
        running.receiving.shutdown().await;
    }
}

impl RunningTalk {
    async fn end(self) {
        self.task.abort();
        // It ends by being aborted.
        let _ = self.task.await;
        self.talk.leave().await;
    }
}

/// Opens the sockets that a talker needs for itself.
pub(crate) fn own_sockets(asking: &TalkRequest, bind: IpAddr) -> Vec<Port> {
    let Some((count, ip, game)) = asking.own_sockets(bind) else { return Vec::new() };
    (0..count).map(|number| ports::open_own(asking.feed, number, ip, game)).collect()
}
