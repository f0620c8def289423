//! The relay as a whole: opens everything, reports what it opened, and runs until its end.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::net::UdpSocket;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use trailbrake_shared::recording::recorder::Policy;
use trailbrake_shared::wire::{ForwardStatus, PortStatus, Status};

use super::settings::{RecordingSettings, Settings};
use super::{demo, recent, recorder, sampling, web_dir};
use crate::clock::{Clock, seconds_ahead_of_utc};
use crate::library::store::{FolderStore, MemoryStore};
use crate::library::{self, Library};
use crate::relaying::addresses::reachable;
use crate::relaying::demo::DemoOptions;
use crate::relaying::forward::Forwards;
use crate::relaying::http::{self, Access, LibraryService, Page, Site};
use crate::relaying::hub::Hub;
use crate::relaying::live::{Live, SEATS};
use crate::relaying::port_counters::PortCounters;
use crate::relaying::ports::{self, Port};
use crate::relaying::receive::{Intake, receive};
use crate::relaying::recent::RecentPackets;
use crate::relaying::recorder::Senders;
use crate::relaying::room::Room;
use crate::relaying::sampling::Sampling;
use crate::relaying::status::StatusSources;
use crate::relaying::tablets::{Link, TabletListener, Tablets, listen};
use crate::relaying::talk::{Conversation, OpenSocket, TalkRequest};
use crate::{disk, shutdown};

/// How long browsers may take to close.
const FAREWELL: Duration = Duration::from_secs(1);

/// A relay whose ports are open.
pub struct Relay {
    settings: Settings,
    http: TcpListener,
    tablets: Tablets,
    /// The listeners for tablets, as they open.
    opened: UnboundedReceiver<TabletListener>,
    ports: Vec<Port>,
    /// The socket of the demo's game, if it sends only on request.
    game: Option<std::net::UdpSocket>,
    forwards: Forwards,
    page: Page,
    report: Report,
}

/// What a relay opened, and where.
#[derive(Clone, Debug)]
pub struct Report {
    /// The page's address for this machine.
    pub http: SocketAddr,
    /// The requested port, if it was taken and another is used.
    pub instead_of: Option<u16>,
    /// The page's addresses for tablets.
    pub tablets: Vec<Link>,
    /// The UDP ports.
    pub ports: Vec<PortStatus>,
    /// Targets of forwarding.
    pub forwards: Vec<ForwardStatus>,
    /// This machine's addresses, for games elsewhere to send to.
    pub addresses: Vec<IpAddr>,
    /// Where recordings go, or why none are made, in words.
    pub recording: String,
}

impl Report {
    /// The page's address for this machine as a URL.
    pub fn url(&self) -> String {
        format!("http://{}/", self.http)
    }
}

impl Relay {
    /// Opens everything. A UDP port that cannot be opened is reported; only a failure that leaves nothing to do is an
    /// error.
    pub fn open(mut settings: Settings) -> anyhow::Result<Self> {
        let page = match &settings.web_dir {
            Some(folder) => Page::read(folder)
                .with_context(|| format!("the page cannot be served from the folder {}", folder.display()))?,
            None => Page::embedded(),
        };
        let (http, address) = listen(settings.http)?;
        let wanted = settings.http.port();
        let instead_of = (wanted != 0 && wanted != address.port()).then_some(wanted);
        let (tablets, opened) = Tablets::new(settings.tablet_addresses.clone(), address.port());
        if settings.lan {
            tablets.open()?;
        }
        let game = simulated_game(&mut settings)?;
        let mut ports: Vec<Port> =
            settings.ports.iter().map(|wanted| ports::open(wanted.clone(), settings.udp_bind)).collect();
        ports.extend(settings.asking.iter().flat_map(|asking| own_sockets(asking, settings.udp_bind)));
        let open = ports.iter().filter(|port| port.socket.is_some());
        let own: Vec<SocketAddr> = open.map(|port| port.address).collect();
        let forwards = Forwards::open(&settings.forwards, &own)?;
        let now = std::time::Instant::now();
        let report = Report {
            http: address,
            instead_of,
            tablets: tablets.links(),
            ports: ports.iter().map(|port| PortCounters::new(port).status(now)).collect(),
            forwards: forwards.status(),
            addresses: reachable(settings.udp_bind),
            recording: recording_in_words(&settings.recording),
        };
        Ok(Self { settings, http, tablets, opened, ports, game, forwards, page, report })
    }

    /// What was opened.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Receives and serves until `end`, and then closes all connections in order.
    pub async fn run(self, end: impl Future<Output = ()>) -> anyhow::Result<()> {
        let (ending, shutdown) = shutdown::pair();
        let hub = Arc::new(Hub::default());
        let intake =
            Intake { clock: Clock::start(), hub: Arc::clone(&hub), forwards: Arc::new(self.forwards) };
        let seats = Arc::new(Semaphore::new(SEATS));
        let settings_in_words = sampling::settings_in_words(&self.settings);

        let recording = self.settings.recording;
        let library = recording.folder.map(|folder| Arc::new(Library::new(folder)));
        let recorded = if recording.games { library.as_ref() } else { None };
        let wish = if recording.demo { None } else { self.settings.demo.as_ref() };
        let demo = wish.and_then(|wish| demo_sender(wish, self.game.as_ref(), &self.ports));
        let (clock, tell) = (intake.clock, self.settings.tell);
        let policy =
            Policy { zone_s: seconds_ahead_of_utc(), shortest_s: recording.shortest_s, ..Policy::default() };
        let mut work = JoinSet::new();
        let mut recorders = Vec::new();
        let (mut recorder, mut memory) = (None, None);
        if let Some(library) = recorded {
            work.spawn(library::enforce_retention(Arc::clone(library), recording.keep, clock, tell));
            let senders = demo.map_or(Senders::All, Senders::AllBut);
            let folder = Box::new(FolderStore::new(Arc::clone(library), tell));
            let plan = recorder::RecorderPlan { senders, policy, clock, tell };
            let (running, asked) = recorder::start(plan, folder, hub.listen(recorder::ROOM))?;
            work.spawn(library::recognise_tracks(Arc::clone(library)));
            work.spawn(library::reindex(Arc::clone(library), tell));
            recorders.push(running);
            recorder = Some(asked);
        }
        let unrecorded = if recorded.is_some() { demo.map(Senders::Only) } else { Some(Senders::All) };
        if let Some(senders) = unrecorded
            && recording.memory > 0
        {
            // It stays until another session begins.
            let policy = Policy { silence_s: f64::INFINITY, ..policy };
            let plan = recorder::RecorderPlan { senders, policy, clock, tell };
            let store = Box::new(MemoryStore::new(recording.memory));
            let (running, asked) = recorder::start(plan, store, hub.listen(recorder::ROOM))?;
            recorders.push(running);
            memory = Some(asked);
        }
        let recorder_folder = recorded.map(|library| library.folder().to_owned());

        let mut all_counters = Vec::new();
        let mut heard = Vec::new();
        for port in self.ports {
            let counters = Arc::new(PortCounters::new(&port));
            all_counters.push(Arc::clone(&counters));
            if let Some(socket) = port.socket {
                heard.push((counters, (port.via, Arc::new(UdpSocket::from_std(socket)?))));
            }
        }
        let talks = conversations(self.settings.asking, self.settings.udp_bind, &heard);
        for (counters, socket) in heard {
            let talks = talks.iter().filter(|talk| counters.feeds.contains(&talk.feed));
            let talks: Vec<_> = talks.map(Arc::clone).collect();
            if !talks.is_empty() {
                // Searching for a game broadcasts to the network.
                socket.1.set_broadcast(true)?;
            }
            work.spawn(receive(socket, counters, intake.clone(), talks));
        }
        let mut talking = JoinSet::new();
        for talk in &talks {
            talking.spawn(Arc::clone(talk).run(intake.clock, self.settings.tell));
        }
        let sources = StatusSources {
            counters: all_counters,
            talks: talks.clone(),
            clock: intake.clock,
            udp_bind: self.settings.udp_bind,
            forwards: Arc::clone(&intake.forwards),
            demo: self.settings.demo.as_ref().map(|wish| wish.feed),
            recorder: recorder.clone().zip(recorder_folder),
            memory: memory.clone(),
        };
        if let Some(wish) = self.settings.demo {
            let counters = sources.counters.iter().find(|counters| counters.feeds.contains(&wish.feed));
            match (self.game, counters) {
                (Some(game), _) => drop(work.spawn(demo::listen(wish, UdpSocket::from_std(game)?))),
                (None, Some(counters)) => {
                    drop(work.spawn(demo::drive(wish, Arc::clone(counters), intake.clone())))
                }
                (None, None) => {}
            }
        }
        let counters: Arc<[Arc<PortCounters>]> = sources.counters.iter().map(Arc::clone).collect();
        let (status_sender, status) = watch::channel(Arc::<Status>::new(sources.look()));
        let (page_sender, page) = watch::channel(Arc::new(self.page));
        work.spawn(sources.run(status_sender));
        if let Some(folder) = self.settings.web_dir {
            work.spawn(web_dir::watch(folder, page_sender));
        }
        work.spawn({
            let hub = Arc::clone(&hub);
            async move { hub.run().await }
        });
        let recent = RecentPackets::default();
        work.spawn(recent.clone().follow(hub.listen(recent::ROOM), intake.clock));
        let sampling = Sampling { recent, status: status.clone(), settings: settings_in_words };
        let service = library.map(|library| LibraryService::new(library, recorder, intake.clock));

        let live_talks = talks.iter().map(Arc::clone).collect();
        let live = Live {
            talks: live_talks,
            hub,
            status,
            page: page.clone(),
            shutdown: shutdown.clone(),
            seats: Arc::clone(&seats),
            clock,
        };
        let (tablets, mut opened) = (self.tablets, self.opened);
        let site = Site {
            live,
            page,
            library: service,
            memory,
            sampling,
            counters,
            tablets: tablets.clone(),
            room: Room::default(),
        };
        let mut listeners = JoinSet::new();
        let own = tokio::net::TcpListener::from_std(self.http)?;
        listeners.spawn(http::serve(own, Access::local(self.report.http), site.clone(), shutdown));

        let mut end = std::pin::pin!(end);
        loop {
            let TabletListener { listener, access, shutdown } = tokio::select! {
                () = &mut end => break,
                Some(opened) = opened.recv() => opened,
            };
            let listener = match tokio::net::TcpListener::from_std(listener) {
                Ok(listener) => listener,
                Err(error) => {
                    tracing::error!("the page can't be served to tablets: {error}");
                    continue;
                }
            };
            let live = Live { shutdown: shutdown.clone(), ..site.live.clone() };
            listeners.spawn(http::serve(listener, access, Site { live, ..site.clone() }, shutdown));
        }
        talking.shutdown().await;
        for talk in talks {
            talk.leave().await;
        }
        // The last packets are recorded before browsers learn of the end.
        work.shutdown().await;
        intake.hub.flush();
        let _ = tokio::task::spawn_blocking(move || drop(recorders)).await;
        drop(ending);
        tablets.close();
        while listeners.join_next().await.is_some() {}
        // All permits are free once every browser has its close frame.
        let _ = tokio::time::timeout(FAREWELL, seats.acquire_many(u32::try_from(SEATS).unwrap_or(1))).await;
        Ok(())
    }
}

/// Opens the socket of the demo's game, if it sends only on request, and points the talker there.
fn simulated_game(settings: &mut Settings) -> anyhow::Result<Option<std::net::UdpSocket>> {
    let Some(wish) = settings.demo.as_ref().filter(|wish| wish.is_asked()) else { return Ok(None) };
    let socket = std::net::UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    socket.set_nonblocking(true)?;
    let address = socket.local_addr()?;
    for asking in settings.asking.iter_mut().filter(|asking| asking.feed == wish.feed) {
        if let Some(talker) = asking.feed.talker() {
            (talker.ask_at)(&mut asking.options, address);
        }
    }
    Ok(Some(socket))
}

/// The sender of the demo's datagrams.
fn demo_sender(wish: &DemoOptions, game: Option<&std::net::UdpSocket>, ports: &[Port]) -> Option<SocketAddr> {
    let port = ports.iter().find(|port| port.feeds.contains(&wish.feed));
    let driven = || port.map(|port| demo::sender(port.address.port()));
    game.map_or_else(driven, |game| game.local_addr().ok())
}

/// Creates the folder if needed, and describes where recordings go.
fn recording_in_words(recording: &RecordingSettings) -> String {
    match &recording.folder {
        _ if !recording.games => "off (--no-record)".to_owned(),
        None => "NOT POSSIBLE: this system names no folder for it; name one with --recordings".to_owned(),
        Some(folder) => match std::fs::create_dir_all(folder) {
            Ok(()) => format!("to {}", folder.display()),
            Err(error) => format!("NOT POSSIBLE: {}", disk::trouble(folder, &error)),
        },
    }
}

/// Opens the sockets that a talker needs for itself.
fn own_sockets(asking: &TalkRequest, bind: IpAddr) -> Vec<Port> {
    let Some((count, ip, game)) = asking.own_sockets(bind) else { return Vec::new() };
    (0..count).map(|number| ports::open_own(asking.feed, number, ip, game)).collect()
}

/// The talkers, each with the sockets of its feed.
fn conversations(
    asking: Vec<TalkRequest>,
    bind: IpAddr,
    heard: &[(Arc<PortCounters>, OpenSocket)],
) -> Vec<Arc<Conversation>> {
    let conversation = |asking: TalkRequest| {
        let sockets = heard.iter().filter(|(counters, _)| counters.feeds.contains(&asking.feed));
        let sockets = sockets.map(|(_, (via, socket))| (*via, Arc::clone(socket))).collect();
        Conversation::new(asking, bind, sockets).map(Arc::new)
    };
    asking.into_iter().filter_map(conversation).collect()
}
