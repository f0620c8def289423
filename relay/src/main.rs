//! The program `trailbrake`: hears games, hands their packets to browsers.
#![forbid(unsafe_code)]

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use tracing_subscriber::EnvFilter;
use trailbrake_relay::options::{Command, CommandLine, Settings};
use trailbrake_relay::{Relay, banner, browser, decode, shutdown, watch};

fn main() -> ExitCode {
    let line = CommandLine::parse();
    let filter = EnvFilter::try_from_env("TRAILBRAKE_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let done = match line.command {
        Some(Command::Decode(request)) => decode::run(&request, std::io::stdout().lock(), std::io::stderr()),
        Some(Command::Watch(request)) => watch::run(*request).map(|()| true),
        None => listen(line).map(|()| true),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        // Every rejected packet has had its line.
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("trailbrake: {error:#}");
            ExitCode::FAILURE
        }
    }
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
