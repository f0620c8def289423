//! `trailbrake sample`: writes a sample for a bug report, from a Trailbrake that runs.

use std::fs::File;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use trailbrake_shared::recording::ENDING;

use super::client;
use super::options::{Options, settings_of};

/// Where to write the sample, and which Trailbrake makes it.
#[derive(Clone, Debug, Args)]
pub struct Sample {
    /// The file to write, instead of trailbrake-sample.trailbrake.mcap
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// Where the running Trailbrake serves its page
    #[arg(long, value_name = "IP:PORT")]
    pub http: Option<SocketAddr>,
    /// Read options from this file instead of the usual one
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// Writes the last minute of a running Trailbrake. It overwrites no file.
pub fn run(request: Sample, mut notes: impl Write) -> anyhow::Result<()> {
    let options = Options { http: request.http, ..Options::default() };
    let http = settings_of(options, request.config.as_deref())?.http;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let bytes = runtime.context("the system gives no threads")?.block_on(client::download(http, "/sample"));
    let bytes = bytes.with_context(|| {
        format!(
            "no Trailbrake runs at http://{http}/: start one and drive until it goes wrong, or say where it is with --http"
        )
    })?;
    let path = request.out.unwrap_or_else(|| format!("trailbrake-sample{ENDING}").into());
    let file = File::create_new(&path);
    let mut file = file.with_context(|| format!("{} cannot be written", path.display()))?;
    file.write_all(&bytes)?;
    let size = bytes.len() as f64 / 1e6;
    writeln!(notes, "written: {} ({size:.1} MB): the last minute, without names", path.display())?;
    Ok(())
}
