//! `trailbrake watch`: live samples and events as lines, for people and for scripts.
//!
//! If a Trailbrake is running, its packets are printed: two programs cannot receive at the same port. Otherwise one is
//! started here. Either way the packets come over the WebSocket that browsers use.

mod details;
mod lines;
mod printer;
mod source;

use std::path::PathBuf;
use std::pin::pin;

use anyhow::Context;
use clap::Args;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::wire::{self, ToBrowser};

use crate::commands::options::{Options, settings_of};
use crate::feed_name::FeedName;
use crate::relaying::Settings;
use crate::shutdown;
use crate::terminal::{Plain, note};
use lines::{LineOptions, Lines};
use printer::{OutputClosed, Printer};
use source::{Disconnect, MessageSource};

/// What to print of what is received.
#[derive(Clone, Debug, Args)]
pub struct Watch {
    /// Only this feed
    #[arg(long)]
    pub feed: Option<FeedName>,
    /// Only what happens, no samples
    #[arg(long)]
    pub events: bool,
    /// One JSON object a line, with everything that is known
    #[arg(long)]
    pub json: bool,
    /// Samples a second
    #[arg(long, value_name = "HZ", default_value_t = 10.0, value_parser = samples_per_second)]
    pub rate: f64,
    /// How to listen.
    #[command(
        flatten,
        next_help_heading = "Where no Trailbrake runs at the --http address, one is started with these"
    )]
    pub options: Options,
    /// Read options from this file instead of the usual one
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// Prints what is received until the user, the system or a closed pipe ends it.
pub fn run(request: Watch) -> anyhow::Result<()> {
    let feed = request.feed.map(|FeedName(feed)| feed);
    let options =
        LineOptions { feed, json: request.json, samples_per_s: (!request.events).then_some(request.rate) };
    let own = request.options.demo.is_some();
    let mut settings = settings_of(request.options, request.config.as_deref())?;
    narrow(&mut settings, feed)?;
    // Standard output is reserved for the lines.
    settings.announce = |partner, words| note(&format!("{partner}: {words}"));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.context("the system gives no threads")?;
    runtime.block_on(async {
        let mut end = pin!(shutdown::end_signal());
        let mut source = tokio::select! {
            source = MessageSource::open(settings, own) => source?,
            () = &mut end => return Ok(()),
        };
        let mut printer = Printer::start(Plain::new(std::io::stdout()));
        let shown = tokio::select! {
            shown = show(&mut source, Lines::new(options), &printer) => shown,
            () = end => Ok(()),
        };
        printer.finish().await;
        source.end().await;
        shown
    })
}

/// Opens only the ports of the wanted feed, and sends no requests to other games.
fn narrow(settings: &mut Settings, feed: Option<Feed>) -> anyhow::Result<()> {
    let Some(feed) = feed else { return Ok(()) };
    let info = feed.info();
    anyhow::ensure!(info.codec.is_some(), "{} ({}) is not decoded by this version", info.game, info.id);
    anyhow::ensure!(info.networked, "nobody sends {}: they are only found in files", info.id);
    settings.ports.retain(|port| port.feeds.contains(&feed));
    settings.asking.retain(|asking| asking.feed == feed);
    Ok(())
}

async fn show(source: &mut MessageSource, mut lines: Lines, printer: &Printer) -> anyhow::Result<()> {
    let mut lost = 0;
    loop {
        let message = match source.next().await {
            Ok(message) => message,
            Err(Disconnect::For(why)) => return Err(why),
            Err(Disconnect::Until(there)) => {
                note(&format!("{there} was closed; waiting until it runs again"));
                source.come_back().await;
                lost = 0;
                continue;
            }
        };
        let message = wire::decode(&message);
        match message
            .context("use one version of Trailbrake for both: this one does not understand the other")?
        {
            ToBrowser::Batch(datagrams) => {
                let mut text = String::new();
                datagrams.iter().for_each(|datagram| lines.take(datagram, &mut text));
                lines.complaints().for_each(|complaint| note(&complaint));
                if let Err(OutputClosed) = printer.print(text).await {
                    // The reader closed the pipe: it has seen enough.
                    return Ok(());
                }
            }
            ToBrowser::Status(status) => {
                if status.lost_batches > lost {
                    let batches = status.lost_batches - lost;
                    note(&format!("lines were read too slowly; {batches} batches of packets are lost"));
                    lost = status.lost_batches;
                }
            }
            ToBrowser::Hello { .. } | ToBrowser::Reload | ToBrowser::Answer { .. } | ToBrowser::Team(_) => {}
        }
    }
}

/// Samples a second, from one in ten seconds to more than any game sends.
fn samples_per_second(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| (0.1..=240.0).contains(rate));
    rate.ok_or_else(|| format!("{text:?} is no rate from 0.1 to 240"))
}
