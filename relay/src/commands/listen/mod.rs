//! `trailbrake` without a subcommand: receives games and serves the page until it is ended.

pub mod banner;
mod browser;

use std::io::Write as _;

use anyhow::Context;

use crate::commands::client;
use crate::commands::start::Start;
use crate::relaying::{Relay, Settings};
use crate::shutdown;
use crate::terminal;

/// Runs a relay until the user or the system ends it. Started twice without options, it opens the page of the first.
pub fn run(settings: Settings, start: Start) -> anyhow::Result<()> {
    let (wanted, open_browser) = (settings.http, settings.open_browser);
    let relay = Relay::open(settings)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.context("the system gives no threads")?;
    if start != Start::Options
        && relay.report().instead_of.is_some()
        && runtime.block_on(client::connect(wanted)).is_some()
    {
        let url = format!("http://{wanted}/");
        terminal::report("Running already", &url);
        if open_browser {
            browser::open(&url);
        }
        return Ok(());
    }
    // Before the banner: a reader of it may end the program at once.
    let end = {
        let _within = runtime.enter();
        shutdown::end_signal()
    };
    // It runs without a terminal, too.
    let _ = write!(std::io::stdout(), "{}", banner::block(relay.report()));
    if open_browser {
        browser::open(&relay.report().url());
    }
    runtime.block_on(relay.run(end))
}
