//! The demo: a simulated race whose datagrams take the same path as a game's.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use tokio::net::UdpSocket;
use trailbrake_shared::sim::{self, Demo, DemoGame, Options, Truth};
use trailbrake_shared::time::Micros;

use crate::relaying::port_counters::PortCounters;
use crate::relaying::receive::Intake;

/// How often the race advances: well above the sixty frames per second, so that none waits long.
const STEP: Duration = Duration::from_millis(4);

/// How far the race advances at a time on its way to where it starts, in seconds: what is sent meanwhile is passed on
/// before more is.
const LEAP_S: f64 = 0.5;

/// Longest datagram sent to a game.
const ROOM: usize = 2048;

/// The demo's options.
#[derive(Clone, Debug, PartialEq)]
pub struct DemoOptions {
    /// The simulated game.
    pub game: DemoGame,
    /// The random seed.
    pub seed: u64,
    /// Speed, as a multiple of real time.
    pub speed: f64,
    /// Seconds of the race that are driven at once when it starts.
    pub from_s: f64,
    /// Where to write the simulator's truth.
    pub truth: Option<PathBuf>,
}

impl DemoOptions {
    /// Whether the simulated game sends only on request.
    pub(crate) fn is_asked(&self) -> bool {
        sim::host(self.game.feed).is_some()
    }
}

/// The sender of a demo's datagrams: the receiving port itself, which no game can send from.
pub(crate) fn sender(port: u16) -> SocketAddr {
    SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port)
}

/// A demo that sends to one of the relay's ports.
pub(crate) struct SendingDemo {
    race: SimulatedRace,
    counters: Arc<PortCounters>,
    intake: Intake,
}

impl SendingDemo {
    /// Drives to where the race starts, and passes on what was sent until then as if it had begun so much earlier. Nobody
    /// is served meanwhile, so that every page finds it in the past.
    pub(crate) async fn start(
        wish: DemoOptions,
        counters: Arc<PortCounters>,
        intake: Intake,
    ) -> Option<Self> {
        let mut race = SimulatedRace::new(wish)?;
        let (sender, present) = (sender(counters.port), intake.clock.now());
        while race.leap(&mut |ago_s, datagram| {
            let ago_us = (ago_s * 1e6) as u64;
            intake.take_at(Micros(present.0.saturating_sub(ago_us)), &counters, sender, datagram);
        }) {
            intake.hub.drained();
            tokio::task::yield_now().await;
        }
        Some(Self { race, counters, intake })
    }

    /// Drives on until dropped, and passes on what a game would send.
    pub(crate) async fn drive(mut self) {
        let sender = sender(self.counters.port);
        let mut tick = tokio::time::interval(STEP);
        loop {
            tick.tick().await;
            self.race.on(&mut |datagram| self.intake.take(&self.counters, sender, datagram));
            self.intake.hub.drained();
        }
    }
}

/// Drives until dropped, as a game that listens at a socket and sends to those who asked.
pub(crate) async fn listen(wish: DemoOptions, game: UdpSocket) {
    let Some(mut host) = sim::host(wish.game.feed) else { return };
    let Some(mut race) = SimulatedRace::new(wish) else { return };
    // Nobody has asked for what was sent until then.
    while race.leap(&mut |_, _| ()) {
        tokio::task::yield_now().await;
    }
    let mut tick = tokio::time::interval(STEP);
    let mut room = [0; ROOM];
    loop {
        tokio::select! {
            _ = tick.tick() => {
                let mut packets = Vec::new();
                race.on(&mut |datagram| packets.push(datagram.to_vec()));
                for packet in packets {
                    for listener in host.listeners(&packet) {
                        // A listener that is gone has dismissed the game, or is forgotten with the demo.
                        let _ = game.send_to(&packet, listener).await;
                    }
                }
            }
            Ok((len, from)) = game.recv_from(&mut room) => {
                let request = room.get(..len).unwrap_or_default();
                race.demo.receive(request);
                if let Some(answer) = host.receive(from, request) {
                    let _ = game.send_to(answer, from).await;
                }
            }
        }
    }
}

/// A race at a multiple of real time.
struct SimulatedRace {
    demo: Demo,
    wish: DemoOptions,
    /// The seconds that are driven at once, so far.
    leapt_s: f64,
    began: Instant,
    /// Number of laps already written.
    known: usize,
}

impl SimulatedRace {
    fn new(wish: DemoOptions) -> Option<Self> {
        let options = Options { seed: wish.seed, ..Options::default() };
        let demo = Demo::of(wish.game, options, Micros(0))?;
        Some(Self { demo, wish, leapt_s: 0.0, began: Instant::now(), known: 0 })
    }

    /// Advances the race a little towards where it starts. Passes on each datagram with how many seconds ago it would have
    /// been sent. Returns false once the race is there.
    fn leap(&mut self, send: &mut dyn FnMut(f64, &[u8])) -> bool {
        if self.leapt_s >= self.wish.from_s {
            self.began = Instant::now();
            return false;
        }
        self.leapt_s = (self.leapt_s + LEAP_S).min(self.wish.from_s);
        let (from_s, speed) = (self.wish.from_s, self.wish.speed);
        self.advance(self.leapt_s, &mut |driven, datagram| {
            send((from_s - driven.seconds_since(Micros(0))) / speed, datagram)
        });
        true
    }

    /// Advances the race to the present.
    fn on(&mut self, send: &mut dyn FnMut(&[u8])) {
        let driven_s = self.leapt_s + self.began.elapsed().as_secs_f64() * self.wish.speed;
        // Packets are timestamped on receipt, as usual; they contain the race's own clock.
        self.advance(driven_s, &mut |_, datagram| send(datagram));
    }

    /// Advances the race to a time of its own.
    fn advance(&mut self, to_s: f64, send: &mut dyn FnMut(Micros, &[u8])) {
        self.demo.advance(Micros(0).plus_seconds(to_s), send);
        let laps = finished(self.demo.truth());
        if laps != self.known {
            self.known = laps;
            if let Some(file) = &self.wish.truth {
                write(file, self.demo.truth());
            }
        }
    }
}

fn finished(truth: &Truth) -> usize {
    truth.sessions.iter().map(|session| session.finished.len()).sum()
}

fn write(file: &Path, truth: &Truth) {
    if let Err(error) = try_write(file, truth) {
        tracing::error!("the demo's truth could not be written: {error:#}");
    }
}

/// Written beside and renamed: readers find the old file or the new one, both complete.
fn try_write(file: &Path, truth: &Truth) -> anyhow::Result<()> {
    let new = file.with_extension("new");
    let json = serde_json::to_vec(truth)?;
    std::fs::write(&new, json).with_context(|| format!("{} cannot be written", new.display()))?;
    std::fs::rename(&new, file).with_context(|| format!("{} cannot be written", file.display()))
}
