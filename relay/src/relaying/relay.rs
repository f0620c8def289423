//! The relay as a whole: opens everything, reports what it opened, and runs until its end.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::net::UdpSocket;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::task::JoinSet;
use trailbrake_shared::recording::recorder::Policy;
use trailbrake_shared::settings::{ForwardTarget, Setting};
use trailbrake_shared::wire::{ForwardStatus, PortStatus, Status};

use super::settings::Settings;
#[cfg(feature = "team")]
use super::settings::TeamSettings;
use super::{demo, recent, sampling, web_dir};
use crate::clock::{Clock, seconds_ahead_of_utc};
use crate::library::Library;
use crate::relaying::addresses::{of_this_machine, reachable};
use crate::relaying::demo::{DemoOptions, SendingDemo};
use crate::relaying::forward::{Forwards, loops_at};
use crate::relaying::http::{self, Access, LibraryService, LibrarySite, Page, Site};
use crate::relaying::hub::Hub;
use crate::relaying::live::{Live, SEATS};
use crate::relaying::live_settings::{ChangeableParts, LiveSettings};
use crate::relaying::port_counters::PortCounters;
use crate::relaying::ports::{self, Port};
use crate::relaying::receive::Intake;
use crate::relaying::recent::RecentPackets;
use crate::relaying::reception::{Reception, own_sockets};
use crate::relaying::recorders::{Recorders, RecordersPlan};
use crate::relaying::room::Room;
use crate::relaying::sampling::Sampling;
use crate::relaying::seats::Seats;
use crate::relaying::status::StatusSources;
use crate::relaying::tablets::{Link, TabletListener, Tablets, listen};
#[cfg(feature = "team")]
use crate::relaying::team_source::TeamSource;
#[cfg(feature = "team")]
use crate::team;
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
    /// What is wrong with the kept settings, in words.
    pub settings: Option<String>,
}

impl Report {
    /// The page's address for this machine as a URL.
    pub fn url(&self) -> String {
        format!("http://{}/", self.http)
    }
}

/// The addresses that games may send from: those named, and this machine's. Empty for any.
fn allowed_senders(settings: &Settings) -> Vec<IpAddr> {
    let mut allowed = settings.udp_from.clone();
    if !allowed.is_empty() {
        allowed.extend([IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)]);
        allowed.extend(reachable(settings.udp_bind));
    }
    allowed
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
        let mut warning = settings.kept.warning();
        if !settings.kept.is_fixed(Setting::Forwards) {
            // The page has to open so that the driver can change it.
            let looping = drop_loops(&mut settings.forwards, &own);
            warning = warning.or(looping);
        }
        let forwards = Forwards::open(&settings.forwards, &own)?;
        let now = std::time::Instant::now();
        let report = Report {
            http: address,
            instead_of,
            tablets: tablets.links(),
            ports: ports.iter().map(|port| PortCounters::new(port).status(now)).collect(),
            forwards: forwards.status(),
            addresses: reachable(settings.udp_bind),
            recording: recording_in_words(&settings),
            settings: warning,
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
        let intake = Intake {
            clock: Clock::start(),
            hub: Arc::clone(&hub),
            forwards: Arc::new(self.forwards),
            from: allowed_senders(&self.settings).into(),
        };
        let seats = Seats::new(SEATS);
        let settings_in_words = sampling::settings_in_words(&self.settings);

        let recording = self.settings.recording;
        let library = recording.folder.map(|folder| Arc::new(Library::new(folder)));
        let wish = if recording.demo { None } else { self.settings.demo.as_ref() };
        let (clock, announce) = (intake.clock, self.settings.announce);
        let (limits, limit_changes) = watch::channel(recording.keep);
        let recorders = Recorders::new(RecordersPlan {
            hub: Arc::clone(&hub),
            library: library.clone(),
            demo: wish.and_then(|wish| demo_sender(wish, self.game.as_ref(), &self.ports)),
            policy: Policy {
                zone_s: seconds_ahead_of_utc(),
                shortest_s: recording.shortest_s,
                ..Policy::default()
            },
            memory: recording.memory,
            limits: limit_changes,
            clock,
            announce,
        });
        recorders.switch(recording.games)?;
        let mut work = JoinSet::new();

        let bind = self.settings.udp_bind;
        let asking = self.settings.asking;
        let reception = Reception::start(intake.clone(), bind, announce, self.ports, asking.clone()).await?;
        let reception = Arc::new(reception);
        let ports = reception.open_ports();
        let sources = StatusSources {
            ports: ports.clone(),
            clock,
            udp_bind: bind,
            forwards: Arc::clone(&intake.forwards),
            demo: self.settings.demo.as_ref().map(|wish| wish.game.feed),
            recorders: recorders.clone(),
        };
        let parts = ChangeableParts {
            reception: Arc::clone(&reception),
            forwards: Arc::clone(&intake.forwards),
            recorders: recorders.clone(),
            limits,
            demo: sources.demo,
        };
        let settings = LiveSettings::new(parts, self.settings.kept, self.settings.ports, asking);
        let (status_sender, status) = watch::channel(Arc::<Status>::new(sources.look()));
        let room = Room::default();
        #[cfg(feature = "team")]
        let team = {
            let (hub, status, recorders) = (Arc::clone(&hub), status.clone(), recorders.handles());
            let source = TeamSource { hub, status, recorders, clock, room: room.clone() };
            membership(self.settings.team, library.clone(), source, announce)?
        };
        let (page_sender, page) = watch::channel(Arc::new(self.page));
        work.spawn(sources.run(status_sender));
        if let Some(folder) = self.settings.web_dir {
            work.spawn(web_dir::watch(folder, page_sender));
        }
        work.spawn({
            let hub = Arc::clone(&hub);
            async move { hub.run().await }
        });
        if let Some(wish) = self.settings.demo {
            let counters =
                ports.counters().into_iter().find(|counters| counters.feeds.contains(&wish.game.feed));
            match (self.game, counters) {
                (Some(game), _) => drop(work.spawn(demo::listen(wish, UdpSocket::from_std(game)?))),
                (None, Some(counters)) => {
                    let demo = SendingDemo::start(wish, counters, intake.clone()).await;
                    demo.into_iter().for_each(|demo| drop(work.spawn(demo.drive())));
                }
                (None, None) => {}
            }
        }
        let recent = RecentPackets::default();
        work.spawn(recent.clone().follow(hub.listen(recent::ROOM), intake.clock));
        let sampling = Sampling { recent, status: status.clone(), settings: settings_in_words };
        let service = library.map(|library| LibraryService::new(library, recorders.handles(), clock));

        #[cfg(feature = "team")]
        let team_status = team.status();
        #[cfg(not(feature = "team"))]
        let team_status = watch::channel(None).1;
        let live = Live {
            team: team_status,
            ports: ports.clone(),
            hub,
            status,
            page: page.clone(),
            shutdown: shutdown.clone(),
            seats: seats.clone(),
            clock,
        };
        let (tablets, mut opened) = (self.tablets, self.opened);
        let site = Site {
            live,
            page,
            library: LibrarySite { service, recorders: recorders.handles(), room },
            sampling,
            ports,
            settings,
            tablets: tablets.clone(),
            #[cfg(feature = "team")]
            team: team.clone(),
        };
        let mut listeners = JoinSet::new();
        let own = tokio::net::TcpListener::from_std(self.http)?;
        let routes = http::routes(site.clone());
        listeners.spawn(http::serve(own, Access::local(self.report.http), routes, shutdown));

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
            let routes = http::routes(Site { live, ..site.clone() });
            listeners.spawn(http::serve(listener, access, routes, shutdown));
        }
        reception.close().await;
        // The last packets are recorded before browsers learn of the end.
        work.shutdown().await;
        intake.hub.flush();
        let _ = tokio::task::spawn_blocking(move || {
            recorders.end();
            // What was recorded last may still be sent.
            #[cfg(feature = "team")]
            team.end();
        })
        .await;
        drop(ending);
        tablets.close();
        while listeners.join_next().await.is_some() {}
        // All seats are free once every browser has its close frame.
        let _ = tokio::time::timeout(FAREWELL, seats.empty()).await;
        Ok(())
    }
}

/// The rig's membership in a team, which gets what is recorded.
#[cfg(feature = "team")]
fn membership(
    settings: TeamSettings,
    library: Option<Arc<Library>>,
    source: TeamSource,
    announce: fn(&str, &str),
) -> anyhow::Result<team::Membership> {
    let (clock, file) = (source.clock, settings.file.map(team::MembershipFile::new));
    let parts = team::MembershipParts { library, source: Arc::new(source), clock, announce, file };
    team::Membership::open(parts, settings.invitation)
}

/// Opens the socket of the demo's game, if it sends only on request, and points the talker there.
fn simulated_game(settings: &mut Settings) -> anyhow::Result<Option<std::net::UdpSocket>> {
    let Some(wish) = settings.demo.as_ref().filter(|wish| wish.is_asked()) else { return Ok(None) };
    let socket = std::net::UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    socket.set_nonblocking(true)?;
    let address = socket.local_addr()?;
    for asking in settings.asking.iter_mut().filter(|asking| asking.feed == wish.game.feed) {
        asking.options.address = Some(address);
    }
    Ok(Some(socket))
}

/// Drops targets that the driver set on the page and that would come back, as after a change of ports by an option;
/// returns a warning.
fn drop_loops(targets: &mut Vec<ForwardTarget>, own: &[SocketAddr]) -> Option<String> {
    let here = of_this_machine();
    let (looping, others): (Vec<_>, Vec<_>) =
        targets.iter().copied().partition(|target| loops_at(*target, own, &here).is_some());
    *targets = others;
    let ForwardTarget { feed, to } = looping.first()?;
    Some(format!(
        "{} is not forwarded to {to}: Trailbrake itself listens there. Change it on the page (Settings).",
        feed.info().game
    ))
}

/// The sender of the demo's datagrams.
fn demo_sender(wish: &DemoOptions, game: Option<&std::net::UdpSocket>, ports: &[Port]) -> Option<SocketAddr> {
    let port = ports.iter().find(|port| port.feeds.contains(&wish.game.feed));
    let driven = || port.map(|port| demo::sender(port.address.port()));
    game.map_or_else(driven, |game| game.local_addr().ok())
}

/// Creates the folder if needed, and describes where recordings go.
fn recording_in_words(settings: &Settings) -> String {
    let is_option = settings.kept.is_fixed(Setting::Record);
    match &settings.recording.folder {
        _ if !settings.recording.games => {
            format!("off ({})", if is_option { "--no-record" } else { "Settings on the page" })
        }
        None => "NOT POSSIBLE: this system names no folder for it; name one with --recordings".to_owned(),
        Some(folder) => match std::fs::create_dir_all(folder) {
            Ok(()) => format!("to {}", folder.display()),
            Err(error) => format!("NOT POSSIBLE: {}", disk::trouble(folder, &error)),
        },
    }
}
