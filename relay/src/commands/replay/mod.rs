//! `trailbrake replay`: sends a file's packets as the game did, to the running Trailbrake or to an address. Each sender
//! in the file gets a socket of its own, so that two senders stay two.

mod backlog;
mod read_ahead;
mod schedule;
mod sent_packets;
mod speed;
mod targets;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::pin::pin;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use tokio::net::UdpSocket;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::lap_catalogue::{LapChoice, LapQuery};
use trailbrake_shared::recording::Packet;
use trailbrake_shared::time::Micros;

use crate::clock::Clock;
use crate::commands::options::{Options, settings_of};
use crate::files::{LapFile, PacketSplit};
use crate::{files, shutdown};
use read_ahead::{ReadAhead, ReadItem, ReplayedFile};
use schedule::Schedule;
use sent_packets::SentPackets;
pub use speed::Speed;
use targets::Targets;

/// Seconds sent before a lap: a decoder has to see the line being crossed.
const LEAD_S: f64 = 3.0;
/// Most packets, and most bytes, per burst at full speed.
const BURST: usize = 32;
const BURST_BYTES: usize = 64 << 10;
/// Packets per burst where the system does not report the backlog: no faster than fifty games at once.
const BLIND_BURST: usize = 4;
/// The next burst waits until the backlog is no larger than this. Systems give a socket room for at least three times
/// as much.
const MOST_WAITING: u64 = 64 << 10;
/// Pause between two bursts.
const PAUSE: Duration = Duration::from_millis(1);
/// How long to wait for a receiver that takes nothing.
const PATIENCE: Duration = Duration::from_secs(5);

/// What to send again, where to, and how.
#[derive(Clone, Debug, Args)]
pub struct Replay {
    /// A recording, a capture, or bare packets
    pub file: PathBuf,
    /// Where to send it; by default to the running Trailbrake. The first port in the file becomes this one, and the
    /// others keep their distance from it
    #[arg(long, value_name = "ADDR:PORT", value_parser = target)]
    pub to: Option<SocketAddr>,
    /// Speed: 1 is real time, 0.25 a quarter of it, max as fast as the receiver takes it
    #[arg(long, value_name = "0.25..max", default_value = "1")]
    pub speed: Speed,
    /// Begin at this lap of the player, by number
    #[arg(long, value_name = "LAP")]
    pub from: Option<u16>,
    /// Start again at the end, until Ctrl+C
    #[arg(long = "loop")]
    pub again: bool,
    /// Where the running Trailbrake serves its page
    #[arg(long, value_name = "IP:PORT", conflicts_with = "to")]
    pub http: Option<SocketAddr>,
    /// Read options from this file instead of the usual one
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How to split it into packets.
    #[command(flatten)]
    pub cutting: PacketSplit,
}

/// Sends a file's packets until its end, or until the user ends it, and notes what went where.
pub fn run(request: &Replay, mut notes: impl Write) -> anyhow::Result<()> {
    let from = match request.from {
        Some(lap) => begins(request, lap, &mut notes)?,
        None => Micros(0),
    };
    let file = ReplayedFile {
        file: request.file.clone(),
        cutting: request.cutting.clone(),
        from,
        again: request.again,
    };
    // Fail for a file that can't be opened before anything is sent.
    drop(files::open(&file.file, &file.cutting)?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("the system gives no threads")?;
    runtime.block_on(async {
        let end = shutdown::end_signal();
        let targets = match request.to {
            Some(to) => Targets::at(to),
            None => Targets::of_relay(relay(request)?).await?,
        };
        let mut packets = ReadAhead::start(file)?;
        let mut sending = Sending::new(targets, request.speed);
        let early = tokio::select! {
            sent = sending.send(&mut packets) => sent.map(|()| false)?,
            () = pin!(end) => true,
        };
        notes.write_all(&packets.end()?)?;
        if sending.sent.packets() == 0 && !early {
            bail!("{} holds no packet to send", request.file.display());
        }
        sending.note_targets_without_listener(&mut notes)?;
        Ok(sending.sent.end(sending.clock.now(), early, &mut notes)?)
    })
}

/// The address of the running Trailbrake's page.
fn relay(request: &Replay) -> anyhow::Result<SocketAddr> {
    let options = Options { http: request.http, ..Options::default() };
    Ok(settings_of(options, request.config.as_deref())?.http)
}

/// When to begin so that a lap of the player is complete.
fn begins(request: &Replay, lap: u16, notes: &mut dyn Write) -> anyhow::Result<Micros> {
    let file = LapFile::open(&request.file, &request.cutting, notes)?;
    let query = LapQuery { laps: vec![LapChoice::Numbers(lap, lap)], ..LapQuery::default() };
    let chosen = file.catalogue().select(&query).into_iter().find_map(|entry| entry.received.as_ref());
    match chosen {
        Some(received) => Ok(received.start().plus_seconds(-LEAD_S)),
        None => bail!(
            "the player drove no lap {lap}: `trailbrake laps {}` lists what there is",
            request.file.display()
        ),
    }
}

/// Sends packets when they are due.
struct Sending {
    clock: Clock,
    schedule: Schedule,
    speed: Speed,
    targets: Targets,
    /// A socket for each sender in the file.
    sockets: HashMap<SocketAddr, UdpSocket>,
    sent: SentPackets,
    burst: Burst,
}

/// Packets of the present burst.
#[derive(Default)]
struct Burst {
    packets: usize,
    bytes: usize,
    /// The ports of this machine that it went to.
    ports: Vec<u16>,
    /// Whether a receiver takes nothing.
    stuck: bool,
}

impl Sending {
    fn new(targets: Targets, speed: Speed) -> Self {
        let clock = Clock::start();
        Self {
            schedule: Schedule::new(speed),
            speed,
            targets,
            sockets: HashMap::new(),
            sent: SentPackets::new(clock.now()),
            burst: Burst::default(),
            clock,
        }
    }

    /// Sends everything that is read.
    async fn send(&mut self, packets: &mut ReadAhead) -> anyhow::Result<()> {
        while let Some(next) = packets.next().await {
            let now = self.clock.now();
            let due = match &next {
                ReadItem::Packet(packet) => self.schedule.due(packet.at, now),
                ReadItem::Again => self.schedule.again(now),
            };
            self.wait(due, now).await;
            if let ReadItem::Packet(packet) = next {
                self.packet(&packet).await?;
                if self.speed == Speed::Max {
                    self.breathe(packet.bytes.len()).await;
                }
            }
        }
        Ok(())
    }

    async fn wait(&self, due: Micros, now: Micros) {
        if due > now {
            tokio::time::sleep(Duration::from_micros(due.0 - now.0)).await;
        }
    }

    async fn packet(&mut self, packet: &Packet) -> anyhow::Result<()> {
        let to = self.targets.of(packet.port, Feed::from_id(&packet.feed))?;
        let from = self.targets.from();
        let socket = match self.sockets.entry(packet.sender) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(open(from).await?),
        };
        match socket.send_to(&packet.bytes, to).await {
            Err(error) if !found_no_receiver(&error) => {
                return Err(error).with_context(|| format!("nothing can be sent to {to}"));
            }
            _ => {}
        }
        self.sent.sent(to, self.clock.now());
        if self.targets.are_here() && !self.burst.ports.contains(&to.port()) {
            self.burst.ports.push(to.port());
        }
        Ok(())
    }

    /// At full speed: waits after each burst until the receiver has taken it.
    async fn breathe(&mut self, bytes: usize) {
        self.burst.packets += 1;
        self.burst.bytes += bytes;
        let backlog_known = backlog_is_reported() && self.targets.are_here() && !self.burst.stuck;
        let most = if backlog_known { BURST } else { BLIND_BURST };
        if self.burst.packets < most && self.burst.bytes < BURST_BYTES {
            return;
        }
        (self.burst.packets, self.burst.bytes) = (0, 0);
        tokio::time::sleep(PAUSE).await;
        let began = self.clock.now();
        while backlog_known && backlog::at(&self.burst.ports).is_some_and(|waiting| waiting > MOST_WAITING) {
            tokio::time::sleep(PAUSE).await;
            if self.clock.now().seconds_since(began) > PATIENCE.as_secs_f64() {
                self.burst.stuck = true;
                break;
            }
        }
    }
}

impl Sending {
    /// Notes the targets on this machine where nothing listens.
    fn note_targets_without_listener(&self, notes: &mut dyn Write) -> io::Result<()> {
        let here = self.targets.are_here() && backlog_is_reported();
        let has_no_listener = |to: &SocketAddr| here && backlog::at(&[to.port()]).is_none();
        for to in self.sent.targets().filter(has_no_listener) {
            writeln!(notes, "nobody listens at {to}")?;
        }
        Ok(())
    }
}

/// Whether this system reports the backlog.
const fn backlog_is_reported() -> bool {
    cfg!(target_os = "linux")
}

async fn open(from: IpAddr) -> anyhow::Result<UdpSocket> {
    UdpSocket::bind((from, 0)).await.context("the system gives no port to send from")
}

/// Some systems report that an earlier packet found no receiver. A game would carry on, too.
fn found_no_receiver(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionReset)
}

fn target(text: &str) -> Result<SocketAddr, String> {
    let target: Option<SocketAddr> = text.parse().ok();
    target
        .filter(|target| target.port() != 0)
        .ok_or_else(|| "an address with a port is wanted, such as 127.0.0.1:20777".to_owned())
}
