//! The program `trailbrake`: hears games, hands their packets to browsers.
#![forbid(unsafe_code)]

use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use tracing_subscriber::EnvFilter;
use trailbrake_relay::commands::options::{Command, CommandLine, Settings};
use trailbrake_relay::commands::{
    analyse, banner, bests, browser, compare, decode, export, import, laps, repair, replay, report, server,
    tracks, watch,
};
use trailbrake_relay::relaying::Relay;
use trailbrake_relay::shutdown;

fn main() -> ExitCode {
    let line = CommandLine::parse();
    let filter = EnvFilter::try_from_env("TRAILBRAKE_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let done = match line.command {
        Some(Command::Decode(request)) => decode::run(&request, std::io::stdout().lock(), std::io::stderr()),
        Some(Command::Inspect(request)) => {
            laps::inspect(&request, std::io::stdout().lock(), std::io::stderr()).map(|()| true)
        }
        Some(Command::Laps(request)) => {
            laps::laps(&request, std::io::stdout().lock(), std::io::stderr()).map(|()| true)
        }
        Some(Command::Analyse(request)) => {
            analyse::run(&request, std::io::stdout().lock(), std::io::stderr()).map(|()| true)
        }
        Some(Command::Bests(request)) => {
            bests::run(&request, std::io::stdout().lock(), std::io::stderr()).map(|()| true)
        }
        Some(Command::Compare(request)) => {
            compare::run(&request, std::io::stdout().lock(), std::io::stderr()).map(|()| true)
        }
        Some(Command::Tracks(request)) => {
            tracks::run(&request, std::io::stdout().lock(), std::io::stderr()).map(|()| true)
        }
        Some(Command::Export(request)) => export::run(&request, std::io::stderr()).map(|()| true),
        Some(Command::Import(request)) => import::run(&request, std::io::stderr()).map(|()| true),
        Some(Command::Repair(request)) => repair::run(&request, std::io::stderr()).map(|()| true),
        Some(Command::Replay(request)) => replay::run(&request, std::io::stderr()).map(|()| true),
        Some(Command::Report(request)) => report::run(&request, std::io::stderr()).map(|()| true),
        Some(Command::Server(request)) => server::run(request).map(|()| true),
        Some(Command::Watch(request)) => watch::run(*request).map(|()| true),
        None => listen(line).map(|()| true),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        // Every rejected packet has had its line.
        Ok(false) => ExitCode::FAILURE,
        // Whoever reads what is printed has seen enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // A terminal that is gone reads nothing.
            let _ = writeln!(io::stderr(), "trailbrake: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether what was printed could not be read to its end. JSON's errors keep that of the pipe to themselves.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let of_io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let of_json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        of_io.or(of_json) == Some(io::ErrorKind::BrokenPipe)
    })
}

fn listen(line: CommandLine) -> anyhow::Result<()> {
    let settings = Settings::from_command_line(line)?;
    let open_browser = settings.open_browser;
    let relay = Relay::open(settings)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.context("the system gives no threads")?;
    // Before anybody is told that it runs: whoever reads that may end it.
    let end = {
        let _within = runtime.enter();
        shutdown::asked_for()
    };
    // Without a terminal there is nobody to read it, and that is no reason not to run.
    let _ = write!(std::io::stdout(), "{}", banner::block(relay.report()));
    if open_browser {
        browser::open(&relay.report().url());
    }
    runtime.block_on(relay.run(end))
}
