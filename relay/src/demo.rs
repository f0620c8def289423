//! The simulated race, heard like any game: its datagrams go through the same door as those of a socket.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::{Options, Show, Truth};
use trailbrake_shared::time::Micros;

use crate::receive::Intake;
use crate::tally::Tally;

/// How often the race is driven on: well above the sixty frames of a second, so that none waits long.
const STEP: Duration = Duration::from_millis(4);

/// What the demo should be.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// The feed that it speaks.
    pub feed: Feed,
    /// The seed of its chances.
    pub seed: u64,
    /// How many times faster than real it drives.
    pub speed: f64,
    /// Where to write down what the simulator knows.
    pub truth: Option<PathBuf>,
}

impl Wish {
    /// Says no to a feed that the simulator does not speak.
    pub fn check(&self) -> anyhow::Result<()> {
        if Show::feeds().any(|feed| feed == self.feed) {
            return Ok(());
        }
        let spoken: Vec<&str> = Show::feeds().map(Feed::id).collect();
        bail!("there is no demo for {} yet; there is one for {}", self.feed.id(), spoken.join(", "))
    }
}

/// Drives until dropped.
pub(crate) async fn drive(wish: Wish, tally: Arc<Tally>, intake: Intake) {
    let options = Options { seed: wish.seed, ..Options::default() };
    let Some(mut demo) = Show::new(wish.feed, options, Micros(0)) else { return };
    let sender = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), tally.port);
    let began = Instant::now();
    let mut tick = tokio::time::interval(STEP);
    let mut known = 0;
    loop {
        tick.tick().await;
        let driven = Micros(0).plus_seconds(began.elapsed().as_secs_f64() * wish.speed);
        // The packet is stamped like any other when it is taken; the race's own clock stands inside it.
        demo.advance(driven, &mut |_, datagram| intake.take(&tally, sender, datagram));
        let laps = finished(demo.truth());
        if laps != known {
            known = laps;
            if let Some(file) = &wish.truth {
                write(file, demo.truth());
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

/// Whoever reads it meanwhile finds the old one or the new one whole.
fn try_write(file: &Path, truth: &Truth) -> anyhow::Result<()> {
    let new = file.with_extension("new");
    let json = serde_json::to_vec(truth)?;
    std::fs::write(&new, json).with_context(|| format!("{} cannot be written", new.display()))?;
    std::fs::rename(&new, file).with_context(|| format!("{} cannot be written", file.display()))
}
