//! `trailbrake team serve`: archives what the rigs send, and serves the page for all of them.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::thread;

use anyhow::Context;
use clap::Args;

use crate::relaying::http::Encryption;
use crate::relaying::rigs::TeamPage;
use crate::shutdown;
use crate::team::{HubFolder, Rigs, serve};
use crate::terminal;

/// What is served.
#[derive(Debug, Args)]
pub(super) struct Serve {
    /// The hub's folder
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Where the page is served; the next free port if this one is taken
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8777")]
    http: SocketAddr,
    /// Serve the page without encryption on another address than this machine's own, to those who have its link
    #[arg(long)]
    plain: bool,
    /// Encrypt the page with this certificate, and those above it, in a PEM file. A renewed one is read by itself
    #[arg(long, value_name = "FILE", requires = "key")]
    cert: Option<PathBuf>,
    /// The certificate's key, in a PEM file
    #[arg(long, value_name = "FILE", requires = "cert")]
    key: Option<PathBuf>,
}

/// Serves until the user or the system ends it.
pub(super) fn run(request: &Serve) -> anyhow::Result<()> {
    let folder = HubFolder::open(&request.dir)?;
    let encrypted = request.cert.as_deref().zip(request.key.as_deref());
    let encryption = encrypted.map(|(certificate, key)| Encryption::open(certificate, key)).transpose()?;
    // Files block a thread, and the connection has another.
    let threads = thread::available_parallelism().map_or(2, |count| count.get().max(2));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build();
    let runtime = runtime.context("the system gives no threads")?;
    runtime.block_on(async {
        let end = shutdown::end_signal();
        let (ending, shutdown) = shutdown::pair();
        let signalled = async move {
            end.await;
            drop(ending);
        };
        tokio::spawn(signalled);
        let page = TeamPage::open(&folder, request.http, encryption, request.plain)?;
        terminal::report("Page", &page.url);
        let rigs = Rigs::default();
        let shown = tokio::spawn(page.run(folder.clone(), rigs.clone(), shutdown.clone()));
        let mut archived = tokio::spawn(serve(folder, rigs, shutdown));
        tokio::select! {
            // What is wrong with the set-up ends the program.
            ended = &mut archived => ended?,
            shown = shown => {
                shown??;
                archived.await?
            }
        }
    })
}
